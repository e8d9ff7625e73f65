"""What the library gives for each kind of golden case, under the keys of the golden files.

Every function takes a case and the folder, and returns the values that the library offers; keys
that it leaves out are skipped by the runner.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from evaluation.agreement import kendall_tau_b
from evaluation.averaging import averaged_topics, mean
from evaluation.comparison import compare_rankings
from evaluation.data import Qrels, Run, TopicScores
from evaluation.deviation import arp, delta_arp, nrmse, rmse
from evaluation.effectiveness import evaluate, join
from evaluation.effectiveness.ndcg import ndcg
from evaluation.effects import effects
from evaluation.judgments import read_qrels
from evaluation.notation import parse
from evaluation.ordering import (
    UNION_VARIANTS,
    kendall_tau_intersection,
    kendall_tau_union,
    rank_biased_overlap,
    shared_documents,
)
from evaluation.rules import CheckRules, Precision
from evaluation.significance import TTest, paired_t, pooled_t, welch_t
from evaluation.trec import read_run
from tests.golden_bootstrap import bootstrap
from tests.golden_uncertainty import OWN_KINDS

Case = Mapping[str, Any]
Values = dict[str, Any]

UNION_KEYS = {
    "first_appearance": "tau_union_first",
    "sorted": "tau_union_sorted",
    "tied_below": "tau_union_tied_below",
}


@cache
def run_of(path: Path, precision: Precision = "double") -> Run:
    # A file of trec_eval's own test has words after the tag, which trec_eval ignores.
    rules = CheckRules(precision=precision, levels={"extra_column": "ignore"})
    return read_run(path, rules).sound()


@cache
def qrels_of(path: Path) -> Qrels:
    return read_qrels(path).sound()


def rankings(first: list[bytes], second: list[bytes], params: Case) -> Values:
    p, cutoff = params["p"], params["cutoff"]
    first, second = first[:cutoff], second[:cutoff]
    depth = params.get("depth", cutoff)
    values: Values = {
        UNION_KEYS[variant]: kendall_tau_union(first, second, variant=variant)
        for variant in UNION_VARIANTS
    }
    values["tau_intersection"] = kendall_tau_intersection(first, second)
    values["shared_documents"] = shared_documents(first, second)
    values["rbo_ext"] = rank_biased_overlap(first, second, p=p)
    values["rbo_min"] = rank_biased_overlap(first, second, p=p, variant="min")
    values["rbo_truncated"] = rank_biased_overlap(
        first, second, p=p, variant="truncated", depth=depth
    )
    values["rbo_normalised"] = rank_biased_overlap(
        first, second, p=p, variant="normalised", depth=depth
    )
    return values


def ranking_pair(case: Case, folder: Path) -> Values:
    del folder
    given = case["inputs"]
    first, second = ([name.encode() for name in given[side]] for side in ("original", "replicated"))
    return rankings(first, second, case["params"])


def _test(name: str, test: TTest, product: bool = True) -> Values:
    is_computed = test.rule == "computed"
    values: Values = {
        f"t_{name}": test.t if is_computed else None,
        f"p_{name}": test.p_value if is_computed else None,
    }
    return values | ({f"p_{name}_product": test.p_value} if product else {})


def score_pair(case: Case, folder: Path) -> Values:
    del folder
    first = TopicScores.of("", case["inputs"]["original"])
    second = TopicScores.of("", case["inputs"]["replicated"])
    values: Values = {
        "arp_original": arp(first.values),
        "arp_replicated": arp(second.values),
        "delta_arp": delta_arp(first.values, second.values),
        **_test("unpaired", pooled_t(first.values, second.values)),
        **_test("welch", welch_t(first.values, second.values), product=False),
    }
    if first.topics == second.topics:
        paired = paired_t(first.values, second.values)
        values |= {
            "rmse": rmse(first.values, second.values),
            "nrmse": nrmse(first.values, second.values),
            "p_paired_rule": paired.rule,
            **_test("paired", paired),
        }
    return values


def effect_values(case: Case, folder: Path) -> Values:
    del folder
    names = (
        "original_baseline",
        "original_advanced",
        "replicated_baseline",
        "replicated_advanced",
    )
    found = effects(*(TopicScores.of("", case["inputs"][name]).values for name in names))
    return {
        "mean_improvement_original": found.original_effect.mean,
        "mean_improvement_replicated": found.submitted_effect.mean,
        "er": found.effect_ratio,
        "ri": found.relative_improvement_original,
        "ri_prime": found.relative_improvement_submitted,
        "delta_ri": found.delta_ri,
        "region": found.region,
    }


def ndcg_values(case: Case, folder: Path) -> Values:
    del folder
    ranking, cutoff = case["inputs"]["ranking"], case["params"]["cutoff"]
    run = Run.of({"1": {name: float(-place) for place, name in enumerate(ranking)}})
    joined = join(run, Qrels.of({"1": case["inputs"]["qrels"]}))

    def value(cut: int | None, **variant: Any) -> float:
        return float(ndcg(joined, cut, **variant)[0])

    return {
        "ndcg_linear": value(cutoff),
        "ndcg_exponential": value(cutoff, dcg="exp-log2"),
        "ndcg_neuclir_recipe": value(cutoff, dcg="exp-log2", clip=None),
        "ndcg_own_pool": value(cutoff, ideal="run", clip=None),
        "ndcg_linear_full": value(None),
        "ndcg_exponential_full": value(None, dcg="exp-log2"),
    }


def measure_name(key: str, rel: int = 1) -> str:
    """The library's name of a measure that a golden file names as trec_eval does."""
    for prefix in ("ndcg_exponential", "ndcg_exp"):
        if key == prefix or key.startswith(f"{prefix}_cut_"):
            cut = key.removeprefix(prefix).removeprefix("_cut_")
            return "nDCG(dcg='exp-log2')" + (f"@{cut}" if cut else "")
    measure = parse(key)
    return (
        measure.name
        if "rel" not in dict(measure.parameters) or rel == 1
        else (f"{measure.family}(rel={rel})" + (f"@{measure.cutoff}" if measure.cutoff else ""))
    )


