"""Files of organizers: stored, checked in the background, put to their use or refused."""

from __future__ import annotations

import gzip

import pytest

from campaigns.models import (
    AuditEntry,
    Job,
    JobKind,
    JobState,
    Qrels,
    QrelsState,
    Topic,
    TopicText,
    Upload,
    UploadState,
)  # fmt: skip
from campaigns.services.refusals import RefusalError
from campaigns.services.uploads import runs_storage
from tests.campaigns import factories as make
from tests.campaigns.organize.conftest import file
from tests.campaigns.pipeline import collection_with, drain, publish, qrels_text

pytestmark = pytest.mark.django_db

QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 2}, "3": {"e": 0}}


@pytest.fixture
def collection(bench):
    return collection_with(bench.campaign, ["1", "2", "3"])


def upload(bench, collection, purpose, content, **data):
    response = bench.post(
        "upload-to-collection", collection.slug, purpose, file=file(content), **data
    )
    assert response.status_code == 302, response.content
    return Upload.objects.latest("created_at")


def test_qrels_are_checked_by_a_worker_and_become_a_draft(bench, collection):
    one = upload(bench, collection, "qrels", qrels_text(QRELS), changelog="First")
    assert one.state == UploadState.CHECKING
    assert not Qrels.objects.exists()
    html = bench.get("upload", one.pk).content.decode()
    assert "Waiting for a worker" in html
    assert 'hx-trigger="every 1s"' in html
    assert drain() == ["check_upload"]
    one.refresh_from_db()
    assert (one.state, one.facts) == ("taken", {"topics": 3, "judgments": 4, "relevant": 2})
    draft = one.qrels
    assert (draft.number, draft.state, draft.changelog) == (1, QrelsState.DRAFT, "First")
    assert draft.topics_without_relevant == ["3"]
    assert draft.uploaded_by == bench.user
    html = bench.get("upload", one.pk).content.decode()
    assert "this is version 1 now" in html
    assert "every 1s" not in html
    bench.post(
        "new-task", **{**bench.fields("new-task", kind="ranking"), "title": "Rank", "slug": "rank"}
    )
    to_do = bench.get("desk").content.decode()
    assert "Version 1 of the qrels is not published" in to_do
    assert "Rank has no qrels" not in to_do  # they only wait to be published


def test_compressed_qrels_are_taken_too(bench, collection):
    one = upload(bench, collection, "qrels", gzip.compress(qrels_text(QRELS)))
    drain()
    one.refresh_from_db()
    assert (one.state, one.file.is_gzip, one.qrels.judgments) == ("taken", True, 4)


def test_faulty_qrels_are_refused_with_lines_and_remedies(bench, collection):
    one = upload(bench, collection, "qrels", b"1 0 a 1\n1 0 b\n2 0 c x\n")
    drain()
    one.refresh_from_db()
    assert one.state == UploadState.REFUSED
    assert [(m["kind"], m["line"]) for m in one.messages if m["level"] == "error"] == [
        ("wrong_column_count", 2), ("bad_relevance", 3),
    ]  # fmt: skip
    assert not Qrels.objects.exists()
    html = bench.get("upload", one.pk).content.decode()
    assert "Not taken: 2 kinds of error" in html
    assert "<mark>x</mark>" in html
    assert f'href="{bench.url("collection", collection.slug)}">Upload again for' in html
    assert "Line 2" in html
    assert html.count("Remedy.") == 2
    assert "not taken, it has faults" in bench.get("desk").content.decode()


def test_live_part_answers_204_until_something_changes(bench, collection):
    one = upload(bench, collection, "qrels", qrels_text(QRELS))
    told = bench.get("upload", one.pk).context["told"]
    assert bench.get("upload-live", one.pk, told=told).status_code == 204
    drain()
    response = bench.get("upload-live", one.pk, told=told)
    assert response.status_code == 200
    assert "this is version 1 now" in response.content.decode()


def test_damaged_archive_is_said_at_once_and_leaves_nothing(bench, collection):
    before = set(_stored())
    response = bench.client.post(
        bench.url("upload-to-collection", collection.slug, "qrels"),
        {"file": file(gzip.compress(b"1 0 a 1\n" * 100)[:-9], "q.gz")},
        follow=True,
    )
    assert "damaged or cut off" in response.content.decode()
    assert not Upload.objects.exists()
    assert set(_stored()) == before


