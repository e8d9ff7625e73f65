"""The four commands: the keys and values of their JSON."""

from pathlib import Path

import pytest

from tests.evaluation.command import answer, text


@pytest.mark.usefixtures("files")
def test_check_accepts_a_run_plain_or_gzip(capsys):
    for name in ("run", "run.gz"):
        found = answer(capsys, "check", "--run", name, "--topics", "topics", "--depth", "3")
        assert set(found) == {"outcome", "messages", "run"}
        assert (found["outcome"], found["messages"]) == ("accepted", [])
        assert (found["run"]["tag"], found["run"]["topics"], found["run"]["documents"]) == (
            "base",
            2,
            5,
        )
        assert len(found["run"]["sha256"]) == 64


@pytest.mark.usefixtures("files")
def test_check_lists_faults_with_line_kind_and_remedy(capsys):
    found = answer(capsys, "check", "--run", "bad", status=1)
    assert found["outcome"] == "rejected"
    kinds = {(message["line"], message["kind"]) for message in found["messages"]}
    assert (2, "score_not_finite") in kinds
    assert all(message["text"] and message["remedy"] for message in found["messages"])
    out, err = text(capsys, "check", "--run", "bad", status=1)
    assert "bad: error: line 2" in err
    assert "rejected" in out


@pytest.mark.usefixtures("files")
def test_check_obeys_rules_and_options(capsys):
    arguments = ["check", "--run", "run", "--tag-pattern", "[A-Z]+"]
    assert answer(capsys, *arguments, status=1)["messages"][0]["kind"] == "tag_invalid"
    found = answer(capsys, *arguments, "--rule", "tag_invalid=warning")
    assert found["outcome"] == "accepted_with_warning"
    found = answer(capsys, "check", "--run", "run", "--depth", "2", status=1)
    assert found["messages"][0]["kind"] == "too_many_documents"


@pytest.mark.usefixtures("files")
def test_check_holds_a_run_against_a_pool_or_an_initial_run(capsys):
    Path("pool").write_text("1\tb\t0.5\n1\ta\t1.5\n2\td\t1\n2\te\t0\n")
    for pool in ("pool", "other"):
        found = answer(capsys, "check", "--run", "run", "--pool", pool, status=1)
        kinds = [(message["line"], message["kind"]) for message in found["messages"]]
        assert (3, "document_not_in_pool") in kinds
    Path("ids").write_text("a\nb\nd\ne\n")
    found = answer(capsys, "check", "--run", "run", "--documents", "ids", status=1)
    assert found["messages"][0]["kind"] == "document_not_in_collection"


@pytest.mark.usefixtures("files")
def test_score_has_the_keys_of_the_contract(capsys):
    found = answer(
        capsys, "score", "--qrels", "qrels", "--run", "run", "--measure", "MRR", "--measure", "P@2"
    )
    assert found["run"]["tag"] == "base"
    assert found["topics_averaged"] == {"rule": "judged", "count": 3}
    assert list(found["measures"]) == ["RR", "P@2"]
    rank = found["measures"]["RR"]
    assert rank["topics"] == {"1": 0.5, "2": 1.0, "3": 0.0}
    assert rank["mean"] == 0.5
    # sd .5, t(.975, 2) = 4.302653
    assert rank["interval"] == pytest.approx([0.5 - 1.242069, 0.5 + 1.242069], abs=1e-6)
    assert "reason" not in rank


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("options", "count", "mean"),
    [
        (["--topics-averaged", "judged_with_relevant"], 2, 0.75),
        (["--topics-averaged", "retrieved"], 2, 0.75),
        (["--topics", "topics"], 2, 0.75),
        ([], 3, 0.5),
    ],
)
def test_score_averages_as_asked(capsys, options, count, mean):
    found = answer(capsys, "score", "--qrels", "qrels", "--run", "run", "--measure", "RR", *options)
    assert found["topics_averaged"]["count"] == count
    assert found["measures"]["RR"]["mean"] == mean


@pytest.mark.usefixtures("files")
def test_score_over_no_topic_gives_null_and_a_reason(capsys):
    Path("zero").write_text("1 0 a 0\n")
    arguments = ["--measure", "AP", "--topics-averaged", "judged_with_relevant"]
    found = answer(capsys, "score", "--qrels", "zero", "--run", "run", *arguments)
    assert found["measures"]["AP"] == {
        "mean": None,
        "reason": "no topic to average over",
        "interval": None,
        "topics": {},
    }
    out, _ = text(capsys, "score", "--qrels", "zero", "--run", "run", *arguments)
    assert "AP: no topic to average over." in out