def _keyed(run: Run, qrels: Qrels, keys: Any, rel: int = 1, depth: int | None = None) -> Any:
    names = {key: parse(measure_name(key, rel)).name for key in keys}
    found = evaluate(run, qrels, names.values(), depth=depth)
    return {key: found[name] for key, name in names.items()}


def _per_topic(scores: Mapping[str, TopicScores], topics: Any) -> Values:
    return {
        topic: {key: float(one.over([topic])[0]) for key, one in scores.items()} for topic in topics
    }


def run_evaluation(case: Case, folder: Path) -> Values:
    path = folder / case["inputs"]["run_file"]
    qrels = qrels_of(folder / case["inputs"]["qrels_file"])
    run, expected = run_of(path), case["expected"]
    scores = _keyed(run, qrels, next(iter(expected["per_topic"].values())))
    rules = {
        "mean_all_judged_topics": "judged",
        "mean_topics_in_run_only": "retrieved",
        "mean_judged_topics_with_a_relevant_document": "judged_with_relevant",
    }
    values: Values = {
        name: {
            key: mean(scores[key], averaged_topics(rule, qrels, [run])).value
            for key in expected[name]
        }
        for name, rule in rules.items()
    }
    relevant = set(averaged_topics("judged_with_relevant", qrels))
    return values | {
        "order": order(run),
        "order_if_scores_are_single_precision": order(run_of(path, "single")),
        "per_topic": _per_topic(scores, qrels.topics),
        "topics_judged_but_not_in_run": [t for t in qrels.topics if t not in run.topics],
        "topics_in_run_but_not_judged": [t for t in run.topics if t not in qrels.topics],
        "topics_without_relevant": [t for t in qrels.topics if t not in relevant],
    }


