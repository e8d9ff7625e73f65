"""Measure names: what is read, what is refused, what each measure promises."""

import subprocess
import sys

import pytest

from evaluation.errors import EvaluationError
from evaluation.notation import UnknownMeasureError, parse, parse_all

CANONICAL = [
    "nDCG",
    "nDCG@10",
    "nDCG(dcg='exp-log2')@10",
    "nDCG(ideal='pool')@10",
    "nDCG(ideal='run')@10",
    "nDCG(ideal='pool', clip=None)@10",
    "AP",
    "AP@100",
    "AP(rel=2)",
    "P@10",
    "P(rel=2)@10",
    "R@1000",
    "RR",
    "RR@10",
    "Rprec",
    "Bpref",
    "RBP(p=0.8, rel=1)",
    "RBP(p=0.5, rel=2)@10",
    "Judged@10",
    "ERR",
    "ERR@20",
    "ERR(maxgrade=4)@20",
]


@pytest.mark.parametrize("name", CANONICAL)
def test_canonical_name_reads_back_to_itself(name):
    assert parse(name).name == name
    assert parse(f" {name} ") == parse(name)
    assert hash(parse(name)) == hash(parse(name))


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("MAP", "AP"),
        ("MRR", "RR"),
        ("MRR@10", "RR@10"),
        ("NDCG@10", "nDCG@10"),
        ("ndcg@20", "nDCG@20"),
        ("Recall@1000", "R@1000"),
        ("Precision@5", "P@5"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg", "nDCG"),
        ("map", "AP"),
        ("map_cut_100", "AP@100"),
        ("recip_rank", "RR"),
        ("P_10", "P@10"),
        ("recall_1000", "R@1000"),
        ("bpref", "Bpref"),
        ("RPrec", "Rprec"),
        ("RBP", "RBP(p=0.8, rel=1)"),
        ("AP(rel=1)", "AP"),
        ("nDCG(dcg='log2', ideal='judged')@10", "nDCG@10"),
        ('nDCG(dcg="exp-log2")@10', "nDCG(dcg='exp-log2')@10"),
        ("nDCG(clip=0, ideal='pool')@10", "nDCG(ideal='pool')@10"),
        ("RBP(rel=2,p=0.5)", "RBP(p=0.5, rel=2)"),
    ],
)
def test_alias_gives_the_canonical_name(alias, name):
    assert parse(alias).name == name


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("", "Accepted: nDCG"),
        ("F1@10", "Accepted: nDCG"),
        ("nDCG@", "Accepted: nDCG"),
        ("nDCG@ten", "Accepted: nDCG"),
        ("nDCG@10)", "Accepted: nDCG"),
        ("P", "needs a cutoff"),
        ("Judged", "needs a cutoff"),
        ("ERR(maxgrade=0)", "maxgrade must be"),
        ("ERR(rel=2)@20", "no parameter 'rel'"),
        ("P@0", "1 or more"),
        ("Rprec@10", "takes no cutoff"),
        ("nDCG(rel=2)@10", "no parameter 'rel'"),
        ("AP(rel=0)", "rel must be"),
        ("AP(rel='2')", "rel must be"),
        ("AP(rel=True)", "cannot be read"),
        ("AP(rel=1.5)", "rel must be"),
        ("AP(rel=1, rel=2)", "cannot be read"),
        ("AP(rel=1,)", "cannot be read"),
        ("AP(rel=-1)", "cannot be read"),
        ("nDCG@" + "9" * 5000, "Accepted: nDCG"),
        ("AP(2)", "cannot be read"),
        ("AP(rel=2", "Accepted: nDCG"),
        ("AP(rel=open('x'))", "Accepted: nDCG"),
        ("RBP(p=1)", "between 0 and 1"),
        ("RBP(p=1.5)", "between 0 and 1"),
        ("nDCG(dcg='ln')@10", "'log2' or 'exp-log2'"),
        ("nDCG(ideal=pool)@10", "cannot be read"),
        ("nDCG(clip=None)@10", "ideal='pool' only"),
        ("nDCG(ideal='pool', clip=1)@10", "0 or None"),
    ],
)
def test_wrong_name_is_refused_with_what_is_accepted(name, part):
    with pytest.raises(UnknownMeasureError, match=r".") as caught:
        parse(name)
    assert part in str(caught.value)
    assert isinstance(caught.value, EvaluationError)


def test_range_follows_the_clip():
    assert parse("nDCG(ideal='pool')@10").is_bounded_by_one
    unclipped = parse("nDCG(ideal='pool', clip=None)@10")
    assert (unclipped.low, unclipped.high) == (None, None)
    own = parse("nDCG(ideal='run')@10")
    assert (own.low, own.high, own.is_bounded_by_one) == (None, 1.0, False)


def test_rank_key_puts_larger_first_and_ties_rounding_noise():
    measure = parse("P@10")
    assert sorted([0.2, 0.6, 0.4], key=measure.rank_key) == [0.6, 0.4, 0.2]
    assert measure.rank_key(0.1 + 0.2) == measure.rank_key(0.3)
    assert not parse("Judged@10").is_rankable


def test_repeated_names_are_read_once_in_order():
    names = [measure.name for measure in parse_all(["MAP", "P@5", "AP", "P_5"])]
    assert names == ["AP", "P@5"]


def test_trec_eval_name_exists_for_its_own_measures_only():
    names = ["AP", "AP@10", "nDCG", "nDCG@5", "P@5", "R@5", "RR", "Rprec", "Bpref"]
    assert [parse(name).trec_eval_name for name in names] == [
        "map",
        "map_cut_10",
        "ndcg",
        "ndcg_cut_5",
        "P_5",
        "recall_5",
        "recip_rank",
        "Rprec",
        "bpref",
    ]
    others = ["AP(rel=2)", "RR@10", "RBP", "Judged@5", "nDCG(dcg='exp-log2')@5"]
    assert [parse(name).trec_eval_name for name in others] == [None] * 5


def test_names_and_regions_load_no_numpy():
    code = (
        "import sys, evaluation, evaluation.notation, evaluation.pair_measures, evaluation.regions;"
        "sys.exit(any(name in sys.modules for name in ('numpy', 'scipy', 'django')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
