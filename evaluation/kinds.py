"""All kinds of message about a file: level, remedy, and what a task's rules may make of them.

Imports the standard library alone: forms and campaign folders list these kinds too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Level = Literal["error", "warning", "ignore"]

LEVELS: tuple[Level, ...] = get_args(Level)
FIXED: tuple[Level, ...] = ()
SETTABLE: tuple[Level, ...] = LEVELS


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of message: its level unless a rule says otherwise, and what to do about it.

    ``levels`` are the values that a task's rules may give it (none: the level is fixed).
    ``is_once`` kinds speak once a file and count what they found.
    """

    name: str
    level: Level
    remedy: str
    levels: tuple[Level, ...] = FIXED
    is_once: bool = False


def _table(*kinds: Kind) -> Mapping[str, Kind]:
    return {kind.name: kind for kind in kinds}


KINDS: Mapping[str, Kind] = _table(
    # The file as a whole.
    Kind("empty_file", "error", "Write the results into the file and upload it again."),
    Kind(
        "file_too_large",
        "error",
        "Keep only the documents that the task asks for, or ask the organizers for a higher limit.",
    ),
    Kind(
        "archive_damaged",
        "error",
        "Compress the file again with gzip and upload it whole, or upload it uncompressed.",
    ),
    Kind(
        "not_a_run",
        "error",
        "Upload plain text or gzip, a line for each row; a run has the columns topic, Q0, "
        "document id, rank, score and tag.",
    ),
    Kind(
        "duplicate_submission",
        "error",
        "Nothing needs to be done: the same text is already there. Withdraw that run first if "
        "it has to be submitted anew.",
    ),
    # Lines and characters.
    Kind("line_too_long", "error", "Check that the lines are separated by line breaks."),
    Kind("encoding_not_utf8", "error", "Save the file as UTF-8."),
    Kind(
        "character_not_allowed",
        "error",
        "Remove control characters, form feeds, Unicode blanks and line separators; separate "
        "columns by spaces or tabs.",
    ),
    Kind(
        "invisible_character_in_id",
        "warning",
        "Remove the invisible character unless the id in the collection has it as well.",
        SETTABLE,
    ),
    Kind(
        "byte_order_mark",
        "warning",
        "Save the file as UTF-8 without byte order mark; the mark was skipped.",
        SETTABLE,
    ),
    Kind(
        "comment_lines_skipped",
        "warning",
        "Nothing needs to be done unless these lines hold results: lines that start with # are "
        "not read.",
        SETTABLE,
        is_once=True,
    ),
    Kind("header_line", "error", "Remove the line with the names of the columns.", SETTABLE),
    # Columns of a run.
    Kind(
        "wrong_column_count",
        "error",
        "Give the columns in their order, separated by spaces or tabs; no id, name or tag may "
        "hold a blank.",
    ),
    Kind(
        "extra_column",
        "error",
        "Remove what stands after the sixth column; it was not read.",
        SETTABLE,
        is_once=True,
    ),
    Kind(
        "q0_column",
        "warning",
        "Write Q0 in the second column; it was not read.",
        SETTABLE,
        is_once=True,
    ),
    Kind(
        "bad_rank",
        "error",
        "Give the rank as a whole number in the fourth column and the score in the fifth.",
        SETTABLE,
    ),
    Kind(
        "bad_score",
        "error",
        "Give the score as a decimal number with a point, such as 12.5 or 1e-3.",
    ),
    Kind(
        "score_not_finite",
        "error",
        "Give a finite score; find out why the system computed NaN or infinity.",
    ),
    Kind(
        "score_underflow",
        "warning",
        "The score is too small for a double and was read as 0; scale the scores or give "
        "logarithms.",
        SETTABLE,
    ),
    Kind(
        "tag_invalid",
        "error",
        "Use one tag as the task describes it in the sixth column of all lines.",
        SETTABLE,
    ),
    Kind(
        "tag_inconsistent",
        "error",
        "Use the same tag on all lines; upload each run as a file of its own.",
        SETTABLE,
    ),
    # Ranks, scores and order.
    Kind(
        "tied_scores",
        "warning",
        "Give different scores where the order matters: equal scores are ordered by document "
        "id, descending.",
        SETTABLE,
        is_once=True,
    ),
    Kind(
        "rank_disagrees_with_score",
        "warning",
        "Make scores fall with the rank: the order comes from the scores, the rank is not used.",
        SETTABLE,
    ),
    Kind(
        "rank_not_sequential",
        "warning",
        "Number the documents of each topic 1, 2, 3, ... or 0, 1, 2, ...; the rank is not used.",
        SETTABLE,
        is_once=True,
    ),
    Kind(
        "topic_not_contiguous",
        "warning",
        "Keep all lines of a topic together; they were read as one topic.",
        SETTABLE,
    ),
    # What is retrieved.
    Kind(
        "duplicate_document",
        "error",
        "Give each document once a topic.",
        SETTABLE,
    ),
    Kind("unknown_topic", "error", "Give only the topics of the task.", SETTABLE),
    Kind(
        "missing_topic",
        "warning",
        "Give results for each topic of the task: a topic without results scores 0.",
        SETTABLE,
    ),
    Kind(
        "too_many_documents",
        "error",
        "Keep only the best documents of each topic, as many as the task allows.",
        SETTABLE,
    ),
    Kind(
        "document_not_in_pool",
        "error",
        "Rank only documents that were given as candidates of the topic.",
        SETTABLE,
    ),
    Kind(
        "pool_incomplete",
        "error",
        "Rank as many of the topic's candidates as the task asks for.",
        SETTABLE,
    ),
    Kind(
        "document_not_in_collection",
        "error",
        "Give the document ids exactly as the collection writes them.",
        SETTABLE,
    ),
    Kind(
        "id_differs_by_unicode_form",
        "warning",
        "Write the id with the same Unicode form as the collection (composed or decomposed "
        "letters); ids are compared byte for byte.",
        SETTABLE,
    ),
    Kind(
        "nothing_judged",
        "warning",
        "Check that the run belongs to this collection: none of its documents is judged.",
        SETTABLE,
    ),
    # Qrels, pools, topics and scores.
    Kind(
        "bad_relevance",
        "error",
        "Give topic, iteration, document id and the relevance grade as a whole number, in this "
        "order.",
    ),
    Kind("conflicting_judgement", "error", "Keep one judgment for each topic and document."),
    Kind("duplicate_judgement", "warning", "Remove the repeated judgment.", SETTABLE),
    Kind(
        "topic_not_in_topic_file",
        "warning",
        "Check the topic id; the judgment does not count unless the topic belongs to the task.",
        SETTABLE,
    ),
    Kind("missing_utility", "error", "Give a utility for each candidate, as a decimal number."),
    Kind("duplicate_topic", "error", "Give each topic once."),
    Kind(
        "topic_damaged",
        "error",
        "Give each topic its id and its text: a line with a tab, a line with a JSON object, or an "
        "element that begins with <top> or <topic> and is closed.",
    ),
    Kind(
        "entity_not_allowed",
        "error",
        "Write the character itself; besides &amp; &lt; &gt; &quot; &apos; and numbers no entity "
        "is read, and nothing may be declared.",
    ),
)
