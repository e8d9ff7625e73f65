"""The help: complete, true to the library, and sound HTML."""

import re
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from campaigns.templatetags.help_links import entry_of
from campaigns.views.help import examples
from campaigns.views.help.effectiveness_texts import EFFECTIVENESS
from campaigns.views.help.examples import POOL, QRELS, RUN, TOPICS
from campaigns.views.help.message_groups import groups
from campaigns.views.help.reproduction_texts import EFFECTS, RANKINGS, SCORES
from evaluation.judgments import read_pool, read_qrels
from evaluation.kinds import KINDS
from evaluation.notation import FAMILIES, parse
from evaluation.pair_measures import PAIR_MEASURES
from evaluation.topics import read_topics
from evaluation.trec import read_run

REPRODUCTION = (*RANKINGS, *SCORES, *EFFECTS)


def keys(texts):
    return {key for text in texts for key in text.keys}


def test_every_measure_of_the_library_is_explained_once():
    assert keys(EFFECTIVENESS) == set(FAMILIES)
    assert keys(REPRODUCTION) == set(PAIR_MEASURES)


@pytest.mark.parametrize("text", EFFECTIVENESS, ids=lambda text: text.key)
def test_variants_are_names_that_the_library_reads(text):
    for name, _ in text.variants:
        measure = parse(re.sub(r"@k\b", "@10", name))
        assert measure.family == text.key


@pytest.mark.parametrize("text", [*EFFECTIVENESS, *REPRODUCTION], ids=lambda text: text.key)
def test_formula_is_mathml(text):
    tree = ElementTree.fromstring(text.mathml)
    assert tree.tag.endswith("math")
    assert tree.attrib["display"] == "block"
    assert "\\" not in "".join(tree.itertext())
    assert "style" not in text.mathml


def test_every_kind_of_message_has_its_remedy(client):
    assert {kind.name for group in groups() for kind in group.kinds} == set(KINDS)
    html = client.get(reverse("help:messages")).content.decode()
    for name, kind in KINDS.items():
        assert html.count(f'id="{name}"') == 1
        assert kind.name in html


def test_examples_are_sound_files(tmp_path):
    for name, text in (("run", RUN), ("qrels", QRELS), ("topics", TOPICS), ("pool", POOL)):
        (tmp_path / name).write_text(text + "\n")
    topics = tuple(read_topics(tmp_path / "topics").sound())
    checked = read_run(tmp_path / "run", topics=topics)
    assert (checked.outcome, checked.messages) == ("accepted", ())
    assert read_qrels(tmp_path / "qrels").outcome == "accepted"
    pool = read_pool(tmp_path / "pool")
    assert (pool.outcome, pool.messages) == ("accepted", ())


def test_examples_of_topics_are_the_same_in_each_form():
    titles = {"101": "medicinal use of garlic", "102": "history of the suspension bridge"}
    assert read_topics(examples.TOPICS.encode()).sound() == titles
    assert read_topics(examples.TOPICS_JSONL.encode()).sound() == titles
    both = (examples.TOPICS_SGML + "\n" + examples.TOPICS_XML).encode()
    assert read_topics(both).sound() == titles


def test_findings_and_passports_lead_to_the_help():
    html = render_to_string(
        "parts/findings.html",
        {"listed": [{"level": "error", "kind": "bad_score", "text": "x", "place": "Line 1"}]},
    )
    assert "/help/messages/#bad_score" in html


def test_terms_stand_the_right_way_round(client):
    html = client.get(reverse("help:terms")).content.decode()
    row = html[html.index('id="same-collection"') : html.index('id="new-collection"')]
    assert row.index("replicability") < row.index("reproducibility")


@pytest.mark.django_db
def test_every_link_of_the_help_leads_somewhere(client):
    pages = {}
    for address in re.findall(r'href="(/help/[a-z-]+/)"', client.get("/help/").content.decode()):
        pages[address] = client.get(address).content.decode()
    assert len(pages) == 10
    for html in pages.values():
        for target in re.findall(r'href="(/[^"#]*)', html):
            if not target.startswith("/static/"):
                assert client.get(target).status_code in (200, 302), target
        anchors = set(re.findall(r'id="([^"]+)"', html))
        assert set(re.findall(r'href="#([^"]+)"', html)) - {"main"} <= anchors


@pytest.mark.parametrize(
    ("key", "entry"),
    [
        ("nDCG@10", ("nDCG", "nDCG")),
        ("R@1000", ("R", "R")),
        ("RBP(p=0.8, rel=1)", ("RBP", "RBP")),
        ("effect_ratio(AP)", ("effect_ratio", "ER")),
        ("baseline:rmse(nDCG@10)", ("rmse", "RMSE")),
        ("advanced:rank_biased_overlap", ("rank_biased_overlap", "RBO")),
        ("order", None),
    ],
)
def test_columns_lead_to_their_entry(key, entry):
    assert entry_of(key) == entry
    if entry is not None:
        assert entry[0] in keys(EFFECTIVENESS) | keys(REPRODUCTION)
