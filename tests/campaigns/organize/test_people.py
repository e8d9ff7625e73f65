"""Campaigns, roles, collections and teams: who may do what, and what is kept of it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.test import override_settings
from django.urls import reverse

from campaigns.models import AuditEntry, Campaign, CampaignRole, Membership, Role
from campaigns.policies import Viewer
from campaigns.services.organizing import campaigns, collections, teams
from campaigns.services.refusals import RefusalError
from tests.campaigns import factories as make

pytestmark = pytest.mark.django_db

NEW = {"title": "T", "slug": "t-2027", "vocabulary": "acm", "timezone": "UTC", "is_public": "on"}


def test_creator_of_a_campaign_owns_it(logged_in):
    user = make.UserFactory()
    response = logged_in(user).post(reverse("organize:new-campaign"), NEW)
    assert response.status_code == 302
    campaign = Campaign.objects.get(slug="t-2027")
    assert (campaign.vocabulary, campaign.timezone, campaign.is_public) == ("acm", "UTC", True)
    assert CampaignRole.objects.get(campaign=campaign).role == Role.OWNER
    assert AuditEntry.objects.get().actor == user
    assert "T" in logged_in(user).get(reverse("organize:campaigns")).content.decode()


def test_bad_campaign_is_told_at_its_fields(logged_in):
    make.CampaignFactory(slug="taken")
    client = logged_in(make.UserFactory())
    response = client.post(
        reverse("organize:new-campaign"),
        NEW | {"slug": "No Slug", "timezone": "Mars", "contact": "x", "website": "javascript:1"},
    )
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"slug", "timezone", "contact", "website"}
    response = client.post(reverse("organize:new-campaign"), NEW | {"slug": "taken"})
    assert "is taken" in response.context["form"].errors["slug"][0]


@pytest.mark.parametrize("name", ["title", "summary", "description", "citation"])
def test_marks_that_turn_text_are_refused_in_names(bench, name):
    form = {**bench.fields("settings"), name: "two\nlines \u202eevil"}
    answer = bench.post("settings", **form)
    assert answer.status_code == 422
    assert answer.context["form"].errors == {name: ["Remove the invisible control characters."]}
    assert bench.post("settings", **{**form, name: "مرحبا 😀"}).status_code == 302


@override_settings(ANYBODY_MAY_ORGANIZE=False)
def test_site_may_leave_creating_to_those_it_allows(logged_in):
    user = make.UserFactory()
    address = reverse("organize:new-campaign")
    assert logged_in(user).get(address).status_code == 403
    assert logged_in(user).post(address, NEW).status_code == 403
    html = logged_in(user).get(reverse("organize:campaigns")).content.decode()
    assert "an administrator allows" in html
    with pytest.raises(RefusalError):
        campaigns.create_campaign(Viewer.of(user), "x", {"title": "X"})
    user.user_permissions.add(Permission.objects.get(codename="add_campaign"))
    assert logged_in(user).get(address).status_code == 200
    assert logged_in(make.UserFactory(is_superuser=True)).get(address).status_code == 200


def test_settings_are_changed_by_one_organizer_at_a_time(bench):
    values = bench.fields("settings")
    bench.post("settings", **values | {"title": "First"})
    response = bench.post("settings", **values | {"title": "Second"})
    assert "Somebody else has changed this" in response.context["form"].non_field_errors()[0]
    bench.campaign.refresh_from_db()
    assert bench.campaign.title == "First"
    values = {name: value for name, value in bench.fields("settings").items()
              if name != "is_public"}  # fmt: skip
    bench.post("settings", **values)
    bench.campaign.refresh_from_db()
    assert bench.campaign.is_public is False


def test_roles_are_given_by_address_and_taken(bench):
    user = make.UserFactory(email="ann@example.org")
    response = bench.post("people", email="nobody@example.org", role="organizer")
    assert "no account" in response.context["form"].errors["email"][0]
    assert bench.post("people", email=" ANN@example.org", role="assessor").status_code == 302
    row = CampaignRole.objects.get(campaign=bench.campaign, user=user)
    assert row.role == Role.ASSESSOR
    bench.post("people", email="ann@example.org", role="organizer")
    row.refresh_from_db()
    assert row.role == Role.ORGANIZER
    bench.post("remove-person", user.public_id)
    assert not CampaignRole.objects.filter(user=user).exists()
    assert list(AuditEntry.objects.values_list("action", "target")) == [
        ("take role", "ann@example.org"), ("give role", "ann@example.org"),
        ("give role", "ann@example.org"),
    ]  # fmt: skip


def test_last_owner_stays(bench):
    removal = bench.url("remove-person", bench.user.public_id)
    assert removal not in bench.get("people").content.decode()
    bench.post("remove-person", bench.user.public_id)
    assert CampaignRole.objects.filter(role=Role.OWNER).count() == 1
    response = bench.post("people", email=bench.user.email, role="assessor")
    assert "keeps an owner" in response.context["form"].non_field_errors()[0]
    second = make.UserFactory()
    bench.post("people", email=second.email, role="owner")
    assert removal in bench.get("people").content.decode()
    bench.post("remove-person", bench.user.public_id)
    assert CampaignRole.objects.get(campaign=bench.campaign).user == second


def test_organizers_neither_make_nor_remove_owners(bench):
    organizer = Viewer.of(make.organizer_of(bench.campaign))
    friend = make.UserFactory()
    with pytest.raises(RefusalError):
        campaigns.give_role(organizer, bench.campaign, friend.email, Role.OWNER)
    owner = CampaignRole.objects.get(user=bench.user)
    for attempt in (
        lambda: campaigns.take_role(organizer, owner),
        lambda: campaigns.give_role(organizer, bench.campaign, bench.user.email, Role.ASSESSOR),
    ):
        with pytest.raises(RefusalError):
            attempt()
    assert campaigns.give_role(organizer, bench.campaign, friend.email, Role.ORGANIZER).pk


def test_services_refuse_everybody_else(bench):
    collection = make.CollectionFactory(campaign=bench.campaign)
    team = make.TeamFactory(campaign=bench.campaign)
    member = make.MembershipFactory(team=team)
    for user in (make.UserFactory(), member.user, make.organizer_of(bench.campaign, "assessor")):
        viewer = Viewer.of(user)
        for attempt in (
            lambda v=viewer: campaigns.change_campaign(v, bench.campaign, {"title": "X"}, ""),
            lambda v=viewer: campaigns.give_role(v, bench.campaign, member.user.email, "organizer"),
            lambda v=viewer: collections.create_collection(v, bench.campaign, "c", {"title": "C"}),
            lambda v=viewer: collections.change_collection(v, collection, {"title": "X"}, ""),
            lambda v=viewer: teams.create_team(v, bench.campaign, "t", {"name": "T"}),
            lambda v=viewer: teams.change_team(v, team, {"name": "X"}, ""),
            lambda v=viewer: teams.add_member(v, team, bench.user.email),
            lambda v=viewer: teams.remove_member(v, member),
        ):
            with pytest.raises(RefusalError) as refused:
                attempt()
            assert refused.value.status == 403


def test_collection_is_created_and_changed(bench):
    values = {"title": "Core 17", "slug": "core17", "languages": "eng, fas", "documents": "1855658"}
    assert bench.post("new-collection", **values).status_code == 302
    row = bench.campaign.collections.get()
    assert (row.languages, row.documents) == (["eng", "fas"], 1_855_658)
    assert "already" in bench.post("new-collection", **values).context["form"].errors["slug"][0]
    fields = bench.fields("collection", "core17")
    bench.post("collection", "core17", **fields | {"title": "New"})
    late = bench.post("collection", "core17", **fields | {"title": "Late"})
    assert "Somebody else" in late.context["form"].non_field_errors()[0]
    row.refresh_from_db()
    assert row.title == "New"
    entry = AuditEntry.objects.first()
    assert entry.detail["changed"] == {"title": ["Core 17", "New"]}


def test_team_gets_and_loses_members_and_keeps_their_runs(bench):
    bench.post("teams", name="Team A", slug="team-a")
    user = make.UserFactory()
    assert bench.post("team", "team-a", email=user.email).status_code == 302
    assert bench.post("team", "team-a", email=user.email).status_code == 302
    team = bench.campaign.teams.get()
    assert Membership.objects.filter(team=team, left_at=None).count() == 1
    run = make.RunFactory(team=team, task=make.TaskFactory(campaign=bench.campaign))
    bench.post("remove-from-team", "team-a", user.public_id)
    assert not Membership.objects.filter(team=team, left_at=None).exists()
    run.refresh_from_db()
    assert run.team == team
    assert bench.post("team", "team-a", email="who@example.org").status_code == 422
    assert "already" in bench.post("teams", name="B", slug="team-a").content.decode()
    fields = bench.fields("team", "team-a")
    assert bench.post("team", "team-a", **fields | {"name": "Team B"}).status_code == 302
    team.refresh_from_db()
    assert team.name == "Team B"
    actions = list(AuditEntry.objects.values_list("action", flat=True))
    assert actions.count("add member") == 1
    assert "remove member" in actions


def test_own_team_is_made_once(bench):
    bench.post("own-team")
    bench.post("own-team")
    team = bench.campaign.teams.get()
    assert (team.is_organizers, team.memberships.count()) == (True, 1)


def test_things_of_another_campaign_are_not_found(bench):
    task = make.TaskFactory(same_collection=True)
    original = make.original_pair(task)
    run = make.RunFactory(task=task)
    upload = make.UploadFactory(collection=task.collection)
    qrels = make.QrelsFactory(collection=task.collection, number=1)
    for name, *args in (
        ("task", task.slug), ("plan", task.slug), ("originals", task.slug),
        ("collection", task.collection.slug), ("topics", task.collection.slug),
        ("qrels", task.collection.slug, qrels.number), ("run", run.pk), ("upload", upload.pk),
        ("team", run.team.slug),
    ):  # fmt: skip
        assert bench.get(name, *args).status_code == 404, name
    assert bench.post("act-on-run", run.pk, "pooled").status_code == 404
    assert bench.post("original-run", task.slug, original.slug, "baseline").status_code == 404
    assert bench.post("remove-person", make.UserFactory().public_id).status_code == 404
