"""The submit page: limits first, errors in place, CSRF although files are streamed."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Pair, Run, RunRole, RunState, StoredFile
from tests.campaigns import factories as make

pytestmark = pytest.mark.django_db

TEXT = b"101 Q0 d1 1 9.5 demo\n"


def file(content=TEXT, name="my.run") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def url(task) -> str:
    return reverse("pages:submit", args=[task.campaign.slug, task.slug])


@pytest.fixture
def task():
    return make.TaskFactory(
        runs_per_team=3,
        runs_per_day=2,
        fields=[
            {"name": "lang", "type": "choice", "choices": ["eng", "zho"], "required": True},
            {"name": "gpus", "type": "number", "label": "GPUs <used>", "help": "<b>all</b>"},
        ],
    )


@pytest.fixture
def team(task):
    return make.TeamFactory(campaign=task.campaign)


@pytest.fixture
def member(team, logged_in):
    return logged_in(make.member_of(team))


def form(team, **changes):
    data = {"team": str(team.pk), "run_type": "automatic", "own-lang": "eng", "file": file()}
    return {key: value for key, value in {**data, **changes}.items() if value is not None}


def test_limits_and_quota_stand_before_the_form(member, task, team):
    make.RunFactory(task=task, team=team, received_at=timezone.now())
    html = member.get(url(task)).content.decode()
    assert f"<strong>2 of 3</strong> for <bdi>{team.name}</bdi>" in html
    assert "1 of 2 within 24 hours" in html
    assert "up to 105 MB" in html
    assert "up to 1,000 documents a topic" in html


def test_run_is_stored_with_what_the_form_says(member, task, team):
    response = member.post(
        url(task), form(team, system="BM25", description="Plain.", **{"own-gpus": "4"})
    )
    run = Run.objects.get()
    assert response.url == reverse("pages:run", args=[run.pk])
    assert run.state == RunState.CHECKING
    assert (run.team, run.system.name, run.description) == (team, "BM25", "Plain.")
    assert run.metadata == {"lang": "eng", "gpus": 4}
    assert run.file.name == "my.run"
    assert run.jobs.get().kind == "check"
    assert "The run is stored." in member.get(response.url).content.decode()


def test_form_without_a_token_is_refused_and_leaves_nothing(team, task):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(make.member_of(team))
    assert strict.post(url(task), form(team)).status_code == 403
    assert not StoredFile.objects.exists()
    token = strict.get(url(task)).context["csrf_token"]
    assert strict.post(url(task), form(team, csrfmiddlewaretoken=str(token))).status_code == 302
    assert Run.objects.count() == 1


def test_errors_stand_in_place_and_the_form_keeps_its_values(member, task, team):
    response = member.post(
        url(task), form(team, file=None, system="Kept", **{"own-lang": "", "own-gpus": "many"})
    )
    html = response.content.decode()
    assert response.status_code == 422
    assert "There is a problem" in html
    assert '<a href="#id_file">Run file: Choose the file that holds your run.</a>' in html
    assert '<a href="#id_own-lang">' in html
    assert html.count('aria-invalid="true"') == 3
    assert 'value="Kept"' in html
    assert not Run.objects.exists()


def test_organizers_texts_are_escaped(member, task):
    html = member.get(url(task)).content.decode()
    assert "GPUs &lt;used&gt;" in html
    assert "&lt;b&gt;all&lt;/b&gt;" in html
    assert "<b>all</b>" not in html


@pytest.mark.parametrize(
    ("content", "status", "text"),
    [
        (b"\x1f\x8b damaged", 422, "damaged or cut off"),
        (b"", 422, "empty"),
        (b"x" * 3000, 413, "holds more than 2,000 bytes"),
    ],
)
def test_bad_file_is_refused_with_a_remedy_and_not_kept(member, task, team, content, status, text):
    task.file_bytes = 2000
    task.save()
    response = member.post(url(task), form(team, file=file(content)))
    assert response.status_code == status
    assert text in response.content.decode()
    assert not Run.objects.exists()
    assert not StoredFile.objects.exists()


def test_large_run_passes_where_other_forms_are_small(member, task, team, settings):
    settings.MAX_BODY_BYTES = 1000
    line = b"101 Q0 d%06d 1 1 demo\n"
    large = file(b"".join(line % number for number in range(1000)))
    assert member.post(url(task), form(team, file=large)).status_code == 302
    response = member.post("/accounts/login/", {"login": "x" * 2000})
    assert response.status_code == 413
    assert "This cannot be taken" in response.content.decode()


def test_duplicate_is_refused_and_named(member, task, team):
    member.post(url(task), form(team))
    response = member.post(url(task), form(team))
    assert response.status_code == 409
    html = response.content.decode()
    assert "already submitted this very run" in html
    first = reverse("pages:run", args=[Run.objects.get().pk])
    assert f'<a href="{first}">Open the run that is there</a>' in html


def test_reached_limit_is_said_with_its_status(member, task, team):
    task.runs_per_day = 1
    task.save()
    member.post(url(task), form(team))
    response = member.post(url(task), form(team, file=file(b"101 Q0 d2 1 9.5 demo\n")))
    assert response.status_code == 429
    assert "Your team may hand in 1 runs in 24 hours" in response.content.decode()


def test_closed_task_takes_nothing(member, task, team):
    task.closes = timezone.now() - timedelta(days=1)
    task.save()
    html = member.get(url(task)).content.decode()
    assert "This task does not take runs now" in html
    assert "<form" not in html
    assert member.post(url(task), form(team)).status_code == 403
    assert not Run.objects.exists()


def test_strangers_log_in_first_and_people_without_a_team_are_told(client, task, logged_in, team):
    assert client.get(url(task)).url.startswith("/accounts/login/")
    outsider = logged_in(make.UserFactory())
    assert "You are in no team of this campaign" in outsider.get(url(task)).content.decode()
    assert outsider.post(url(task), form(team)).status_code == 403


def test_another_team_cannot_be_chosen(member, task):
    other = make.TeamFactory(campaign=task.campaign)
    response = member.post(url(task), form(other))
    assert response.status_code == 422
    assert not Run.objects.exists()


@pytest.fixture
def pair_task():
    task = make.TaskFactory(same_collection=True)
    make.original_pair(task, slug="first", title="The first original")
    return task


@pytest.fixture
def pair_member(pair_task, logged_in):
    team = make.TeamFactory(campaign=pair_task.campaign)
    return logged_in(make.member_of(team)), team


def test_pair_is_stored_at_once(pair_task, pair_member):
    client, team = pair_member
    response = client.post(
        url(pair_task),
        {
            "team": str(team.pk), "run_type": "manual", "original": "first", "title": "Mine",
            "family": "tf", "baseline": file(), "advanced": file(b"101 Q0 d9 1 1 demo\n", "a.run"),
        },
    )  # fmt: skip
    pair = Pair.objects.get()
    assert response.url == reverse("pages:pair", args=[pair.pk])
    assert (pair.title, pair.family, pair.original.slug) == ("Mine", "tf", "first")
    assert pair.baseline.file.name == "my.run"
    assert pair.advanced.file.name == "a.run"
    assert "Both runs are stored" in client.get(response.url).content.decode()


def test_pair_of_one_file_is_refused_beside_the_control(pair_task, pair_member):
    client, team = pair_member
    response = client.post(
        url(pair_task),
        {"team": str(team.pk), "run_type": "manual", "original": "first", "baseline": file(),
         "advanced": file()},
    )  # fmt: skip
    assert response.status_code == 409
    assert 'href="#id_advanced">Advanced a′: Choose the run of the advanced system.' in (
        response.content.decode()
    )
    assert not Pair.objects.exists()


def test_second_run_of_a_pair_joins_its_partner(pair_task, pair_member):
    client, team = pair_member
    address = url(pair_task) + "?upload=run"
    common = {"team": str(team.pk), "run_type": "automatic", "original": "first"}
    client.post(address, {**common, "role": "baseline", "partner": "", "file": file()})
    pair = Pair.objects.get()
    assert pair.advanced is None
    assert (
        "Not submitted yet." in client.get(reverse("pages:pair", args=[pair.pk])).content.decode()
    )
    assert str(pair.pk) in client.get(address).content.decode()
    client.post(
        address,
        {**common, "role": "advanced", "partner": str(pair.pk), "file": file(b"1 Q0 d 1 1 x\n")},
    )
    pair.refresh_from_db()
    assert pair.advanced.role == RunRole.ADVANCED
    assert Pair.objects.count() == 1
