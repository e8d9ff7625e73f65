"""Tasks and campaigns that are deleted, and brought back as they were."""

from __future__ import annotations

import pytest
from django.urls import reverse

from campaigns.models import AuditEntry, QrelsState, Role
from campaigns.policies import Viewer
from campaigns.services.organizing import removal
from campaigns.services.organizing.failures import failed_jobs_of
from campaigns.services.qrels import publish_qrels
from campaigns.services.refusals import RefusalError
from tests.campaigns import factories as make

pytestmark = pytest.mark.django_db


@pytest.fixture
def task(bench):
    return make.TaskFactory(campaign=bench.campaign, slug="rank", title="Rank <b>")


def test_task_goes_with_its_runs_and_comes_back(bench, task, client, logged_in):
    team = make.TeamFactory(campaign=bench.campaign)
    run = make.RunFactory(task=task, team=team, tag="its-run")
    member = logged_in(make.member_of(team))
    page = reverse("pages:task", args=[bench.campaign.slug, "rank"])
    assert client.get(page).status_code == 200
    asked = bench.get("delete-task", "rank").content.decode()
    assert "Delete Rank &lt;b&gt;?" in asked
    assert "1 run of its teams" in asked

    answer = bench.post("delete-task", "rank", confirmation="rnak")
    assert answer.status_code == 422
    assert answer.context["form"].errors["confirmation"] == [
        "Type rank to confirm that this is what you want to delete."
    ]
    assert bench.post("delete-task", "rank", confirmation="").status_code == 422
    assert client.get(page).status_code == 200

    assert bench.post("delete-task", "rank", confirmation="rank").status_code == 302
    assert client.get(page).status_code == 404
    assert bench.get("task", "rank").status_code == 404
    assert member.get(reverse("pages:run", args=[run.pk])).status_code == 404
    assert "its-run" not in member.get("/runs/").content.decode()
    html = bench.get("tasks").content.decode()
    assert bench.url("bring-task-back", "rank") in html
    assert f'href="{bench.url("task", "rank")}"' not in html

    for _ in range(2):  # the second time changes and notes nothing
        bench.post("bring-task-back", "rank")
    assert client.get(page).status_code == 200
    assert "its-run" in member.get("/runs/").content.decode()
    actions = AuditEntry.objects.order_by("pk").values_list("action", "target")
    assert list(actions) == [("delete task", "rank"), ("bring back task", "rank")]


def test_campaign_goes_and_comes_back(bench, task, client):
    slug = bench.campaign.slug
    page = reverse("pages:campaign", args=[slug])
    assert bench.url("delete-campaign") in bench.get("settings").content.decode()
    assert bench.post("delete-campaign", confirmation="other").status_code == 422
    assert bench.post("delete-campaign", confirmation=slug).url == reverse("organize:campaigns")
    for address in (page, reverse("pages:task", args=[slug, "rank"])):
        assert client.get(address).status_code == 404
    assert bench.get("desk").status_code == 404
    back = reverse("organize:bring-campaign-back", args=[slug])
    assert back in bench.client.get(reverse("organize:campaigns")).content.decode()
    assert bench.client.post(back).url == bench.url("desk")
    assert client.get(page).status_code == 200
    assert client.get(reverse("pages:task", args=[slug, "rank"])).status_code == 200


@pytest.mark.parametrize("role", [Role.ORGANIZER, Role.ASSESSOR, None])
def test_only_owners_delete_a_campaign_and_bring_it_back(bench, logged_in, role):
    campaign = bench.campaign
    user = make.organizer_of(campaign, role) if role else make.UserFactory()
    other = logged_in(user)
    status = 403 if role else 404
    assert other.get(bench.url("delete-campaign")).status_code == status
    form = {"confirmation": campaign.slug}
    assert other.post(bench.url("delete-campaign"), form).status_code == status
    if role == Role.ORGANIZER:
        assert bench.url("delete-campaign") not in other.get(bench.url("settings")).content.decode()
    bench.post("delete-campaign", **form)
    listed = other.get(reverse("organize:campaigns")).content.decode()
    assert "Deleted campaigns" not in listed
    back = reverse("organize:bring-campaign-back", args=[campaign.slug])
    assert other.post(back).status_code == status
    campaign.refresh_from_db()
    assert campaign.deleted_at is not None
    with pytest.raises(RefusalError, match="Only owners"):
        removal.restore_campaign(Viewer.of(user), campaign)


