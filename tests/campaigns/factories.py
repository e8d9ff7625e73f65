"""Rows for tests: one factory a model, valid by default, with as few other rows as possible."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta
from typing import Any

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from campaigns import models
from campaigns.models import FilePurpose, Origin, RunRole, RunState, TaskKind
from campaigns.services import tokens, uploads

PASSWORD = "correct horse battery staple"
NEVER = None
ALWAYS = models.ALWAYS
RUN_TEXT = b"101 Q0 d1 1 9.5 demo\n101 Q0 d2 2 8.5 demo\n102 Q0 d3 1 7.5 demo\n"
LIMIT = 1 << 30


class UserFactory(DjangoModelFactory):
    """An account that can log in with ``PASSWORD``."""

    class Meta:
        model = models.User
        skip_postgeneration_save = True

    email = factory.Sequence(lambda n: f"person{n}@example.org")
    name = factory.Sequence(lambda n: f"Person {n}")

    @classmethod
    def _create(cls, model_class: Any, *args: Any, **kwargs: Any) -> Any:
        password = kwargs.pop("password", None)
        user = model_class(**kwargs)
        if password:
            user.set_password(password)
        else:
            user.set_unusable_password()
        user.save()
        return user


class CampaignFactory(DjangoModelFactory):
    """A public campaign."""

    class Meta:
        model = models.Campaign

    slug = factory.Sequence(lambda n: f"campaign-{n}")
    title = factory.Sequence(lambda n: f"Campaign {n}")


class CampaignRoleFactory(DjangoModelFactory):
    """An organizer of a campaign."""

    class Meta:
        model = models.CampaignRole

    campaign = factory.SubFactory(CampaignFactory)
    user = factory.SubFactory(UserFactory)


class StoredFileFactory(DjangoModelFactory):
    """A file whose bytes (``content``) really lie in the store."""

    class Meta:
        model = models.StoredFile

    purpose = FilePurpose.RUN
    name = "run.txt"

    @classmethod
    def _create(cls, model_class: Any, *args: Any, **kwargs: Any) -> Any:
        content = kwargs.pop("content", RUN_TEXT)
        received = uploads.receive(
            [content], kwargs.pop("name"), upload_limit=LIMIT, text_limit=LIMIT
        )
        row = received.row(kwargs.pop("purpose"))
        for name, value in kwargs.items():
            setattr(row, name, value)
        row.save(force_insert=True)
        return row


class CollectionFactory(DjangoModelFactory):
    """A test collection."""

    class Meta:
        model = models.Collection

    campaign = factory.SubFactory(CampaignFactory)
    slug = factory.Sequence(lambda n: f"collection-{n}")
    title = factory.Sequence(lambda n: f"Collection {n}")
    has_topic_file = True


class TopicFactory(DjangoModelFactory):
    """A topic: 101, 102, ..."""

    class Meta:
        model = models.Topic

    collection = factory.SubFactory(CollectionFactory)
    identifier = factory.Sequence(lambda n: str(101 + n))
    position = factory.Sequence(lambda n: n)


class TopicFormFactory(DjangoModelFactory):
    """The titles of the topics."""

    class Meta:
        model = models.TopicForm

    collection = factory.SubFactory(CollectionFactory)
    form = "title"
    language = "eng"


class TopicTextFactory(DjangoModelFactory):
    """The wording of a topic."""

    class Meta:
        model = models.TopicText

    form = factory.SubFactory(TopicFormFactory)
    topic = factory.SubFactory(TopicFactory, collection=factory.SelfAttribute("..form.collection"))
    text = factory.Sequence(lambda n: f"wording {n}")


class TopicOrderFactory(DjangoModelFactory):
    """An order of topics; 101 and 102 unless said otherwise."""

    class Meta:
        model = models.TopicOrder

    topics = factory.LazyFunction(lambda: ["101", "102"])
    count = factory.LazyAttribute(lambda order: len(order.topics))
    digest = factory.Sequence(lambda n: f"{n:064x}")


class QrelsFactory(DjangoModelFactory):
    """A published version of the qrels."""

    class Meta:
        model = models.Qrels

    collection = factory.SubFactory(CollectionFactory)
    number = factory.Sequence(lambda n: n + 1)
    state = models.QrelsState.PUBLISHED
    file = factory.SubFactory(
        StoredFileFactory,
        purpose=FilePurpose.QRELS,
        name="qrels.txt",
        content=b"101 0 d1 1\n102 0 d3 1\n",
    )
    topic_order = factory.SubFactory(TopicOrderFactory)
    judgments = 2
    relevant = 2
    published_at = factory.LazyFunction(timezone.now)


class TaskFactory(DjangoModelFactory):
    """An open ranking task whose switches are on, but not those of files and qrels."""

    class Meta:
        model = models.Task

    campaign = factory.SubFactory(CampaignFactory)
    slug = factory.Sequence(lambda n: f"task-{n}")
    title = factory.Sequence(lambda n: f"Task {n}")
    kind = TaskKind.RANKING
    collection = factory.SubFactory(CollectionFactory, campaign=factory.SelfAttribute("..campaign"))
    measures = factory.LazyFunction(lambda: ["nDCG@10", "AP"])
    primary = "nDCG@10"

    class Params:
        same_collection = factory.Trait(kind=TaskKind.SAME_COLLECTION, order_by="rmse")
        new_collection = factory.Trait(
            kind=TaskKind.NEW_COLLECTION,
            order_by="distance",
            original_collection=factory.SubFactory(
                CollectionFactory, campaign=factory.SelfAttribute("..campaign")
            ),
        )
        closed_scores = factory.Trait(own_scores_from=NEVER, scores_from=NEVER)
        closed = factory.Trait(closes=factory.LazyFunction(lambda: timezone.now() - DAY))


DAY = timedelta(days=1)


class TeamFactory(DjangoModelFactory):
    """A team without members."""

    class Meta:
        model = models.Team

    campaign = factory.SubFactory(CampaignFactory)
    slug = factory.Sequence(lambda n: f"team-{n}")
    name = factory.Sequence(lambda n: f"Team {n}")


class MembershipFactory(DjangoModelFactory):
    """A person in a team."""

    class Meta:
        model = models.Membership

    team = factory.SubFactory(TeamFactory)
    user = factory.SubFactory(UserFactory)


class SystemFactory(DjangoModelFactory):
    """A system of a team."""

    class Meta:
        model = models.System

    team = factory.SubFactory(TeamFactory)
    slug = factory.Sequence(lambda n: f"system-{n}")
    name = factory.Sequence(lambda n: f"System {n}")


class OriginalFactory(DjangoModelFactory):
    """An original without its runs; ``original_pair`` makes those too."""

    class Meta:
        model = models.Original

    task = factory.SubFactory(TaskFactory, same_collection=True)
    slug = factory.Sequence(lambda n: f"original-{n}")
    title = factory.Sequence(lambda n: f"Original {n}")


class RunFactory(DjangoModelFactory):
    """An accepted run of a team, with its file in the store."""

    class Meta:
        model = models.Run

    task = factory.SubFactory(TaskFactory)
    team = factory.SubFactory(TeamFactory, campaign=factory.SelfAttribute("..task.campaign"))
    state = RunState.ACCEPTED
    outcome = "accepted"
    received_at = factory.Sequence(
        lambda n: datetime(2026, 1, 1, 12, tzinfo=UTC) + timedelta(seconds=n)
    )
    tag = factory.Sequence(lambda n: f"run{n}")
    topics = 2
    documents = 3
    file = factory.SubFactory(
        StoredFileFactory,
        content=factory.LazyAttribute(
            lambda stored: RUN_TEXT.replace(b"demo", stored.factory_parent.tag.encode() or b"demo")
        ),
    )
    text_sha256 = factory.LazyAttribute(lambda run: run.file.text_sha256 if run.file else "")

    class Params:
        as_original = factory.Trait(
            origin=Origin.ORIGINAL,
            team=None,
            original=factory.SubFactory(OriginalFactory, task=factory.SelfAttribute("..task")),
            role=RunRole.BASELINE,
        )


class RunEventFactory(DjangoModelFactory):
    """An event of a run."""

    class Meta:
        model = models.RunEvent

    run = factory.SubFactory(RunFactory)
    kind = "received"


class GivenScoresFactory(DjangoModelFactory):
    """Published topic scores of a run without a file."""

    class Meta:
        model = models.GivenScores

    run = factory.SubFactory(RunFactory, file=None, is_scores_only=True)
    measure = "AP"
    file = factory.SubFactory(
        StoredFileFactory, purpose=FilePurpose.TOPIC_SCORES, content=b"topic,score\n101,0.5\n"
    )


class PairFactory(DjangoModelFactory):
    """A complete pair of one team against an original of a same-collection task."""

    class Meta:
        model = models.Pair

    original = factory.SubFactory(OriginalFactory)
    task = factory.SelfAttribute("original.task")
    team = factory.SubFactory(TeamFactory, campaign=factory.SelfAttribute("..task.campaign"))
    baseline = factory.SubFactory(
        RunFactory,
        task=factory.SelfAttribute("..task"),
        team=factory.SelfAttribute("..team"),
        original=factory.SelfAttribute("..original"),
        role=RunRole.BASELINE,
    )
    advanced = factory.SubFactory(
        RunFactory,
        task=factory.SelfAttribute("..task"),
        team=factory.SelfAttribute("..team"),
        original=factory.SelfAttribute("..original"),
        role=RunRole.ADVANCED,
    )


class RecipeFactory(DjangoModelFactory):
    """How nDCG@10 is made."""

    class Meta:
        model = models.Recipe

    name = "nDCG@10"
    parameters = factory.LazyAttribute(
        lambda recipe: {"measure": recipe.name, "topics_averaged": "judged", "depth": 1000}
    )
    version = 1
    digest = factory.Sequence(lambda n: f"{n:064x}")


def packed(*values: float) -> bytes:
    """Topic values as they are stored: little-endian doubles."""
    return struct.pack(f"<{len(values)}d", *values)


class EvaluationFactory(DjangoModelFactory):
    """nDCG@10 of a run on two topics."""

    class Meta:
        model = models.Evaluation

    run = factory.SubFactory(RunFactory)
    qrels = factory.SubFactory(
        QrelsFactory, collection=factory.SelfAttribute("..run.task.collection")
    )
    recipe = factory.SubFactory(RecipeFactory)
    mean = 0.625
    topics_averaged = 2
    topic_order = factory.SelfAttribute("qrels.topic_order")
    topic_values = packed(0.75, 0.5)


class ComparisonFactory(DjangoModelFactory):
    """RBO of a run with the original."""

    class Meta:
        model = models.Comparison

    run = factory.SubFactory(RunFactory)
    original_run = factory.SubFactory(
        RunFactory, task=factory.SelfAttribute("..run.task"), as_original=True
    )
    qrels = factory.SubFactory(
        QrelsFactory, collection=factory.SelfAttribute("..run.task.collection")
    )
    original_qrels = factory.SelfAttribute("qrels")
    recipe = factory.SubFactory(RecipeFactory, name="rank_biased_overlap")
    value = 0.875


class EffectFactory(DjangoModelFactory):
    """A perfectly reproduced effect."""

    class Meta:
        model = models.Effect

    pair = factory.SubFactory(PairFactory)
    qrels = factory.SubFactory(
        QrelsFactory, collection=factory.SelfAttribute("..pair.task.collection")
    )
    original_qrels = factory.SelfAttribute("qrels")
    recipe = factory.SubFactory(RecipeFactory, name="AP")
    effect_ratio = 1.0
    relative_improvement_original = 0.25
    relative_improvement_submitted = 0.25
    delta_ri = 0.0
    region = 1
    distance = 0.0


class BoardFactory(DjangoModelFactory):
    """The current board of a task's runs, without rows."""

    class Meta:
        model = models.Board

    task = factory.SubFactory(TaskFactory)
    campaign = factory.SelfAttribute("task.campaign")
    slug = "runs"
    subject = models.BoardSubject.RUNS
    qrels = factory.SubFactory(QrelsFactory, collection=factory.SelfAttribute("..task.collection"))
    number = factory.Sequence(lambda n: n + 1)
    state = models.BoardState.CURRENT
    version = 1
    ranked_at = factory.LazyFunction(timezone.now)


