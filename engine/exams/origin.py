"""Where a question comes from, as one of its tags: by which figures can be told apart."""

from __future__ import annotations

from whoknew.worlds.question import Question

RULE, FILE = "rule", "file"

_TAG = "origin "


def origin_tag(origin: str) -> str:
    return f"{_TAG}{origin}"


def origin_of(question: Question) -> str:
    """Of one that does not say, that it stands in a file."""
    return next((tag[len(_TAG) :] for tag in question.tags if tag.startswith(_TAG)), FILE)