def _stored():
    storage = runs_storage()
    try:
        folders, _ = storage.listdir("")
    except FileNotFoundError:
        return []
    return [f"{folder}/{name}" for folder in folders for name in storage.listdir(folder)[1]]


def test_upload_without_a_file_says_so(bench, collection):
    response = bench.client.post(
        bench.url("upload-to-collection", collection.slug, "qrels"), {"changelog": "x"}, follow=True
    )
    assert "Choose a file first." in response.content.decode()


def test_upload_needs_its_csrf_token(bench, collection):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(bench.user)
    response = client.post(
        bench.url("upload-to-collection", collection.slug, "qrels"), {"file": file(b"1 0 a 1\n")}
    )
    assert response.status_code == 403
    assert not Upload.objects.exists()


def test_topic_file_makes_topics_in_byte_order(bench):
    collection = make.CollectionFactory(campaign=bench.campaign, has_topic_file=False)
    one = upload(bench, collection, "topics", b"10\tten\n9\tnine\n\xc3\xa9\taccent\n")
    drain()
    one.refresh_from_db()
    collection.refresh_from_db()
    assert (one.state, one.reason, one.facts) == ("taken", "", {"topics": 3})
    assert collection.has_topic_file
    assert list(Topic.objects.values_list("identifier", "position")) == [
        ("10", 0), ("9", 1), ("é", 2),
    ]  # fmt: skip
    assert "nine" in bench.get("topics", collection.slug).content.decode()
    more = upload(bench, collection, "topics", b"10\tten\n9\tnine\n\xc3\xa9\taccent\n11\televen\n")
    drain()
    more.refresh_from_db()
    assert more.state == UploadState.TAKEN
    assert list(Topic.objects.values_list("identifier", flat=True)) == ["10", "11", "9", "é"]


def test_topic_file_that_lacks_stored_topics_is_refused(bench, collection):
    one = upload(bench, collection, "topics", b"1\tone\n")
    drain()
    one.refresh_from_db()
    assert (one.state, one.reason) == (
        "refused", "It lacks topics that are stored and stay: 2, 3.",
    )  # fmt: skip
    assert Topic.objects.count() == 3


def test_topic_file_that_would_move_published_means_is_refused(bench, collection):
    publish(collection, qrels_text(QRELS | {"4": {"x": 1}}))
    one = upload(bench, collection, "topics", b"1\to\n2\tt\n3\tt\n4\tf\n")
    drain()
    one.refresh_from_db()
    assert one.state == UploadState.REFUSED
    assert "other topics would count (4)" in one.reason


def test_another_wording_is_kept_beside_the_first(bench, collection):
    one = upload(
        bench, collection, "topics", b"1\teins\n9\tneun\n",
        form="title", language="deu", translation="human",
    )  # fmt: skip
    drain()
    one.refresh_from_db()
    assert one.state == UploadState.TAKEN
    assert Topic.objects.count() == 3
    form = collection.topic_forms.get()
    assert (form.form, form.language, form.translation) == ("title", "deu", "human")
    assert [text.text for text in form.texts.all()] == ["eins"]


def test_document_ids_are_counted_and_used(bench, collection):
    one = upload(bench, collection, "document-ids", b"d1\nd2\nd3\n")
    drain()
    collection.refresh_from_db()
    assert (collection.document_ids_id, collection.documents) == (one.file_id, 3)


def test_initial_run_is_used_and_stays_once_there_are_runs(bench, collection):
    task = make.TaskFactory(campaign=bench.campaign, collection=collection, kind="reranking")
    response = bench.post(
        "upload-to-task", task.slug, "initial-run", file=file(b"1 Q0 a 1 9 bm25\n")
    )
    assert response.status_code == 302
    drain()
    task.refresh_from_db()
    first = task.initial_run
    assert first is not None
    make.RunFactory(task=task)
    bench.post("upload-to-task", task.slug, "initial-run", file=file(b"1 Q0 b 1 9 bm25\n"))
    drain()
    task.refresh_from_db()
    refused = Upload.objects.latest("created_at")
    assert task.initial_run == first
    assert (refused.state, "no longer be another file" in refused.reason) == ("refused", True)