class BoardColumnFactory(DjangoModelFactory):
    """The primary column."""

    class Meta:
        model = models.BoardColumn

    board = factory.SubFactory(BoardFactory)
    key = "nDCG@10"
    label = factory.SelfAttribute("key")
    position = factory.Sequence(lambda n: n)
    task = factory.SelfAttribute("board.task")
    qrels = factory.SelfAttribute("board.qrels")
    recipe = factory.SubFactory(RecipeFactory)
    source = "evaluation"
    goal = "high"
    is_primary = True


class BoardRowFactory(DjangoModelFactory):
    """A ranked run with one cell."""

    class Meta:
        model = models.BoardRow

    board = factory.SubFactory(BoardFactory)
    version = factory.SelfAttribute("board.version")
    position = factory.Sequence(lambda n: n)
    rank = 1
    run = factory.SubFactory(RunFactory, task=factory.SelfAttribute("..board.task"))
    team = factory.SelfAttribute("run.team")
    cells = factory.LazyFunction(lambda: {"nDCG@10": {"value": 0.625, "rank": 1}})


class BoardCellFactory(DjangoModelFactory):
    """A sortable number."""

    class Meta:
        model = models.BoardCell

    row = factory.SubFactory(BoardRowFactory)
    column = factory.SubFactory(BoardColumnFactory, board=factory.SelfAttribute("..row.board"))
    version = factory.SelfAttribute("row.version")
    value = 0.625
    rank = 1