@pytest.mark.parametrize("role", [Role.ASSESSOR, None])
def test_only_organizers_delete_a_task(bench, task, role):
    user = make.organizer_of(bench.campaign, role) if role else make.UserFactory()
    for act in (lambda: removal.delete_task(Viewer.of(user), task, "rank"),
                lambda: removal.restore_task(Viewer.of(user), task)):  # fmt: skip
        with pytest.raises(RefusalError, match="Only organizers"):
            act()


def test_deleting_a_task_names_no_team_that_it_withheld(bench, task, client, logged_in):
    task.team_names_from = None
    task.save()
    team = make.TeamFactory(campaign=bench.campaign, name="Nameless Wonder")
    make.RunFactory(task=task, team=team)
    campaign = reverse("pages:campaign", args=[bench.campaign.slug])
    places = (campaign, reverse("search") + "?q=Nameless")

    def named():
        return [">Nameless Wonder<" in client.get(place).content.decode() for place in places]

    assert named() == [False, False]
    removal.delete_task(bench.viewer, task, "rank")
    assert named() == [False, False]
    stranger = logged_in(make.UserFactory())
    start = reverse("participants:new-team", args=[bench.campaign.slug])
    assert "has this name" not in stranger.post(start, {"name": team.name}).content.decode()


def test_a_deleted_task_without_runs_withholds_no_name(bench, task, client):
    task.team_names_from = None
    task.save()
    make.TeamFactory(campaign=bench.campaign, name="Early Bird")
    removal.delete_task(bench.viewer, task, "rank")
    html = client.get(reverse("pages:campaign", args=[bench.campaign.slug])).content.decode()
    assert "Early Bird" in html


def test_runs_of_a_deleted_task_are_on_no_desk_and_in_no_team(bench, task, logged_in):
    other = make.TaskFactory(campaign=bench.campaign, slug="kept")
    team = make.TeamFactory(campaign=bench.campaign)
    gone = make.RunFactory(task=task, team=team, tag="gone-run", text_sha256="a" * 64)
    kept = make.RunFactory(task=other, team=team, tag="kept-run", text_sha256="a" * 64)
    failed = make.JobFactory(run=gone, state="failed", reason="it broke")
    member = logged_in(make.member_of(team))
    removal.delete_task(bench.viewer, task, "rank")

    page = member.get(reverse("participants:team", args=[bench.campaign.slug, team.slug]))
    assert page.context["run_count"] == 1
    assert [run.tag for run in page.context["runs"]] == ["kept-run"]
    assert [one.run_count for one in member.get("/teams/").context["teams"]] == [1]
    assert [one.run_count for one in bench.get("teams").context["teams"]] == [1]
    assert bench.get("run", gone.pk).status_code == 404
    assert bench.post("act-on-run", gone.pk, "withdraw").status_code == 404
    assert list(bench.get("run", kept.pk).context["twins"]) == []
    assert list(failed_jobs_of(bench.campaign)) == []
    removal.restore_task(bench.viewer, task)
    assert list(failed_jobs_of(bench.campaign)) == [failed]


def test_a_task_comes_back_under_the_qrels_published_meanwhile(bench, task):
    first = make.QrelsFactory(collection=task.collection)
    make.BoardFactory(task=task, campaign=bench.campaign, qrels=first)
    run = make.RunFactory(task=task, state="scored")
    removal.delete_task(bench.viewer, task, "rank")
    newer = make.QrelsFactory(collection=task.collection, state=QrelsState.DRAFT)
    publish_qrels(newer, bench.user)
    assert not task.boards.filter(qrels=newer).exists()
    removal.restore_task(bench.viewer, task)
    assert task.boards.filter(qrels=newer).exists()
    assert run.jobs.filter(kind="score", qrels=newer).count() == 1