@pytest.mark.usefixtures("files")
def test_score_in_single_precision_ties_what_double_tells_apart(capsys):
    Path("close").write_text("1 Q0 a 1 1.00000001 t\n1 Q0 b 2 1.0 t\n")
    arguments = ["score", "--qrels", "qrels", "--run", "close", "--measure", "RR"]
    assert answer(capsys, *arguments)["measures"]["RR"]["topics"]["1"] == 0.5
    found = answer(capsys, *arguments, "--precision", "single")
    assert found["measures"]["RR"]["topics"]["1"] == 1.0


@pytest.mark.usefixtures("files")
def test_score_of_real_valued_judgments_must_be_asked_for(capsys):
    Path("gains").write_text("1 0 a 0.5\n1 0 b 1.5\n")
    arguments = ["score", "--qrels", "gains", "--run", "run", "--measure", "nDCG(ideal='pool')@1"]
    refused = answer(capsys, *arguments, status=1)
    assert (refused["file"], refused["messages"][0]["kind"]) == ("gains", "bad_relevance")
    found = answer(capsys, *arguments, "--real-valued")
    assert found["measures"]["nDCG(ideal='pool')@1"]["mean"] == pytest.approx(1 / 3)


@pytest.mark.usefixtures("files")
def test_score_in_the_format_of_trec_eval(capsys):
    out, _ = text(
        capsys,
        *("score", "--qrels", "qrels", "--run", "run", "--per-topic", "--format", "trec"),
        *("--measure", "AP", "--measure", "Judged@2"),
    )
    assert [line.split() for line in out.splitlines()] == [
        ["map", "1", "0.5000"],
        ["Judged@2", "1", "0.5000"],
        ["map", "2", "1.0000"],
        ["Judged@2", "2", "0.5000"],
        ["map", "3", "0.0000"],
        ["Judged@2", "3", "0.0000"],
        ["runid", "all", "base"],
        ["num_q", "all", "3"],
        ["map", "all", "0.5000"],
        ["Judged@2", "all", "0.3333"],
    ]


@pytest.mark.usefixtures("files")
def test_compare_has_the_keys_of_the_contract(capsys):
    found = answer(
        capsys,
        *("compare", "--original", "run", "--submitted", "other", "--qrels", "qrels"),
        *("--measure", "RR", "--depth", "3", "--rbo-p", "0.9"),
    )
    assert found["topics"] == 2
    for name in (
        "kendall_tau_union",
        "kendall_tau_union_sorted",
        "kendall_tau_union_tied_below",
        "kendall_tau_intersection",
        "rank_biased_overlap",
        "overlap",
    ):
        assert set(found[name]) >= {"mean", "topics"}
        assert list(found[name]["topics"]) == ["1", "2"]
    # b, a, x against a, b, c: places 2, 1, 4 in the union.
    assert found["kendall_tau_union"]["topics"] == {"1": pytest.approx(1 / 3), "2": 1.0}
    assert found["kendall_tau_union"]["variant"] == "first_appearance"
    assert found["rank_biased_overlap"]["p"] == 0.9
    assert found["overlap"]["topics"]["1"] == pytest.approx(2 / 3)
    assert set(found["measures"]["RR"]) >= {
        "arp_original",
        "arp_submitted",
        "delta_arp",
        "rmse",
        "nrmse",
        "p_value",
        "t",
    }
    assert found["measures"]["RR"]["delta_arp"] == pytest.approx(1 / 6)
    without = answer(capsys, "compare", "--original", "run", "--submitted", "other")
    assert without["measures"] == {}


@pytest.mark.usefixtures("files")
def test_effects_have_the_keys_of_the_contract(capsys):
    arguments = ["effects", "--qrels", "qrels", "--original", "run", "other", "--submitted"]
    found = answer(capsys, *arguments, "run", "other", "--measure", "RR")["measures"]["RR"]
    assert (found["effect_ratio"], found["delta_ri"], found["region"]) == (1, 0, None)
    assert found["reasons"] == {"region": "on an axis"}
    assert found["original_effect"]["mean"] == pytest.approx(1 / 6)
    assert found["p_value"] == {"baseline": 1, "advanced": 1}
    new = answer(capsys, *arguments, "run", "run", "--new-qrels", "qrels", "--measure", "RR")
    assert new["collection"] == "new"
    assert new["measures"]["RR"]["effect_ratio"] == 0
    assert new["measures"]["RR"]["relative_improvement_original"] == pytest.approx(1 / 3)


def test_files_of_ones_own_may_be_larger_than_uploads():
    from evaluation.cli import OWN_FILES
    from evaluation.rules import Budgets

    uploads = Budgets()
    assert OWN_FILES.upload_bytes > uploads.upload_bytes
    assert (OWN_FILES.expansion, OWN_FILES.line_bytes) == (uploads.expansion, uploads.line_bytes)
