"""Topics as JSON lines, as TREC's SGML and as XML: the same topics as in a file of tabs."""

import json
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.rules import Budgets, CheckRules
from evaluation.topics import read_topics

ROBUST = b"""<top>

<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate in
international criminal activity at AT&T.

<narr> Narrative:
A relevant document must name them.
</top>

<top>
<num> Number: 302 </num>
<dom> Domain: Medicine
<title> Topic: Poliomyelitis &amp; Post&#45;Polio
</top>
"""

COVID = """<?xml version="1.0" encoding="UTF-8"?>
<!-- Round 1
     of the task -->
<topics task="COVIDSearch">
  <topic number="1">
    <query>coronavirus origin</query>
    <question>what is the origin
      of COVID-19</question>
    <narrative>seeking <i>range</i> of information</narrative>
  </topic>
  <topic
    number="2"><query>&lt;weather&gt; \u03b2</query></topic>
</topics>
"""

NEUCLIR = b"""\
{"topic_id": "0", "topics": [{"lang": "eng", "topic_title": "Iran", "topic_description": "of it"}, {"lang": "fas", "topic_title": "\xd8\xa7"}]}

{"topic_id": 2, "title": "flat\\tone", "narrative": "n"}
"""  # noqa: E501


def found(checked):
    return [(one.level, one.line, one.kind) for one in checked.messages]


def test_topics_of_the_nineties():
    assert read_topics(ROBUST).sound() == {
        "301": "International Organized Crime",
        "302": "Poliomyelitis & Post-Polio",
    }
    assert read_topics(ROBUST, wording="description").sound() == {
        "301": "Identify organizations that participate in international criminal activity at AT&T.",  # noqa: E501
        "302": "",
    }
    assert read_topics(ROBUST.replace(b"\n", b"\r\n"), wording="narrative").sound()["301"] == (
        "A relevant document must name them."
    )


def test_topics_of_xml():
    checked = read_topics(COVID.encode())
    assert checked.messages == ()
    assert checked.sound() == {"1": "coronavirus origin", "2": "<weather> \u03b2"}
    assert read_topics(COVID.encode(), wording="narrative").sound() == {
        "1": "seeking range of information",
        "2": "",
    }


def test_topics_of_neuclir():
    assert read_topics(NEUCLIR).sound() == {"0": "Iran", "2": "flat one"}
    assert read_topics(NEUCLIR, language="fas").sound()["0"] == "\u0627"
    assert read_topics(NEUCLIR, wording="description").sound() == {"0": "of it", "2": ""}
    assert list(read_topics(b"\xef\xbb\xbf" + NEUCLIR).sound()) == ["0", "2"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b'{"topic_id": "1"', "topic_damaged"),
        (b'["1", "one"]', "topic_damaged"),
        (b'{"title": "no id"}', "topic_damaged"),
        (b'{"id": true, "title": "a"}', "topic_damaged"),
        (b'{"id": "2", "title": 7}', "topic_damaged"),
        (b'{"id": "1", "title": "again"}', "duplicate_topic"),
        (b'{"id": "2 3", "title": "a"}', "character_not_allowed"),
        (b'{"id": "2", "title": "a\\u0000b"}', "character_not_allowed"),
        (b'{"id": "2", "title": "\\ud800"}', "encoding_not_utf8"),
        (b'{"id": "2", "title": "\xff"}', "encoding_not_utf8"),
        (b"[" * 50_000, "topic_damaged"),
        (b'{"id": "2", "title": "' + b"x" * 70_000 + b'"}', "line_too_long"),
    ],
)
def test_faulty_line_of_json(line, kind):
    checked = read_topics(b'{"id": "1", "title": "one"}\n' + line + b'\n{"id": "3"}\n')
    assert found(checked) == [("error", 2, kind)]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"<top><title>no id</top>", "topic_damaged"),
        (b"<top><num>2<title>a &eacute;</top>", "entity_not_allowed"),
        (b"<top><num>2<title>a &#x110000;</top>", "entity_not_allowed"),
        (b"<top><num>2<title>a &#0;</top>", "character_not_allowed"),
        (b"<top><num>2<title>a &#xd800;</top>", "encoding_not_utf8"),
        (b'<!ENTITY x "y">', "entity_not_allowed"),
        (b"<top><num>1<title>again</top>", "duplicate_topic"),
        (b"<top><num>2 3</top>", "character_not_allowed"),
        (b"<top><num>2<top><num>4</top>", "topic_damaged"),
        (b"</top>", "topic_damaged"),
        (b"words between topics", "topic_damaged"),
        (b"<top><num>2<title>\xff</top>", "encoding_not_utf8"),
    ],
)
def test_faulty_topic_of_markup(line, kind):
    checked = read_topics(b"<top><num>1</top>\n" + line + b"\n<top><num>3</top>\n")
    assert found(checked) == [("error", 2, kind)]


