"""Tasks in the browser: every setting, what may change when, dates in their zone, switches."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from campaigns.models import ALWAYS, AuditEntry, Board, Job, JobKind, JobState, Task, TaskKind
from campaigns.services.organizing import tag_tryout
from campaigns.services.qrels import start_evaluation
from tests.campaigns import factories as make
from tests.campaigns.organize.conftest import sent
from tests.campaigns.pipeline import collection_with, drain, publish, qrels_text, run_text, submit

pytestmark = pytest.mark.django_db

OWN = {"own-TOTAL_FORMS": 0, "own-INITIAL_FORMS": 0}


@pytest.fixture
def task(bench):
    collection = collection_with(bench.campaign, ["1", "2"])
    return make.TaskFactory(
        campaign=bench.campaign, collection=collection, measures=["AP", "P@10"], primary="AP",
        slug="adhoc",
    )  # fmt: skip


def _own(fields) -> dict:
    values = {"own-TOTAL_FORMS": len(fields), "own-INITIAL_FORMS": len(fields)}
    for position, one in enumerate(fields):
        for name, value in one.items():
            if value is not False:
                values[f"own-{position}-{name}"] = "on" if value is True else value
    return values


def _values(bench, task, **changes):
    return bench.fields("task", task.slug) | _own([]) | changes


def test_saving_a_form_that_nobody_touched_changes_nothing(bench):
    task = make.TaskFactory(
        campaign=bench.campaign, same_collection=True, order_by="", slug="pair",
        measures=["AP", "nDCG(dcg='exp-log2')@10"], primary="AP", depth_rule="truncate",
        rules={"missing_topic": "error"}, tag_pattern="^t[0-9]+$", precision="single",
        topics_averaged="judged_with_relevant", runs_per_day=3, refused_per_day=None, attempts=9,
        comparison={"rbo_p": 0.9, "depth": 100, "cutoffs": [5, 10], "tost_bound": 0.05},
    )  # fmt: skip
    response = bench.post("task", "pair", **_values(bench, task))
    assert response.status_code == 302, response.context["form"].errors
    before = Task.objects.values().get(pk=task.pk)
    assert not AuditEntry.objects.exists()
    bench.post("task", "pair", **_values(bench, task, summary="New"))
    after = Task.objects.values().get(pk=task.pk)
    assert {name for name in after if after[name] != before[name]} == {"summary"}
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.target) == ("change task", "pair")
    assert entry.detail == {"changed": {"summary": ["", "New"]}}


def test_own_fields_come_back_as_they_went(bench, task):
    fields = [
        {"name": "language", "type": "choice", "choices": ["eng, or none", "deu"], "help": "Which",
         "label": "Language", "required": True, "public": True},
        {"name": "llm", "type": "flag"},
    ]  # fmt: skip
    for _ in range(2):
        own = [
            {**one, "choices": "\n".join(one.get("choices", []))} for one in fields
        ]  # fmt: skip
        bench.post("task", task.slug, **_values(bench, task) | _own(own))
        task.refresh_from_db()
        assert task.fields == fields
    shown = bench.get("task", task.slug).context["own"].initial
    assert shown[0]["choices"] == "eng, or none\ndeu"


@pytest.mark.parametrize("gains", [{}, {"clip": 0}, {"clip": None}])
def test_gains_of_a_pool_survive_a_saving(bench, gains):
    name = "nDCG(ideal='pool')@10"
    task = make.TaskFactory(
        campaign=bench.campaign, kind="pool", measures=[name], primary=name, gains=gains, slug="p"
    )
    bench.post("task", "p", **_values(bench, task, title="New"))
    task.refresh_from_db()
    assert (task.title, task.gains) == ("New", gains)


@pytest.mark.parametrize("kind", [kind.value for kind in TaskKind])
def test_each_kind_is_created_with_its_own_settings(bench, kind):
    for slug in ("here", "there"):
        make.CollectionFactory(campaign=bench.campaign, slug=slug)
    form = bench.get("new-task", kind=kind).context["form"]
    assert ("order_by" in form.fields) == (kind in ("same_collection", "new_collection"))
    values = sent(form) | OWN | {"title": "T", "slug": "t", "collection": "here"}
    if kind == "new_collection":
        refused = bench.post("new-task", **values)
        assert "original_collection" in refused.context["form"].errors
        values["original_collection"] = "there"
    response = bench.post("new-task", **values)
    assert response.status_code == 302, response.context["form"].errors
    task = Task.objects.get()
    assert (task.kind, task.collection.slug, task.is_paused) == (kind, "here", True)
    assert (task.original_collection is not None) == (kind == "new_collection")
    wanted = "judged_with_relevant" if form.kind.is_pair else "judged"
    assert task.topics_averaged == wanted
    assert [task.scores_from, task.own_scores_from, task.qrels_from] == [None, None, None]


def test_every_fault_stands_at_its_field(bench, task):
    response = bench.post("task", task.slug, **_values(
        bench, task, measures="AP\nnonsense\nAP", primary="P@5", tag_pattern="(", depth="0",
        **{"rule-missing_topic": "warning", "own-TOTAL_FORMS": 1, "own-0-name": "not a name",
           "own-0-type": "choice"},
    ))  # fmt: skip
    assert response.status_code == 422
    errors = response.context["form"].errors
    assert "Unknown measure 'nonsense'" in errors["measures"][0]
    assert "stands twice" in errors["measures"][0]
    assert "not a regular expression" in errors["tag_pattern"][0]
    assert len(errors["depth"]) == 1
    assert "Field 1, name, must be a short identifier." in errors["__all__"][0]
    assert "must list the choices" in errors["__all__"][0]
    task.refresh_from_db()
    assert task.measures == ["AP", "P@10"]


def test_preview_shows_canonical_names_without_saving(bench, task):
    response = bench.post("task", task.slug, **_values(
        bench, task, measures="map\nndcg_cut_10\nbad", primary="", try_tag="no blanks",
        preview="yes",
    ))  # fmt: skip
    assert response.status_code == 200
    lines = response.context["measures"]
    assert [(one.name, one.is_primary) for one in lines] == [
        ("AP", True), ("nDCG@10", False), ("", False),
    ]  # fmt: skip
    assert "Unknown measure 'bad'" in lines[2].fault
    assert response.context["verdict"].text == "The tag no blanks is not taken."
    part = bench.get("task-preview", measures="P@5", tag_pattern="^a+$", try_tag="aaa")
    assert "P@5" in part.content.decode()
    assert "The tag aaa is taken." in part.content.decode()
    task.refresh_from_db()
    assert task.measures == ["AP", "P@10"]


def test_pattern_that_never_ends_is_given_up(monkeypatch):
    monkeypatch.setattr(tag_tryout, "SECONDS", 0.5)
    assert tag_tryout.tag_matches("(a+)+$", "a" * 60 + "!") is None
    assert tag_tryout.tag_matches("(", "a") is None


def test_faulty_own_field_is_said_once(bench, task):
    own = {"own-TOTAL_FORMS": 1, "own-0-name": "not a name", "own-0-type": "text"}
    response = bench.post("task", task.slug, **_values(bench, task) | own)
    errors = response.context["form"].errors
    assert errors == {"__all__": ["Field 1, name, must be a short identifier."]}


def test_kind_and_collection_stay_once_there_are_runs(bench, task):
    other = make.CollectionFactory(campaign=bench.campaign)
    assert "can no longer change" not in bench.get("task", task.slug).content.decode()
    make.RunFactory(task=task)
    html = bench.get("task", task.slug).content.decode()
    assert "Kind and collections can no longer change" in html
    bench.post("task", task.slug, **_values(
        bench, task, kind="reranking", collection=other.slug, title="New title"
    ))  # fmt: skip
    task.refresh_from_db()
    assert (task.kind, task.title) == ("ranking", "New title")
    assert task.collection_id != other.pk


def test_service_refuses_another_kind_once_there_are_runs(bench, task):
    from campaigns.services.organizing.edits import stamp
    from campaigns.services.organizing.task_settings import Settings
    from campaigns.services.organizing.tasks import SETTINGS, change_task
    from campaigns.services.refusals import RefusalError

    make.RunFactory(task=task)
    read = Settings("reranking", task.collection.slug, "", {"rules": {}})
    with pytest.raises(RefusalError) as refused:
        change_task(bench.viewer, task, read, stamp(task, SETTINGS))
    assert "kind" in refused.value.errors


def test_other_measures_need_a_tick_and_open_a_new_board(bench, task):
    publish(task.collection, qrels_text({"1": {"a": 1}, "2": {"b": 1}}))
    team = make.TeamFactory(campaign=bench.campaign)
    submit(task, team, run_text({"1": ["x", "a"], "2": ["b"]}, "one"))
    drain()
    values = _values(bench, task, measures="AP\nRR", primary="RR")
    refused = bench.post("task", task.slug, **values)
    assert "scores 1 run again" in refused.context["form"].errors["confirm"][0]
    assert Board.objects.count() == 1
    response = bench.post("task", task.slug, **values, confirm="on")
    assert response.status_code == 302, response.context["form"].errors
    drain()
    board = Board.objects.get(task=task, state="current")
    assert board.number == 2
    row = board.rows.get(version=board.version)
    assert row.cells["RR"]["value"] == pytest.approx(0.75)
    assert Board.objects.get(number=1).state == "past"


def test_another_primary_measure_alone_opens_a_new_board_too(bench, task):
    publish(task.collection, qrels_text({"1": {"a": 1}, "2": {"b": 1}}))
    submit(task, make.TeamFactory(campaign=bench.campaign), run_text({"1": ["a"]}, "one"))
    drain()
    bench.post("task", task.slug, **_values(bench, task, primary="P@10", confirm="on"))
    drain()
    board = Board.objects.get(task=task, state="current")
    assert board.columns.get(is_primary=True).key == "P@10"


def test_other_settings_of_comparisons_have_the_pairs_compared_again(bench):
    task = make.TaskFactory(
        campaign=bench.campaign, same_collection=True, measures=["AP"], primary="AP", slug="pair",
    )  # fmt: skip
    pair = make.PairFactory(original=make.OriginalFactory(task=task))
    make.QrelsFactory(collection=task.collection, number=1)
    start_evaluation(task)
    bench.post("task", "pair", **_values(bench, task, rbo_p="0.95", confirm="on"))
    task.refresh_from_db()
    assert task.comparison == {"rbo_p": 0.95}
    job = Job.objects.get(kind=JobKind.COMPARE, pair=pair)
    assert job.state == JobState.WAITING


def test_second_of_two_organizers_is_told_and_overwrites_nothing(bench, task, logged_in):
    values = _values(bench, task, title="Mine")
    other = make.organizer_of(bench.campaign)
    address = bench.url("task", task.slug)
    assert logged_in(other).post(address, _values(bench, task, title="Theirs")).status_code == 302
    response = bench.client.post(address, values)
    assert response.status_code == 422
    text = response.context["form"].non_field_errors()[0]
    assert "Somebody else has changed this" in text
    assert other.email in text
    task.refresh_from_db()
    assert task.title == "Theirs"


def _plan(bench, task, **changes):
    values = bench.fields("plan", task.slug) | changes
    return bench.post("plan", task.slug, **{k: v for k, v in values.items() if v != "drop"})


@pytest.mark.parametrize(
    ("zone", "text", "utc"),
    [
        ("AoE", "2027-01-10T23:59:59", datetime(2027, 1, 11, 11, 59, 59, tzinfo=UTC)),
        ("UTC", "2027-01-10T23:59:59", datetime(2027, 1, 10, 23, 59, 59, tzinfo=UTC)),
        ("Europe/Berlin", "2027-07-10T23:59:59", datetime(2027, 7, 10, 21, 59, 59, tzinfo=UTC)),
        ("+05:30", "2027-01-10T23:59", datetime(2027, 1, 10, 18, 29, tzinfo=UTC)),
    ],
)
def test_dates_keep_their_zone_through_any_number_of_savings(bench, task, zone, text, utc):
    for _ in range(2):
        response = _plan(bench, task, timezone=zone, closes=text, scores="at", scores_at=text)
        assert response.status_code == 302, response.context["form"].errors
    assert _plan(bench, task).status_code == 302
    task.refresh_from_db()
    assert (task.closes, task.scores_from, task.timezone) == (utc, utc, zone)
    assert bench.fields("plan", task.slug)["closes"][:16] == text[:16]


def test_hour_that_happens_twice_is_asked_for_and_shown_in_utc(bench, task):
    response = _plan(bench, task, timezone="Europe/Berlin", closes="2027-10-31T02:30:00")
    assert "happens twice" in response.context["form"].errors["closes"][0]
    _plan(bench, task, timezone="+01:00", closes="2027-10-31T02:30:00")
    task.refresh_from_db()
    moment = datetime(2027, 10, 31, 1, 30, tzinfo=UTC)
    assert task.closes == moment
    Task.objects.filter(pk=task.pk).update(timezone="Europe/Berlin")
    fields = bench.fields("plan", task.slug)
    assert (fields["timezone"], fields["closes"]) == ("UTC", "2027-10-31T01:30:00")
    assert _plan(bench, task).status_code == 302
    task.refresh_from_db()
    assert task.closes == moment


def test_switches_are_closed_open_or_dated(bench, task):
    response = _plan(
        bench, task, timezone="UTC", own_scores="always", scores="never", team_names="at",
        team_names_at="2028-02-29T12:00:00", qrels="always",
    )  # fmt: skip
    assert response.status_code == 302
    task.refresh_from_db()
    assert (task.own_scores_from, task.scores_from, task.qrels_from) == (ALWAYS, None, ALWAYS)
    assert task.team_names_from == datetime(2028, 2, 29, 12, tzinfo=UTC)
    missing = _plan(bench, task, topic_scores="at", topic_scores_at="")
    assert "Give the time" in missing.context["form"].errors["topic_scores_at"][0]


def test_times_that_cannot_be_are_said_in_place(bench, task):
    response = _plan(
        bench, task, timezone="UTC", opens="2027-02-02T00:00", closes="2027-02-01T00:00"
    )
    assert "lies before" in response.context["form"].errors["closes"][0]
    response = _plan(bench, task, timezone="Mars/Base")
    assert "no time zone" in response.context["form"].errors["timezone"][0]
    response = _plan(bench, task, timezone="Europe/Berlin", closes="2027-03-28T02:30")
    assert "does not exist" in response.context["form"].errors["closes"][0]


def test_deadline_that_moves_after_runs_have_come_needs_a_reason(bench, task):
    assert _plan(bench, task, timezone="UTC", closes="2029-01-01T00:00:00").status_code == 302
    assert _plan(bench, task, timezone="UTC", closes="2029-01-02T00:00:00").status_code == 302
    make.RunFactory(task=task)
    refused = _plan(bench, task, closes="2029-01-05T00:00:00")
    assert "Say why" in refused.context["form"].errors["reason"][0]
    assert _plan(bench, task, closes="2029-01-05T00:00:00", reason="Power cut").status_code == 302
    entry = AuditEntry.objects.first()
    assert (entry.action, entry.reason) == ("move deadline", "Power cut")
    assert entry.detail["changed"]["closes"][1] == "2029-01-05T00:00:00+00:00"
    assert "Power cut" in bench.get("audit").content.decode()


def test_preview_of_dates_saves_nothing(bench, task):
    response = _plan(bench, task, timezone="UTC", closes="2029-01-01T00:00:00", preview="yes")
    assert response.status_code == 200
    line = next(one for one in response.context["times"] if one.title == "Closes")
    assert (line.moment, line.is_new) == (datetime(2029, 1, 1, tzinfo=UTC), True)
    task.refresh_from_db()
    assert task.closes is None


def test_reranking_stays_paused_until_its_initial_run_is_there(bench, task):
    Task.objects.filter(pk=task.pk).update(kind="reranking", is_paused=True)
    refused = _plan(bench, task, is_paused="drop")
    assert "until it has its initial run" in refused.context["form"].errors["is_paused"][0]
    Task.objects.filter(pk=task.pk).update(initial_run=make.StoredFileFactory())
    assert _plan(bench, task, is_paused="drop").status_code == 302
    task.refresh_from_db()
    assert task.is_paused is False


def test_second_change_of_dates_is_told(bench, task):
    values = bench.fields("plan", task.slug)
    Task.objects.filter(pk=task.pk).update(closes=make.timezone.now() + timedelta(days=1))
    response = bench.post("plan", task.slug, **values)
    assert "Somebody else has changed this" in response.context["form"].non_field_errors()[0]
