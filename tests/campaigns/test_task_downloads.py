"""Files for participants: topics in each form, candidates without utilities, no secrets."""

from __future__ import annotations

import gzip

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Qrels, Topic, TopicForm, TopicText
from campaigns.services.uploads import runs_storage
from evaluation.topics import read_topics
from tests.campaigns import factories as make
from tests.campaigns.pipeline import collection_with, publish, stored

pytestmark = pytest.mark.django_db

TITLES = {"2": "two & <three>", "10": "  ten\tten ", "é": "é"}


@pytest.fixture
def task():
    task = make.TaskFactory(kind="pool", measures=["nDCG(ideal='pool')@10"])
    task.collection = collection_with(task.campaign, list(TITLES))
    task.save()
    write(task.collection, "topics", "", TITLES)
    write(task.collection, "description", "", {"2": "the second"})
    write(task.collection, "title", "fas", {"2": "دو"})
    return task


def write(collection, form, language, texts):
    row = TopicForm.objects.create(collection=collection, form=form, language=language)
    for topic in Topic.objects.filter(collection=collection, identifier__in=texts):
        TopicText.objects.create(topic=topic, form=row, text=texts[topic.identifier])


def get(client, task, name, prefix="pages:task-file"):
    path = reverse(prefix, args=[task.campaign.slug, task.slug, name])
    answer = client.get(path)
    return answer, b"".join(answer.streaming_content) if answer.status_code == 200 else b""


def names(client, task):
    path = reverse("pages:task", args=[task.campaign.slug, task.slug])
    html = client.get(path).content.decode()
    return [part.partition('"')[0] for part in html.split("/files/")[1:]]


@pytest.mark.parametrize("form", ["tsv", "jsonl", "xml"])
def test_topics_read_equal_in_each_form(client, task, form):
    answer, text = get(client, task, f"topics.{form}")
    assert answer["Content-Disposition"].endswith(f'-topics.{form}"')
    titles = {name: " ".join(title.split()) for name, title in TITLES.items()}
    assert read_topics(text).sound() == titles
    if form != "tsv":
        assert read_topics(text, wording="description").sound()["2"] == "the second"
    assert get(client, task, f"topics.{form}", "api-task-file")[1] == text


def test_other_languages_stand_in_json(client, task):
    _, text = get(client, task, "topics.jsonl")
    assert '"topics": [{"lang": "fas", "topic_title": "دو"}]' in text.decode()


@pytest.mark.parametrize("is_gzip", [False, True])
def test_candidates_come_without_their_utilities(client, task, is_gzip):
    text = b"\xef\xbb\xbf2\ta\t0.875\n# 2 x 1\n\n2 b -1.5\r\n10\tc\t0"
    publish(task.collection, gzip.compress(text) if is_gzip else text, task)
    assert get(client, task, "candidates.tsv")[1] == b"2\ta\n2\tb\n10\tc\n"
    assert "candidates.tsv" in names(client, task)


def test_initial_run_and_document_ids_come_as_they_were_uploaded(client):
    task = make.TaskFactory(kind="reranking")
    run, ids = stored(b"1 Q0 a 1 2 t\n", "base.run"), stored(gzip.compress(b"a\nb\n"), "ids.gz")
    for received, purpose in ((run, "initial_run"), (ids, "document_ids")):
        row = received.row(purpose)
        row.save(force_insert=True)
        if purpose == "initial_run":
            task.initial_run = row
        else:
            task.collection.document_ids = row
    task.save()
    task.collection.save()
    assert get(client, task, "initial-run.txt")[1] == b"1 Q0 a 1 2 t\n"
    assert gzip.decompress(get(client, task, "document-ids.gz")[1]) == b"a\nb\n"
    assert set(names(client, task)) >= {"initial-run.txt", "document-ids.gz"}


def test_file_that_the_store_lost_is_not_found(client, task):
    publish(task.collection, b"2\ta\t0.875\n", task)
    runs_storage().delete(Qrels.objects.get(task=task).file.key)
    for prefix in ("pages:task-file", "api-task-file"):
        assert get(client, task, "candidates.tsv", prefix)[0].status_code == 404


@pytest.mark.parametrize("name", ["qrels.txt", "pool.tsv", "candidates.tsv", "..", "topics.csv"])
def test_what_is_secret_or_not_there_is_not_found(client, task, name):
    assert get(client, task, name)[0].status_code == 404
    assert get(client, task, name, "api-task-file")[0].status_code == 404


def test_files_of_a_private_campaign_are_for_those_who_may_see_it(client, task):
    task.campaign.is_public = False
    task.campaign.save()
    for prefix in ("pages:task-file", "api-task-file"):
        assert get(client, task, "topics.tsv", prefix)[0].status_code == 404
        organizer = Client()
        organizer.force_login(make.organizer_of(task.campaign))
        assert get(organizer, task, "topics.tsv", prefix)[0].status_code == 200
