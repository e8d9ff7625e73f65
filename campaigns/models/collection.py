"""Test collections: documents, topics in their forms, and versioned qrels."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaigns.models.campaign import Campaign
from campaigns.models.fields import one_of, slug_field
from campaigns.models.stored_file import StoredFile


class Collection(models.Model):
    """Documents and topics that tasks are run on; belongs to a campaign."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="collections")
    slug = slug_field()
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    languages = models.JSONField(default=list, blank=True, help_text="ISO 639-3 codes")
    documents = models.BigIntegerField(null=True, blank=True, help_text="Number of documents")
    document_ids = models.ForeignKey(
        StoredFile, models.PROTECT, related_name="+", null=True, blank=True
    )
    has_topic_file = models.BooleanField(
        default=False, help_text="False: the topics are those of the qrels and originals"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "slug"], name="collection_slug_unique_in_campaign"
            ),
            models.CheckConstraint(
                condition=Q(documents__isnull=True) | Q(documents__gte=0),
                name="collection_documents_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Topic(models.Model):
    """An information need. ``position`` keeps byte order of ids, whatever the database sorts."""

    collection = models.ForeignKey(Collection, models.PROTECT, related_name="topics")
    identifier = models.CharField(max_length=128)
    position = models.IntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                fields=["collection", "identifier"], name="topic_unique_in_collection"
            ),
            models.CheckConstraint(condition=~Q(identifier=""), name="topic_has_an_identifier"),
        ]

    def __str__(self) -> str:
        return self.identifier


class Translation(models.TextChoices):
    """How a topic form came into its language."""

    NONE = "none", "original"
    HUMAN = "human", "human translation"
    MACHINE = "machine", "machine translation"


class TopicForm(models.Model):
    """One way the topics of a collection are worded: title, description, a translation."""

    collection = models.ForeignKey(Collection, models.PROTECT, related_name="topic_forms")
    form = models.CharField(max_length=40)
    language = models.CharField(max_length=12, blank=True)
    translation = models.CharField(
        max_length=8, choices=Translation.choices, default=Translation.NONE
    )
    file = models.ForeignKey(StoredFile, models.PROTECT, related_name="+", null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["collection", "form", "language", "translation"], name="topic_form_unique"
            ),
            models.CheckConstraint(
                condition=one_of("translation", Translation), name="topic_form_translation_known"
            ),
        ]

    def __str__(self) -> str:
        return " ".join(filter(None, [self.form, self.language, self.get_translation_display()]))


class TopicText(models.Model):
    """The wording of a topic in one form."""

    topic = models.ForeignKey(Topic, models.PROTECT, related_name="texts")
    form = models.ForeignKey(TopicForm, models.PROTECT, related_name="texts")
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["topic", "form"], name="one_text_per_topic_and_form")
        ]

    def __str__(self) -> str:
        return self.text


class TopicOrder(models.Model):
    """A list of topic ids in byte order: what the packed arrays of topic scores are aligned to."""

    digest = models.CharField(max_length=64, unique=True)
    topics = models.JSONField()
    count = models.IntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(count__gte=0), name="topic_order_count_not_negative")
        ]

    def __str__(self) -> str:
        return f"{self.count} topics"


class QrelsState(models.TextChoices):
    """Life of a version of the qrels."""

    DRAFT = "draft", "uploaded, not used"
    PUBLISHED = "published", "in use or superseded"
    REFUSED = "refused", "has faults"


class Qrels(models.Model):
    """One version of the judgments of a collection, or of the utilities of a pool task.

    Secret until the task's ``qrels_from``. A version never changes once published.
    """

    collection = models.ForeignKey(Collection, models.PROTECT, related_name="qrels_versions")
    task = models.ForeignKey(
        "campaigns.Task",
        models.PROTECT,
        related_name="pools",
        null=True,
        blank=True,
        help_text="Set when these are the utilities of a pool task",
    )
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=QrelsState.choices, default=QrelsState.DRAFT)
    file = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    is_graded = models.BooleanField(default=True)
    topic_order = models.ForeignKey(
        TopicOrder, models.PROTECT, related_name="+", null=True, blank=True
    )
    judgments = models.BigIntegerField(default=0)
    relevant = models.BigIntegerField(default=0)
    topics_without_relevant = models.JSONField(default=list, blank=True)
    grades = models.JSONField(default=list, blank=True, help_text="Distinct grades, ascending")
    messages = models.JSONField(default=list, blank=True)
    changelog = models.TextField(blank=True)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, blank=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["collection", "number"],
                condition=Q(task__isnull=True),
                name="qrels_number_unique_in_collection",
            ),
            models.UniqueConstraint(
                fields=["task", "number"],
                condition=Q(task__isnull=False),
                name="qrels_number_unique_in_pool_task",
            ),
            models.CheckConstraint(condition=one_of("state", QrelsState), name="qrels_state_known"),
            models.CheckConstraint(
                condition=~Q(state=QrelsState.PUBLISHED)
                | Q(published_at__isnull=False, topic_order__isnull=False),
                name="published_qrels_are_complete",
            ),
        ]

    def __str__(self) -> str:
        return f"qrels v{self.number}"
