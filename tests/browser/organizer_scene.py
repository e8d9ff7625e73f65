"""A campaign in the middle of its work, as its organizers see it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone

from campaigns.models import (
    AuditEntry,
    Job,
    JobKind,
    JobState,
    Membership,
    QrelsState,
    Queue,
    Role,
    RunState,
    TaskKind,
    UploadState,
)  # fmt: skip
from tests.browser.scene import MESSAGES
from tests.campaigns import factories as make
from tests.campaigns.pages.conftest import fill_board


@dataclass
class Desk:
    """Who organizes, and the addresses of the pages."""

    organizer: Any
    campaign: Any
    pages: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, view: str, *args: Any, query: str = "") -> None:
        self.pages[name] = reverse(f"organize:{view}", args=[self.campaign.slug, *args]) + query


def _audit(campaign: Any, user: Any) -> None:
    for action, target, reason, detail in (
        ("create campaign", campaign.slug, "", {}),
        ("upload qrels", "persian qrels v1", "", {"sha256": "77ab03c9"}),
        (
            "move deadline",
            "persian-adhoc",
            "The server was down on Friday",
            {"changed": {"closes": ["2026-12-01T11:59:59+00:00", "2026-12-03T11:59:59+00:00"]}},
        ),
        ("disqualify run", "teamB-xenc-rr-1", "Made with the judgments", {}),
        ("add member", "team-a", "", {"member": "ada@example.org"}),
    ):
        AuditEntry.objects.create(
            campaign=campaign, actor=user, actor_label=str(user), action=action, target=target,
            reason=reason, detail=detail,
        )  # fmt: skip


def build() -> Desk:
    """Fill the database."""
    campaign = make.CampaignFactory(
        slug="neuclir-2022", title="NeuCLIR 2022", is_example=True, contact="us@example.org",
        summary="Find news in Persian, Russian and Chinese for topics written in English.",
    )  # fmt: skip
    user = make.UserFactory(name="Olive Organizer", email="olive@example.org")
    make.CampaignRoleFactory(campaign=campaign, user=user, role=Role.OWNER)
    make.CampaignRoleFactory(campaign=campaign, user=make.UserFactory(name="Ann Assessor"),
                             role=Role.ASSESSOR)  # fmt: skip
    desk = Desk(user, campaign)
    persian = make.CollectionFactory(
        campaign=campaign, slug="persian", title="NeuCLIR Persian", languages=["fas"],
        documents=2_232_016,
    )  # fmt: skip
    form = make.TopicFormFactory(collection=persian)
    for n in range(12):
        topic = make.TopicFactory(collection=persian, identifier=str(101 + n), position=n)
        make.TopicTextFactory(form=form, topic=topic, text=f"Wording of topic {101 + n}")
    first = make.QrelsFactory(
        collection=persian, number=1, judgments=34174, relevant=2310, grades=[0, 1, 2, 3],
        topics_without_relevant=["103", "109"], changelog="Pools of depth 50.",
    )  # fmt: skip
    task = make.TaskFactory(
        campaign=campaign, collection=persian, slug="persian-adhoc", title="Persian, ad hoc",
        measures=["nDCG@20", "AP", "P@10"], primary="nDCG@20", timezone="AoE",
        opens=datetime(2026, 11, 1, 12, tzinfo=UTC), closes=timezone.now() + timedelta(days=2),
        scores_from=datetime(2027, 12, 8, 12, tzinfo=UTC), topic_scores_from=None,
        rules={"missing_topic": "warning"},
        fields=[{"name": "query_language", "type": "choice", "choices": ["eng", "fas"],
                 "required": True, "label": "Language of the queries"}],
    )  # fmt: skip
    values = [(0.6 - n / 50, 0.3, 0.4) for n in range(9)]
    world = fill_board(task, values, list(range(1, 10)), qrels=first)
    runs = [row.run for row in world.rows]
    twin, other, failed, checking, refused = runs[1], runs[2], runs[3], runs[4], runs[5]
    other.text_sha256 = twin.text_sha256
    other.save()
    failed.state = RunState.ACCEPTED
    failed.save()
    make.JobFactory(run=failed, kind=JobKind.SCORE, state=JobState.FAILED, queue=Queue.SCORING,
                    reason="The worker stopped 3 times while working on this.")  # fmt: skip
    checking.state = RunState.CHECKING
    checking.save()
    job = make.JobFactory(run=checking)
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(minutes=41))
    refused.state, refused.messages = RunState.REJECTED, MESSAGES
    refused.save()
    runs[6].withdrawn_at = timezone.now()
    runs[6].save()
    runs[0].organizer_messages = [
        {"level": "warning", "line": None, "kind": "nothing_judged", "topic": None,
         "text": "No document of this run is judged.", "remedy": "Compare the document ids.",
         "quoted": None}
    ]  # fmt: skip
    runs[0].is_pooled = True
    runs[0].save()
    make.RunEventFactory(run=runs[0], actor_label="Ada Example")
    draft = make.QrelsFactory(
        collection=persian, number=2, judgments=34391, relevant=2398, state=QrelsState.DRAFT,
        published_at=None, grades=[0, 1, 2, 3], topics_without_relevant=["103"],
        messages=MESSAGES[:1], changelog="217 more judgments for late runs.",
    )  # fmt: skip
    assert draft.number == 2
    bad = make.UploadFactory(
        collection=persian, state=UploadState.REFUSED, checked_at=timezone.now(),
        messages=MESSAGES, uploaded_by=user,
    )  # fmt: skip
    moving = make.UploadFactory(collection=persian, purpose="document_ids", uploaded_by=user)
    make.JobFactory(run=None, upload=moving, kind=JobKind.CHECK_UPLOAD, subject="upload:x")
    rerank = make.TaskFactory(
        campaign=campaign, collection=persian, slug="persian-reranking", kind="reranking",
        title="Persian, reranking", is_paused=True,
    )  # fmt: skip
    pool = make.TaskFactory(
        campaign=campaign, collection=persian, slug="pool", title="Pools", kind="pool",
        measures=["nDCG(ideal='pool')@10"], primary="nDCG(ideal='pool')@10",
    )  # fmt: skip
    make.QrelsFactory(collection=persian, task=pool, number=1, judgments=120, grades=[])
    same = make.TaskFactory(
        campaign=campaign, slug="same", title="Robust pair, same collection", same_collection=True,
        collection=make.CollectionFactory(campaign=campaign, slug="core17", title="Core 2017"),
        measures=["AP", "nDCG@10"], primary="AP", scores_from=None,
    )  # fmt: skip
    original = make.original_pair(same, title="WCrobust04 to WCrobust0405", slug="wcrobust",
                                  paper="An example of a paper, 2018.")  # fmt: skip
    make.OriginalFactory(task=same, title="Without its runs", slug="later")
    assert original.slug == "wcrobust"
    team = world.rows[0].team
    team.slug, team.name, team.affiliation = "team-a", "Team A", "Example University"
    team.save()
    make.MembershipFactory(team=team, user=make.UserFactory(name="Ada Example"))
    Membership.objects.filter(team=team).update(is_contact=True)
    _audit(campaign, user)
    desk.pages = {
        "org-campaigns": reverse("organize:campaigns"),
        "org-new-campaign": reverse("organize:new-campaign"),
    }
    desk.add("org-desk", "desk")
    desk.add("org-settings", "settings")
    desk.add("org-people", "people")
    desk.add("org-delete-campaign", "delete-campaign")
    desk.add("org-delete-task", "delete-task", "persian-adhoc")
    desk.add("org-collections", "collections")
    desk.add("org-new-collection", "new-collection")
    desk.add("org-collection", "collection", "persian")
    desk.add("org-topics", "topics", "persian")
    desk.add("org-qrels-draft", "qrels", "persian", 2)
    desk.add("org-qrels", "qrels", "persian", 1)
    desk.add("org-upload-bad", "upload", bad.pk)
    desk.add("org-upload-moving", "upload", moving.pk)
    desk.add("org-tasks", "tasks")
    for kind in (TaskKind.SAME_COLLECTION, TaskKind.POOL):  # between them all fields
        desk.add(f"org-new-{kind}", "new-task", query=f"?kind={kind}")
    desk.add("org-pool", "pool", "pool", 1)
    desk.add("org-pool-files", "task-files", "pool")
    desk.add("org-task", "task", "persian-adhoc")
    desk.add("org-plan", "plan", "persian-adhoc")
    desk.add("org-task-files", "task-files", rerank.slug)
    desk.add("org-originals", "originals", "same")
    desk.add("org-teams", "teams")
    desk.add("org-team", "team", "team-a")
    desk.add("org-runs", "runs")
    desk.add("org-runs-failed", "runs", query="?state=failed")
    desk.add("org-run", "run", runs[0].pk)
    desk.add("org-run-failed", "run", failed.pk)
    desk.add("org-audit", "audit")
    return desk