def test_pool_belongs_to_its_task(bench, collection):
    task = make.TaskFactory(
        campaign=bench.campaign, collection=collection, kind="pool",
        measures=["nDCG(ideal='pool')@10"], primary="nDCG(ideal='pool')@10",
    )  # fmt: skip
    bench.post("upload-to-task", task.slug, "pool", file=file(b"1\ta\t0.5\n1\tb\t-1.5\n"))
    drain()
    pool = Qrels.objects.get()
    assert (pool.task, pool.is_graded, pool.judgments) == (task, False, 2)
    assert bench.get("pool", task.slug, 1).status_code == 200


def test_task_takes_only_the_files_of_its_kind(bench, collection):
    task = make.TaskFactory(campaign=bench.campaign, collection=collection)
    for purpose in ("pool", "initial-run"):
        bench.post("upload-to-task", task.slug, purpose, file=file(b"x\n"))
    assert bench.post("upload-to-task", task.slug, "qrels", file=file(b"x\n")).status_code == 404
    assert bench.post(
        "upload-to-collection", collection.slug, "pool", file=file(b"x\n")
    ).status_code == 404  # fmt: skip
    assert not Upload.objects.exists()


def test_check_that_failed_is_started_again(bench, collection):
    one = upload(bench, collection, "qrels", qrels_text(QRELS))
    Job.objects.filter(kind=JobKind.CHECK_UPLOAD).update(state=JobState.FAILED, reason="The disk.")
    html = bench.get("upload", one.pk).content.decode()
    assert "The check did not finish" in html
    assert "The disk." in html
    assert "The disk." in bench.get("desk").content.decode()
    bench.post("upload-again", one.pk)
    assert drain() == ["check_upload"]
    one.refresh_from_db()
    assert one.state == UploadState.TAKEN
    assert AuditEntry.objects.filter(action="check upload again").count() == 1


def test_lost_file_fails_the_check_with_a_reason(bench, collection):
    one = upload(bench, collection, "qrels", qrels_text(QRELS))
    runs_storage().delete(one.file.key)
    drain()
    assert Job.objects.get(kind=JobKind.CHECK_UPLOAD).state == JobState.FAILED
    one.refresh_from_db()
    assert one.state == UploadState.CHECKING


def test_service_takes_no_file_from_others(bench, collection):
    from campaigns.models import FilePurpose
    from campaigns.policies import Viewer
    from campaigns.services.organizing.uploads import take_upload
    from tests.campaigns.pipeline import stored

    with pytest.raises(RefusalError) as refused:
        take_upload(
            Viewer.of(make.UserFactory()), collection, FilePurpose.QRELS, stored(b"1 0 a 1\n")
        )
    assert refused.value.status == 403


def test_topics_of_trec_are_taken_and_a_form_takes_its_text(bench, collection):
    text = "".join(
        f"<top>\n<num> Number: {n}\n<title> t{n}\n<desc> Description:\nd{n}\n</top>\n"
        for n in "123"
    ).encode()
    upload(bench, collection, "topics", text)
    upload(bench, collection, "topics", text, form="description", language="eng")
    drain()
    assert Upload.objects.filter(state=UploadState.TAKEN).count() == 2
    texts = TopicText.objects.filter(topic__collection=collection).order_by("form_id", "topic_id")
    assert [(one.form.form, one.text) for one in texts] == [
        *(("topics", f"t{n}") for n in "123"),
        *(("description", f"d{n}") for n in "123"),
    ]


def test_damaged_topics_are_quoted_by_line(bench, collection):
    one = upload(bench, collection, "topics", b'{"topic_id": "1", "title": "a"}\n{"topic_id"\n')
    drain()
    one.refresh_from_db()
    assert [(m["line"], m["kind"], m["quoted"]) for m in one.messages] == [
        (2, "topic_damaged", '{"topic_id"')
    ]
    assert not TopicText.objects.exists()
