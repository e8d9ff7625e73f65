"""Topics of a collection: their ids in byte order, and their wording in each form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from campaigns.models import Collection, Topic, TopicForm, TopicText

MAIN_FORM = "topics"
LONGEST_ID = 128


def add_topics(collection: Collection, identifiers: Iterable[str]) -> int:
    """Add the topics that are not there yet and keep all in byte order; how many were new."""
    known = set(Topic.objects.filter(collection=collection).values_list("identifier", flat=True))
    wanted = sorted(known | set(identifiers), key=lambda topic: topic.encode())
    new = [topic for topic in wanted if topic not in known]
    if new:
        place = {topic: position for position, topic in enumerate(wanted)}
        for topic in Topic.objects.filter(collection=collection):
            if topic.position != place[topic.identifier]:
                topic.position = place[topic.identifier]
                topic.save(update_fields=["position"])
        Topic.objects.bulk_create(
            Topic(collection=collection, identifier=topic, position=place[topic]) for topic in new
        )
    return len(new)


def set_texts(form: TopicForm, texts: Mapping[str, str]) -> None:
    """Store the wording of the topics that the collection has."""
    TopicText.objects.bulk_create(
        [
            TopicText(topic=topic, form=form, text=texts[topic.identifier])
            for topic in Topic.objects.filter(collection=form.collection)
            if texts.get(topic.identifier)
        ],
        update_conflicts=True,
        unique_fields=["topic", "form"],
        update_fields=["text"],
    )


def topics_lost(collection: Collection, identifiers: Iterable[str]) -> list[str]:
    """Topics that are stored and would be missing: they stay, so such a file is not taken."""
    stored = Topic.objects.filter(collection=collection).values_list("identifier", flat=True)
    return sorted(set(stored) - set(identifiers)) if collection.has_topic_file else []