def test_topic_that_is_open_at_the_end():
    assert found(read_topics(b"<top><num>1</top>\n<top><num>2\n")) == [
        ("error", 2, "topic_damaged")
    ]
    assert found(read_topics(b"<topics\n")) == [("error", 1, "topic_damaged")]


def test_declared_entities_are_refused_wherever_they_stand():
    bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aa">]>\n<topic number="1"></topic>\n'
    assert ("error", 1, "entity_not_allowed") in found(read_topics(bomb))


def test_files_without_topics_are_named():
    assert found(read_topics(b"<!DOCTYPE html><p>hello")) == [("error", None, "not_a_run")]
    assert found(read_topics(b'[{"id": 1}]')) == [("error", None, "topic_damaged")]
    assert found(read_topics(b"<topics></topics>")) == [("error", None, "empty_file")]


def test_form_may_be_told():
    assert read_topics(b"{a}\tbraces\n", form="tsv").sound() == {"{a}": "braces"}


def test_too_many_topics_end_the_reading():
    rules = CheckRules(budgets=Budgets(topics=2))
    text = b"".join(b'{"id": %d}\n' % number for number in range(4))
    assert found(read_topics(text, rules)) == [("error", None, "file_too_large")]


def test_endless_topic_is_cut():
    text = b"<top><num>1<title>\n" + b"words and words\n" * 10_000 + b"</top>\n"
    assert found(read_topics(text)) == [("error", 1, "line_too_long")]


@pytest.mark.parametrize("begin", [b"<!-- ", b"<?", b'<a "', b"<topic a='", b"&#", b"<top><num>"])
def test_hostile_markup_is_read_to_its_end(begin):
    for text in (begin * 10_000, (begin + b"\n") * 40_000):
        assert read_topics(b"<top>" + text).outcome == "rejected"


TEXTS = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=12
).map(lambda text: text.replace("#", "x"))
IDS = st.from_regex(r"[A-Za-z0-9_.-]{1,8}", fullmatch=True)
NAMES = {"id", "qid", "query", "query_id", "text", "title", "topic", "topic_id", "topicid"}


@given(st.dictionaries(IDS, TEXTS, min_size=1, max_size=5))
def test_all_forms_of_the_same_topics_read_equal(topics):
    topics = {name: text for name, text in topics.items() if name.lower() not in NAMES}
    topics["last"] = "label: kept"
    tabs = "".join(f"{name}\t{text}\n" for name, text in topics.items())
    lines = "".join(json.dumps({"id": name, "title": text}) + "\n" for name, text in topics.items())
    xml = "".join(
        f"<topic number={quoteattr(name)}><title>{escape(text)}</title></topic>\n"
        for name, text in topics.items()
    )
    sgml = "".join(f"<top><num>{n}\n<title>{escape(t)}\n</top>\n" for n, t in topics.items())
    for text in (tabs, lines, f"<topics>\n{xml}</topics>", sgml):
        read = read_topics(text.encode(), form="tsv" if text is tabs else None)
        assert list(read.sound().items()) == list(topics.items())


@given(st.sampled_from([b"{", b"<top>", b"<topic ", b'{"id":"1",', b"<"]), st.binary(max_size=200))
def test_any_bytes_give_a_report_and_no_crash(begin, raw):
    checked = read_topics(begin + raw)
    assert (checked.topics is None) == (checked.outcome == "rejected")
