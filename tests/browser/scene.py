"""A small site with one of everything that pages show, for browser tests and pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.urls import reverse
from django.utils import timezone

from campaigns import recipes
from campaigns.models import (
    Comparison,
    Effect,
    Evaluation,
    JobKind,
    JobState,
    Membership,
    Queue,
    RunState,
    TaskKind,
    Team,
)
from campaigns.policies import Viewer
from campaigns.services.teams import invite
from campaigns.services.tokens import create_token
from campaigns.views.help import urls as help_urls
from tests.campaigns import factories as make
from tests.campaigns.pages.conftest import fill_board, fill_pairs, recipe_row

DESCRIPTION = """\
Find **news** in three languages for topics written in English.

## Data

| collection | documents |
|---|---|
| Persian | 2.2 M |
| Russian | 4.6 M |

- One board for each language.
- Runs may hold up to 1,000 documents a topic.
"""

MESSAGES = [
    {
        "level": "warning", "line": 2001, "kind": "rank_disagrees_with_score", "topic": "310",
        "text": "The rank column and the scores disagree in 3 topics.",
        "remedy": "Nothing needs to be done if the scores are right: the order comes from them.",
        "quoted": "310 Q0 FBIS4-67701 1 8.1127 teamA-wcr04-2",
    },
    *(
        {
            "level": "error", "line": line, "kind": "duplicate_document", "topic": "307",
            "text": f"Document LA052990-00{line % 90} stands twice in topic 307.",
            "remedy": "Keep one of the two lines.",
            "quoted": f"307 Q0 LA052990-00{line % 90} 204 12.1032 teamA-wcr04-2",
        }
        for line in range(1204, 1264)
    ),
    {
        "level": "error", "line": 18772, "kind": "score_not_finite", "topic": "355",
        "text": "The score is not a finite number.",
        "remedy": "Give a finite score; find out why the system computed NaN or infinity.",
        "quoted": "355 Q0 FT934-5418 772 nan teamA-wcr04-2",
    },
    {
        "level": "error", "line": None, "kind": "missing_topic", "topic": "690",
        "text": "Topic 690 has no line.", "remedy": "Add the topic.", "quoted": None,
    },
]  # fmt: skip


@dataclass
class Scene:
    """Addresses by name, and who looks."""

    member: Any
    organizer: Any
    pages: dict[str, str] = field(default_factory=dict)
    checking: Any = None


def _scores(run: Any, board: Any, values: dict[str, float | None]) -> None:
    for measure, value in values.items():
        Evaluation.objects.create(
            run=run,
            qrels=board.qrels,
            recipe=recipe_row(recipes.evaluation_recipe(run.task, measure)),
            mean=value,
            reason="" if value is not None else "no topic is judged",
            interval_low=None if value is None else value - 0.07,
            interval_high=None if value is None else value + 0.06,
            topics_averaged=50,
            topic_order=board.qrels.topic_order,
            topic_values=make.packed(0.5, 0.6),
        )


def _comparisons(run: Any, original: Any, board: Any) -> None:
    task = run.task
    common = {
        "run": run, "original_run": original, "qrels": board.qrels, "original_qrels": board.qrels,
    }  # fmt: skip
    for measure in task.measures:
        Comparison.objects.create(
            **common,
            recipe=recipe_row(recipes.deviation_recipe(task, measure)),
            value=0.0755,
            detail={
                "arp_original": 0.3711, "arp_submitted": 0.3646, "delta_arp": 0.0064,
                "rmse": 0.0755, "nrmse": 0.1093, "t": -1.62, "p_value": 0.00002,
                "difference": -0.0064, "reasons": {},
            },
        )  # fmt: skip
    ranked = zip(
        recipes.RANKING_MEASURES, (0.0117, 0.02, 0.41, None, 0.5448, 0.71, 1.0), strict=True
    )
    for name, value in ranked:
        Comparison.objects.create(
            **common,
            recipe=recipe_row(recipes.ranking_recipe(task, name)),
            value=value,
            reason="" if value is not None else "one topic shares no document",
        )


def _effects(pair: Any, board: Any) -> None:
    for measure, ratio in (("AP", 1.0334), ("nDCG@10", None)):
        is_defined = ratio is not None
        Effect.objects.create(
            pair=pair,
            qrels=board.qrels,
            original_qrels=board.qrels,
            recipe=recipe_row(recipes.effect_recipe(pair.task, measure)),
            effect_ratio=ratio,
            relative_improvement_original=0.1529,
            relative_improvement_submitted=0.1609,
            delta_ri=-0.0081 if is_defined else None,
            region=4 if is_defined else None,
            distance=0.0343 if is_defined else None,
            original_effect=0.0567,
            submitted_effect=0.0586,
            original_effect_p=0.00001,
            p_baseline=0.5519,
            p_advanced=0.61,
            reasons={} if is_defined else {"effect_ratio": "the original effect is 0"},
            warnings=[]
            if is_defined
            else [
                {
                    "kind": "original_effect_unclear",
                    "text": "The effect cannot be told from 0.",
                }
            ],
        )


def _adhoc(campaign: Any, team: Any) -> Any:
    task = make.TaskFactory(
        campaign=campaign, slug="persian-adhoc", title="Persian, ad hoc CLIR",
        summary="English topics, Persian documents.",
        measures=["nDCG@10", "AP", "P@10", "R@1000", "Judged@10"],
        description=DESCRIPTION, closes=timezone.now() + timedelta(days=14), timezone="Europe/Rome",
        runs_per_team=10, runs_per_day=5,
        fields=[
            {"name": "query_language", "type": "choice", "choices": ["eng", "fas"],
             "required": True, "label": "Language of the queries", "public": True},
            {"name": "code", "type": "url", "label": "Repository"},
            {"name": "uses_llm", "type": "flag", "label": "Uses a large language model"},
        ],
    )  # fmt: skip
    means = [0.5762, 0.5746, 0.5654, 0.5638, 0.5397, 0.4953, 0.4780, 0.4718, 0.4692, 0.4585,
             0.4378, 0.4291, 0.3869, 0.3869, 0.3194, 0.0, None]  # fmt: skip
    values = [
        (m, None if m is None else m * 0.72, None if m is None else m * 0.9,
         None if m is None else min(1, m * 1.5), 0.95)
        for m in means
    ]  # fmt: skip
    ranks = [*range(1, 13), 13, 13, 15, 16, None]
    world = fill_board(task, values, ranks)
    world.rows[0].run.run_type = "manual"
    world.rows[0].run.save()
    world.rows[11].team.is_organizers = True
    world.rows[11].team.save()
    for index, row in enumerate(world.rows):
        row.run.tag = f"team{chr(65 + index % 8)}-xenc-rr-{index}"
        row.run.save()
    world.rows[2].run.tag = "a" * 60
    world.rows[2].run.save()
    for row, values in zip(world.rows[:2], ((0.25, 0.75), (0.5, 0.5)), strict=True):
        Evaluation.objects.create(
            run=row.run, qrels=world.board.qrels, mean=0.5, topics_averaged=2,
            recipe=recipe_row(recipes.evaluation_recipe(task, "nDCG@10")),
            topic_order=world.board.qrels.topic_order, topic_values=make.packed(*values),
        )  # fmt: skip
    return world


def _own_runs(scene: Scene, world: Any, team: Any) -> None:
    task = world.task
    scored = make.RunFactory(
        task=task, team=team, state=RunState.SCORED, tag="teamA-bm25",
        system=make.SystemFactory(team=team, name="BM25 with RM3"),
        description="Anserini, default settings.\nSecond line.", submitted_by=scene.member,
        metadata={"query_language": "eng", "code": "https://example.org/code"},
    )  # fmt: skip
    _scores(
        scored, world.board, dict(zip(task.measures, (0.4718, 0.33, 0.42, None, 0.95), strict=True))
    )
    rejected = make.RunFactory(
        task=task, team=team, state=RunState.REJECTED, outcome="rejected", tag="teamA-wcr04-2",
        messages=MESSAGES, topics=49, documents=48987,
    )  # fmt: skip
    checking = make.RunFactory(task=task, team=team, state=RunState.CHECKING, tag="", outcome="")
    make.JobFactory(run=checking)
    failed = make.RunFactory(task=task, team=team, state=RunState.ACCEPTED, tag="teamA-dense")
    make.JobFactory(
        run=failed, kind=JobKind.SCORE, state=JobState.FAILED, queue=Queue.SCORING,
        reason="The worker stopped 3 times while working on this.",
    )  # fmt: skip
    scene.checking = checking
    scene.pages |= {
        "run-scored": reverse("pages:run", args=[scored.pk]),
        "run-rejected": reverse("pages:run", args=[rejected.pk]),
        "run-checking": reverse("pages:run", args=[checking.pk]),
        "run-failed": reverse("pages:run", args=[failed.pk]),
    }


def _reproduction(scene: Scene, campaign: Any, team: Any) -> None:
    task = make.TaskFactory(
        campaign=campaign, slug="same", title="Robust pair, same collection", same_collection=True,
        measures=["AP", "nDCG@10"], primary="AP", runs_per_team=10,
        summary="Reproduce WCrobust04 and WCrobust0405.",
    )  # fmt: skip
    original = make.original_pair(task, title="WCrobust04 to WCrobust0405", slug="wcrobust")
    world = fill_pairs(task, original)
    runs_board = make.BoardFactory(
        task=task, original=original, slug="runs-wcrobust", qrels=world.board.qrels, number=1
    )
    make.BoardColumnFactory(board=runs_board, key="AP")
    for index, name in enumerate(recipes.RANKING_MEASURES[1:] * 2):
        make.BoardColumnFactory(
            board=world.board, key=f"advanced:{name}({index})", position=10 + index, goal="none",
            is_primary=False,
        )  # fmt: skip
    pair = world.rows[0].pair
    pair.team = team
    pair.baseline.team = pair.advanced.team = team
    for row in (pair, pair.baseline, pair.advanced):
        row.save()
    _effects(pair, world.board)
    baseline = pair.baseline
    baseline.state = RunState.SCORED
    baseline.save()
    _scores(baseline, world.board, {"AP": 0.3646, "nDCG@10": 0.6172})
    _comparisons(baseline, original.runs.get(role="baseline", origin="original"), world.board)
    scene.pages |= {
        "task-pairs": reverse("pages:task", args=[campaign.slug, task.slug]),
        "task-pairs-all": reverse("pages:task", args=[campaign.slug, task.slug]) + "?columns=all",
        "pair": reverse("pages:pair", args=[pair.pk]),
        "agreement": reverse("pages:agreement", args=[campaign.slug, task.slug]),
        "run-compared": reverse("pages:run", args=[baseline.pk]),
        "submit-pair": reverse("pages:submit", args=[campaign.slug, task.slug]),
        "submit-one-of-pair": reverse("pages:submit", args=[campaign.slug, task.slug])
        + "?upload=run",
    }


def build() -> Scene:
    """Fill the database."""
    campaign = make.CampaignFactory(
        slug="example-2026", title="Example track 2026", is_example=True,
        summary="Find news in Persian, Russian and Chinese for topics written in English.",
        description=DESCRIPTION, contact="organizers@example.org", website="https://example.org/track",
        citation="@misc{example2026,\n  title = {Overview of the example track}\n}",
    )  # fmt: skip
    team = make.TeamFactory(
        campaign=campaign, slug="team-a", name="Team A", affiliation="Example University"
    )
    scene = Scene(
        make.member_of(team, name="Ada Example", email="ada@example.org", password=make.PASSWORD),
        make.organizer_of(campaign),
    )
    world = _adhoc(campaign, team)
    _own_runs(scene, world, team)
    withheld = make.TaskFactory(
        campaign=campaign, slug="russian-adhoc", title="Russian, ad hoc CLIR",
        scores_from=datetime(2027, 12, 8, 12, tzinfo=UTC), kind=TaskKind.RANKING,
    )  # fmt: skip
    fill_board(withheld)
    _reproduction(scene, campaign, team)
    later = make.CampaignFactory(
        slug="later", title="Utility ranking 2027", summary="Rank demonstrations."
    )
    make.TaskFactory(campaign=later, opens=timezone.now() + timedelta(days=63))
    past = make.CampaignFactory(slug="past", title="Example track 2025")
    closed = make.TaskFactory(campaign=past, closes=datetime(2025, 6, 2, 11, 59, tzinfo=UTC))
    here = [campaign.slug, "persian-adhoc"]
    scene.pages |= {
        "home": reverse("pages:home"),
        "campaign": reverse("pages:campaign", args=[campaign.slug]),
        "task": reverse("pages:task", args=here),
        "task-sorted": reverse("pages:task", args=here) + "?sort=AP",
        "task-withheld": reverse("pages:task", args=[campaign.slug, "russian-adhoc"]),
        "task-empty": reverse("pages:task", args=[past.slug, closed.slug]),
        "submit": reverse("pages:submit", args=here),
        "my-runs": reverse("pages:my-runs"),
        "compare": reverse("pages:compare", args=here)
        + f"?a={world.rows[0].run.pk}&b={world.rows[1].run.pk}",
        "account-email": reverse("account_email"),
        "account-password": reverse("account_change_password"),
        "account-mfa": reverse("mfa_index"),
        "log-out": reverse("account_logout"),
        "not-found": "/nowhere/",
    }
    return scene


VISITOR_PAGES = ("home", "campaign", "task", "task-withheld", "task-pairs", "pair", "not-found")


def participant_pages(scene: Scene) -> dict[str, str]:
    """Teams, tokens, the profile, search and help, as a contact of a team sees them."""
    team = Team.objects.get(slug="team-a")
    Membership.objects.filter(team=team).update(is_contact=True)
    mate = make.MembershipFactory(team=team, user__name="Robin <b>Example</b>").user
    token, _ = create_token(scene.member, "lab server", ["read", "submit"], 3)
    secret = invite(Viewer.of(scene.member), team)
    at = [team.campaign.slug, team.slug]
    return {
        "teams": reverse("participants:teams"),
        "team": reverse("participants:team", args=at),
        "team-new": reverse("participants:new-team", args=at[:1]),
        "team-leave": reverse("participants:leave", args=at),
        "team-remove": reverse("participants:remove-member", args=[*at, mate.public_id]),
        "team-join": reverse("participants:join-link", args=[secret]),
        "tokens": reverse("participants:tokens"),
        "token-revoke": reverse("participants:revoke-token", args=[token.pk]),
        "profile": reverse("participants:profile"),
        "my-runs-filtered": reverse("pages:my-runs") + "?state=rejected",
        "search": reverse("search") + "?q=team",
        "search-nothing": reverse("search") + "?q=nothing+of+that",
        "reauthenticate": reverse("account_reauthenticate"),
        **{f"help-{one.name}": reverse(f"help:{one.name}") for one in help_urls.urlpatterns},
    }


def account_pages(user: Any) -> dict[str, str]:
    """What somebody sees who is not logged in yet, or comes by a link from a mail."""
    address, _ = EmailAddress.objects.get_or_create(
        user=user, email=user.email, defaults={"primary": True}
    )
    uid, key = user_pk_to_url_str(user), default_token_generator.make_token(user)
    return {
        "log-in": reverse("account_login"),
        "sign-up": reverse("account_signup"),
        "inactive": reverse("account_inactive"),
        "verification-sent": reverse("account_email_verification_sent"),
        "confirm-email": reverse(
            "account_confirm_email", args=[EmailConfirmationHMAC.create(address).key]
        ),
        "confirm-email-old": reverse("account_confirm_email", args=["nonsense"]),
        "password-reset": reverse("account_reset_password"),
        "password-reset-done": reverse("account_reset_password_done"),
        "password-reset-key": reverse(
            "account_reset_password_from_key", kwargs={"uidb36": uid, "key": key}
        ),
        "password-reset-old": reverse(
            "account_reset_password_from_key", kwargs={"uidb36": uid, "key": "old-key"}
        ),
        "password-reset-key-done": reverse("account_reset_password_from_key_done"),
        "second-factor": reverse("mfa_authenticate"),
        **{name: reverse(name) for name in SECOND_FACTOR_PAGES},
    }


SECOND_FACTOR_PAGES = (
    "mfa_activate_totp", "mfa_reauthenticate", "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes", "mfa_deactivate_totp",
)  # fmt: skip
