"""Who gets in at the organizers' addresses, and what their pages may hold."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.models import AuditEntry, Role
from campaigns.views.organize import urls
from tests.campaigns import factories as make

pytestmark = pytest.mark.django_db

ROLES = ("visitor", "stranger", "team", "assessor", "organizer")
READ = (302, 404, 404, 200, 200)
CHANGE = (302, 404, 404, 403, 200)
POST_ONLY = (405, 405, 405, 405, 405)

# What each role gets from a GET of each address.
TABLE = {
    "campaigns": (302, 200, 200, 200, 200),
    "new-campaign": (302, 200, 200, 200, 200),
    "bring-campaign-back": POST_ONLY,
    "delete-campaign": (302, 404, 404, 403, 403),
    "delete-task": CHANGE,
    "bring-task-back": POST_ONLY,
    "see-as-oneself": POST_ONLY,
    "desk": READ,
    "workers": READ,
    "settings": CHANGE,
    "people": READ,
    "remove-person": POST_ONLY,
    "see-as": POST_ONLY,
    "audit": READ,
    "collections": READ,
    "new-collection": CHANGE,
    "collection": READ,
    "topics": READ,
    "qrels": READ,
    "upload-to-collection": POST_ONLY,
    "upload": READ,
    "upload-live": READ,
    "upload-again": POST_ONLY,
    "tasks": READ,
    "new-task": CHANGE,
    "task-preview": CHANGE,
    "task": CHANGE,
    "plan": CHANGE,
    "plan-preview": CHANGE,
    "task-files": READ,
    "pool": READ,
    "upload-to-task": POST_ONLY,
    "originals": READ,
    "original-run": POST_ONLY,
    "teams": READ,
    "own-team": POST_ONLY,
    "team": READ,
    "remove-from-team": POST_ONLY,
    "runs": READ,
    "retry-failed": POST_ONLY,
    "run": READ,
    "act-on-run": POST_ONLY,
}
# What each role gets from a POST where only organizers may do something.
POSTS = (302, 404, 404, 403)


@pytest.fixture
def site(client, logged_in, monkeypatch):
    monkeypatch.setattr("campaigns.views.organize.campaigns.answering_workers", lambda: ["one"])
    task = make.TaskFactory(same_collection=True)
    campaign = task.campaign
    pool_task = make.TaskFactory(
        campaign=campaign, collection=task.collection, kind="pool",
        measures=["nDCG(ideal='pool')@10"], primary="nDCG(ideal='pool')@10",
    )  # fmt: skip
    original = make.original_pair(task)
    pair = make.PairFactory(original=original)
    qrels = make.QrelsFactory(collection=task.collection, number=1)
    pool = make.QrelsFactory(collection=task.collection, task=pool_task, number=1)
    upload = make.UploadFactory(collection=task.collection)
    member = make.member_of(pair.team)
    assert (qrels.number, pool.number) == (1, 1)
    c = campaign.slug
    arguments = {
        "campaigns": [], "new-campaign": [], "see-as-oneself": [],
        "remove-person": [c, uuid4()],
        "collection": [c, task.collection.slug], "topics": [c, task.collection.slug],
        "qrels": [c, task.collection.slug, 1],
        "upload-to-collection": [c, task.collection.slug, "qrels"],
        "upload": [c, upload.pk], "upload-live": [c, upload.pk], "upload-again": [c, upload.pk],
        "delete-task": [c, task.slug], "bring-task-back": [c, task.slug],
        "task": [c, task.slug], "plan": [c, task.slug], "plan-preview": [c, task.slug],
        "task-files": [c, pool_task.slug], "pool": [c, pool_task.slug, 1],
        "upload-to-task": [c, pool_task.slug, "pool"],
        "originals": [c, task.slug], "original-run": [c, task.slug, original.slug, "baseline"],
        "team": [c, pair.team.slug], "remove-from-team": [c, pair.team.slug, member.public_id],
        "run": [c, pair.baseline.pk], "act-on-run": [c, pair.baseline.pk, "pooled"],
    }  # fmt: skip
    people = {
        "visitor": client,
        "stranger": logged_in(make.UserFactory()),
        "team": logged_in(member),
        "assessor": logged_in(make.organizer_of(campaign, Role.ASSESSOR)),
        "organizer": logged_in(make.organizer_of(campaign)),
    }

    def ask(role, name, method="get"):
        address = reverse(f"organize:{name}", args=arguments.get(name, [c]))
        return getattr(people[role], method)(address)

    ask.campaign = campaign
    return ask


def test_every_address_stands_in_the_table():
    assert {pattern.name for pattern in urls.urlpatterns} == set(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_roles_get_what_the_table_says(site, name):
    assert tuple(site(role, name).status_code for role in ROLES) == TABLE[name]


@pytest.mark.parametrize(
    "name", sorted(set(TABLE) - {"campaigns", "new-campaign", "see-as-oneself", "see-as"})
)
def test_nobody_else_changes_anything(site, name):
    is_reading = name in {
        "desk", "workers", "audit", "collections", "topics", "upload", "upload-live", "tasks",
        "task-preview", "plan-preview", "task-files", "runs", "run",
    }  # fmt: skip
    before = AuditEntry.objects.count()
    got = tuple(site(role, name, "post").status_code for role in ROLES[:-1])
    assert got == ((405,) * 4 if is_reading else POSTS)
    assert AuditEntry.objects.count() == before


PAGES = [name for name, got in TABLE.items() if got[-1] == 200]


@pytest.mark.parametrize("name", PAGES)
def test_pages_hold_nothing_inline_and_are_light(site, name):
    response = site("organizer", name)
    html = response.content.decode()
    assert "unsafe" not in response["Content-Security-Policy"]
    for inline in (" style=", "<style", " onclick=", "<script>"):
        assert inline not in html
    assert len(response.content) < 120_000


@pytest.mark.parametrize("name", [name for name in PAGES if TABLE[name] == READ])
def test_assessor_sees_no_control_that_would_be_refused(site, name):
    html = site("assessor", name).content.decode()
    assert html.count('method="post"') == html.count('/see-as/"')


def test_deleted_campaign_is_nobodys(site):
    site.campaign.deleted_at = make.timezone.now()
    site.campaign.save()
    assert site("organizer", "desk").status_code == 404


def test_site_administrator_organizes_everywhere(site, logged_in):
    boss = make.UserFactory(is_superuser=True)
    assert (
        logged_in(boss).get(reverse("organize:desk", args=[site.campaign.slug])).status_code == 200
    )