class UploadFactory(DjangoModelFactory):
    """A file of qrels that is being checked."""

    class Meta:
        model = models.Upload

    collection = factory.SubFactory(CollectionFactory)
    campaign = factory.SelfAttribute("collection.campaign")
    purpose = FilePurpose.QRELS
    file = factory.SubFactory(
        StoredFileFactory, purpose=FilePurpose.QRELS, name="qrels.txt", content=b"101 0 d1 1\n"
    )


class JobFactory(DjangoModelFactory):
    """A waiting check of a run."""

    class Meta:
        model = models.Job

    kind = models.JobKind.CHECK
    run = factory.SubFactory(RunFactory, state=RunState.CHECKING)
    subject = factory.LazyAttribute(lambda job: f"run:{job.run.pk}")
    queue = models.Queue.CHECKING


class ApiTokenFactory(DjangoModelFactory):
    """A token; ``token_for`` gives the secret too."""

    class Meta:
        model = models.ApiToken

    user = factory.SubFactory(UserFactory)
    name = "script"
    digest = factory.Sequence(lambda n: f"{n:064x}")
    prefix = "cb_abcdefg"
    scopes = factory.LazyFunction(lambda: ["read"])
    expires_at = factory.LazyFunction(lambda: timezone.now() + DAY)


class IdempotentAnswerFactory(DjangoModelFactory):
    """A kept answer."""

    class Meta:
        model = models.IdempotentAnswer

    user = factory.SubFactory(UserFactory)
    key = factory.Sequence(lambda n: f"key-{n}")
    request_digest = "0" * 64
    status = 202
    body = factory.LazyFunction(dict)


class AuditEntryFactory(DjangoModelFactory):
    """Something an organizer did."""

    class Meta:
        model = models.AuditEntry

    campaign = factory.SubFactory(CampaignFactory)
    actor = factory.SubFactory(UserFactory)
    actor_label = factory.LazyAttribute(lambda entry: str(entry.actor))
    action = "publish_qrels"
    target = "qrels v1"


def member_of(team: Any, **user: Any) -> Any:
    """A new account in the team."""
    return MembershipFactory(team=team, user=UserFactory(**user)).user


def organizer_of(campaign: Any, role: str = models.Role.ORGANIZER) -> Any:
    """A new account with a role in the campaign."""
    return CampaignRoleFactory(campaign=campaign, role=role).user


def token_for(user: Any, *scopes: str) -> str:
    """The secret of a new token of the user; read and submit unless said otherwise."""
    return tokens.create_token(user, "test", scopes or ("read", "submit"))[1]


def original_pair(task: Any, **columns: Any) -> Any:
    """An original of the task with its baseline and advanced run."""
    original = OriginalFactory(task=task, **columns)
    for role in RunRole.values:
        RunFactory(task=task, as_original=True, original=original, role=role)
    return original
