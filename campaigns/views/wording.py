"""Both names of one thing: the campaign's vocabulary, explained in one sentence."""

from __future__ import annotations

import re

from campaigns.models import Task, TaskKind, Vocabulary

_TERMS = {
    TaskKind.SAME_COLLECTION.value: ("replicability", "reproducibility"),
    TaskKind.NEW_COLLECTION.value: ("reproducibility", "replicability"),
}
_PLACES = {
    TaskKind.SAME_COLLECTION.value: "Same collection",
    TaskKind.NEW_COLLECTION.value: "New collection",
}


def kind_label(task: Task) -> str:
    """What a badge calls the kind of the task."""
    terms = _TERMS.get(task.kind)
    if terms is None:
        return str(task.get_kind_display())
    term = terms[0] if task.campaign.vocabulary == Vocabulary.CENTRE else terms[1]
    return f"{_PLACES[task.kind]} ({term})"


def kind_sentence(task: Task) -> str:
    """One sentence on the contested words; empty for tasks that do not need it."""
    terms = _TERMS.get(task.kind)
    if terms is None:
        return ""
    return (
        f"{_PLACES[task.kind]} is called {terms[0]} in CENTRE and in the SIGIR 2020 paper, and "
        f"{terms[1]} in the ACM terms."
    )


_USUAL_TAG = re.compile(r"\^\[A-Za-z0-9_\.-\]\{1,(\d+)\}\$")


def tag_words(pattern: str) -> str:
    """The usual pattern of run tags in words; empty for any other, which stands for itself.

    >>> tag_words("^[A-Za-z0-9_.-]{1,24}$")
    'up to 24 letters, digits, dots, hyphens and underscores'
    >>> tag_words("^team-[0-9]+$")
    ''
    """
    found = _USUAL_TAG.fullmatch(pattern)
    return f"up to {found[1]} letters, digits, dots, hyphens and underscores" if found else ""