def order(run: Run) -> Values:
    return {topic: [name.decode() for name in run.ranking(topic)] for topic in run.topics}


def run_pair(case: Case, folder: Path) -> Values:
    first = run_of(folder / case["inputs"]["original_run"])
    second = run_of(folder / case["inputs"]["replicated_run"])
    params = case["params"]
    common = [topic for topic in first.topics if topic in second.topics]
    per_topic = {
        topic: rankings(first.ranking(topic), second.ranking(topic), params) for topic in common
    }
    means: Values = {}
    for key in case["expected"]["mean_over_defined_common_topics"]:
        one = mean(TopicScores.of(key, {topic: per_topic[topic][key] for topic in common}))
        means[key] = {"mean": one.value, "topics": one.count}
    product = compare_rankings(first, second, depth=params["cutoff"], rbo_p=params["p"])
    for name, key in {
        "kendall_tau_union": "tau_union_first",
        "kendall_tau_union_sorted": "tau_union_sorted",
        "kendall_tau_intersection": "tau_intersection",
        "rank_biased_overlap": "rbo_ext",
    }.items():
        found = product[name].mean
        means[key] = {"mean": found.value, "topics": found.count}
    return {
        "per_topic": per_topic,
        "mean_over_defined_common_topics": means,
        "only_in_original": [topic for topic in first.topics if topic not in second.topics],
        "only_in_replicated": [topic for topic in second.topics if topic not in first.topics],
    }


def run_format(case: Case, folder: Path) -> Values:
    del folder
    checked = read_run(case["inputs"]["text"].encode())
    values: Values = {"accepted": checked.run is not None}
    if checked.run is not None:
        values["order"] = order(checked.run)
    else:
        # The wording is free, so a reason is whether one is given.
        values["reason"] = checked.messages[0].text and case["expected"].get("reason")
    return values


def correlation(case: Case, folder: Path) -> Values:
    del folder
    return {"kendall_tau_b": kendall_tau_b(case["inputs"]["x"], case["inputs"]["y"])}


COUNTS = ("num_q", "num_ret", "num_rel", "num_rel_ret")


def trec_eval_reference(case: Case, folder: Path) -> Values:
    run = run_of(folder / case["inputs"]["run_file"])
    qrels = qrels_of(folder / case["inputs"]["qrels_file"])
    rel, depth = case["params"]["relevance_level"], case["params"]["max_docs"]
    topics = averaged_topics("judged" if case["params"]["complete"] else "retrieved", qrels, [run])
    keys = [key for key in case["expected"]["all"] if key not in COUNTS]
    scores = _keyed(run, qrels, keys, rel, depth)
    joined = join(run, qrels, topics, depth)
    counts = {
        "num_ret": joined.retrieved(),
        "num_rel": joined.relevant(rel),
        "num_rel_ret": joined.total(joined.is_relevant(rel).astype(float)),
    }
    per_topic = _per_topic(scores, topics)
    for place, topic in enumerate(topics):
        per_topic[topic] |= {key: float(values[place]) for key, values in counts.items()}
    overall: Values = {key: mean(scores[key], topics).value for key in keys}
    overall |= {key: math.fsum(values) for key, values in counts.items()}
    return {"per_topic": per_topic, "all": overall | {"num_q": len(topics)}}


KINDS: Mapping[str, Callable[[Case, Path], Values]] = {
    "ranking_pair": ranking_pair,
    "score_pair": score_pair,
    "effects": effect_values,
    "ndcg": ndcg_values,
    "run_evaluation": run_evaluation,
    "run_pair": run_pair,
    "run_format": run_format,
    "correlation": correlation,
    "bootstrap": bootstrap,
    **OWN_KINDS,
    "trec_eval_reference": trec_eval_reference,
}
