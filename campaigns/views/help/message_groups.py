"""Every kind of message of the check report, in the groups in which one looks for them."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.kinds import KINDS, Kind

_GROUPS = {
    "The file as a whole": (
        "empty_file", "file_too_large", "archive_damaged", "not_a_run", "duplicate_submission",
    ),
    "Lines and characters": (
        "line_too_long", "encoding_not_utf8", "character_not_allowed",
        "invisible_character_in_id", "byte_order_mark", "comment_lines_skipped", "header_line",
    ),
    "Columns of a run": (
        "wrong_column_count", "extra_column", "q0_column", "bad_rank", "bad_score",
        "score_not_finite", "score_underflow", "tag_invalid", "tag_inconsistent",
    ),
    "Ranks, scores and order": (
        "tied_scores", "rank_disagrees_with_score", "rank_not_sequential", "topic_not_contiguous",
    ),
    "What is retrieved": (
        "duplicate_document", "unknown_topic", "missing_topic", "too_many_documents",
        "document_not_in_pool", "pool_incomplete", "document_not_in_collection",
        "id_differs_by_unicode_form",
    ),
}  # fmt: skip
_LAST = "Qrels, topics and scores, for organizers"


@dataclass(frozen=True, slots=True)
class Group:
    """Kinds under one heading."""

    title: str
    kinds: list[Kind]


def groups() -> list[Group]:
    """All kinds; those that no group names come last."""
    named = {name for names in _GROUPS.values() for name in names}
    rest = [kind for name, kind in KINDS.items() if name not in named]
    return [
        *(Group(title, [KINDS[name] for name in names]) for title, names in _GROUPS.items()),
        Group(_LAST, rest),
    ]
