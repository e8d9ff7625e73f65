"""Shapes of the answers, for the schema; the answers come from ``campaigns.services``."""

from __future__ import annotations

from rest_framework import serializers as s


class Problem(s.Serializer):
    """RFC 9457: ``errors`` lists faults of fields, ``messages`` those of files."""

    type = s.CharField()
    title = s.CharField()
    status = s.IntegerField()
    detail = s.CharField(allow_blank=True)
    kind = s.CharField(required=False)
    errors = s.ListField(child=s.DictField(child=s.CharField()), required=False)
    messages = s.ListField(child=s.DictField(), required=False)
    run = s.UUIDField(required=False, help_text="The first run, when this one is a duplicate")


class CampaignSummary(s.Serializer):
    """A campaign in a list."""

    slug = s.CharField()
    title = s.CharField()
    summary = s.CharField(allow_blank=True)
    is_public = s.BooleanField()
    is_example = s.BooleanField(help_text="Made-up data")


class CollectionShape(s.Serializer):
    """A test collection."""

    slug = s.CharField()
    title = s.CharField()
    languages = s.ListField(child=s.CharField())
    documents = s.IntegerField(allow_null=True)


class TaskSummary(s.Serializer):
    """A task in a list."""

    slug = s.CharField()
    title = s.CharField()
    summary = s.CharField(allow_blank=True)
    kind = s.CharField(help_text="ranking, reranking, pool, same_collection or new_collection")
    collection = s.CharField()
    opens = s.DateTimeField(allow_null=True)
    closes = s.DateTimeField(allow_null=True)
    timezone = s.CharField(allow_null=True)
    is_open = s.BooleanField()
    closed_reason = s.CharField(allow_null=True)


class CampaignDetail(CampaignSummary):
    """A campaign with its tasks."""

    description = s.CharField(allow_blank=True, help_text="Markdown")
    vocabulary = s.CharField()
    contact = s.EmailField(allow_null=True)
    website = s.CharField(allow_null=True)
    citation = s.CharField(allow_null=True)
    timezone = s.CharField()
    collections = CollectionShape(many=True)
    tasks = TaskSummary(many=True)


class TopicText(s.Serializer):
    """The wording of a topic in one form."""

    form = s.CharField()
    language = s.CharField(allow_null=True)
    translation = s.CharField()
    text = s.CharField()


class TopicShape(s.Serializer):
    """A topic."""

    id = s.CharField()
    texts = TopicText(many=True)


class OriginalShape(s.Serializer):
    """An original pair that teams reproduce."""

    slug = s.CharField()
    title = s.CharField()
    paper = s.CharField(allow_blank=True)


class Limits(s.Serializer):
    """Limits of a team; null is none."""

    runs_per_team = s.IntegerField(allow_null=True)
    per_day = s.IntegerField(allow_null=True)
    refused_per_day = s.IntegerField(allow_null=True)
    attempts = s.IntegerField(allow_null=True)
    file_bytes = s.IntegerField(help_text="Of the decompressed text")


class QuotaShape(s.Serializer):
    """What one of your teams has left; null is no limit."""

    team = s.CharField()
    left = s.IntegerField(allow_null=True)
    runs_left = s.IntegerField(allow_null=True)
    today_left = s.IntegerField(allow_null=True)
    refused_left = s.IntegerField(allow_null=True)
    attempts_left = s.IntegerField(allow_null=True)
    next_at = s.DateTimeField(allow_null=True)


class TaskDetail(TaskSummary):
    """A task with its settings and topics."""

    campaign = s.CharField()
    description = s.CharField(allow_blank=True, help_text="Markdown")
    explanation = s.CharField()
    takes_pairs = s.BooleanField()
    original_collection = s.CharField(allow_null=True)
    measures = s.ListField(child=s.CharField())
    primary = s.CharField()
    topics_averaged = s.CharField()
    order_by = s.CharField(allow_null=True)
    depth = s.IntegerField()
    depth_rule = s.CharField()
    rules = s.DictField()
    tag_pattern = s.CharField()
    precision = s.CharField()
    comparison = s.DictField()
    fields = s.ListField(  # type: ignore[assignment]  # a field of that name
        child=s.DictField(), help_text="Fields of the submission form"
    )
    originals = OriginalShape(many=True)
    visible_from = s.DictField(
        child=s.CharField(), help_text="When each thing becomes visible: always, never or a time"
    )
    limits = Limits()
    quotas = QuotaShape(many=True)
    topics = TopicShape(many=True)


class Receipt(s.Serializer):
    """Signed proof of what arrived when."""

    run = s.UUIDField()
    campaign = s.CharField()
    task = s.CharField()
    team = s.CharField(allow_null=True)
    name = s.CharField()
    size = s.IntegerField()
    sha256 = s.CharField()
    text_sha256 = s.CharField()
    received_at = s.CharField()
    signature = s.CharField()


