"""Tasks and campaigns that are deleted, and brought back as they were."""

from __future__ import annotations

import pytest
from django.urls import reverse

from campaigns.models import AuditEntry, Role
from campaigns.policies import Viewer
from campaigns.services.organizing import removal
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