class PairReceipt(s.Serializer):
    """Receipts of the runs of a pair."""

    baseline = Receipt(allow_null=True)
    advanced = Receipt(allow_null=True)


class Message(s.Serializer):
    """A fault or a warning about a file."""

    level = s.CharField()
    line = s.IntegerField(allow_null=True)
    kind = s.CharField()
    topic = s.CharField(allow_null=True)
    text = s.CharField()
    remedy = s.CharField(allow_blank=True)
    quoted = s.CharField(required=False, allow_null=True, help_text="The line as it stands")


class RunSummary(s.Serializer):
    """A run in a list."""

    id = s.UUIDField()
    campaign = s.CharField()
    task = s.CharField()
    team = s.CharField(allow_null=True, help_text="Null while names are withheld")
    team_name = s.CharField(allow_null=True)
    origin = s.CharField()
    original = s.CharField(allow_null=True)
    role = s.CharField(allow_null=True)
    run_tag = s.CharField(allow_null=True)
    title = s.CharField(allow_blank=True)
    run_type = s.CharField()
    state = s.CharField(
        help_text="receiving, checking, rejected, accepted, scoring, scored or failed"
    )
    reason = s.CharField(allow_null=True)
    received_at = s.DateTimeField()
    withdrawn_at = s.DateTimeField(allow_null=True)
    disqualified_at = s.DateTimeField(allow_null=True)
    disqualified_reason = s.CharField(allow_null=True)


class Score(s.Serializer):
    """A mean; null is undefined, with its reason."""

    mean = s.FloatField(allow_null=True)
    reason = s.CharField(allow_null=True)
    interval = s.ListField(child=s.FloatField(), allow_null=True)


class RunDetail(RunSummary):
    """A run with all that you may know of it."""

    description = s.CharField(allow_blank=True)
    system = s.CharField(allow_null=True)
    metadata = s.DictField()
    topics = s.IntegerField(allow_null=True)
    documents = s.IntegerField(allow_null=True)
    outcome = s.CharField(allow_null=True)
    messages = Message(many=True)
    organizer_messages = Message(many=True, required=False)
    pairs = s.ListField(child=s.UUIDField())
    receipt = Receipt(allow_null=True)
    scores = s.DictField(child=Score())
    comparisons = s.DictField(child=s.DictField())
    passport = s.DictField(child=s.DictField(), help_text="How each number was made")


class RunTopics(s.Serializer):
    """Scores topic by topic; null is undefined."""

    run = s.UUIDField()
    measures = s.DictField(child=s.DictField())
    comparisons = s.DictField(child=s.DictField())


class Point(s.Serializer):
    """A point of the ER-ΔRI chart."""

    pair = s.UUIDField()
    title = s.CharField()
    team = s.CharField(allow_null=True)
    team_name = s.CharField(allow_null=True)
    original = s.CharField()
    family = s.CharField(allow_null=True)
    family_order = s.IntegerField(allow_null=True)
    measure = s.CharField()
    effect_ratio = s.FloatField(allow_null=True)
    delta_ri = s.FloatField(allow_null=True)
    region = s.IntegerField(allow_null=True)
    distance = s.FloatField(allow_null=True)
    relative_improvement_original = s.FloatField(allow_null=True)
    relative_improvement_submitted = s.FloatField(allow_null=True)
    original_effect = s.DictField(child=s.FloatField(allow_null=True))
    submitted_effect = s.DictField(child=s.FloatField(allow_null=True))
    p_value = s.DictField(child=s.FloatField(allow_null=True))
    reasons = s.DictField(child=s.CharField())
    warnings = s.ListField(child=s.JSONField())


class PairRuns(s.Serializer):
    """The runs of a pair; null while one is missing."""

    baseline = RunSummary(allow_null=True)
    advanced = RunSummary(allow_null=True)


class PairDetail(s.Serializer):
    """A pair with its comparisons and effects."""

    id = s.UUIDField()
    campaign = s.CharField()
    task = s.CharField()
    team = s.CharField(allow_null=True)
    team_name = s.CharField(allow_null=True)
    original = s.CharField()
    title = s.CharField(allow_blank=True)
    description = s.CharField(allow_blank=True)
    family = s.CharField(allow_null=True)
    family_order = s.IntegerField(allow_null=True)
    metadata = s.DictField()
    state = s.CharField()
    reason = s.CharField(allow_null=True)
    runs = PairRuns()
    comparisons = s.DictField(child=s.DictField())
    effects = Point(many=True)
    remarks = s.ListField(child=s.CharField(), help_text="What looks like a slip")
    summary = s.DictField(
        child=s.ListField(child=s.CharField()), help_text="In plain words, by measure"
    )
    passport = s.DictField(child=s.DictField())
    published_series = s.DictField(help_text="Published, not recomputed")
    receipt = PairReceipt(allow_null=True)
