"""What `offline:` keeps when it is asked to remember: lines that it was given, each with its number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from whoknew.agents.models.statement import Statement, noted, statements
from whoknew.agents.sections import Sections
from whoknew.eventlog.words import STOP_WORDS, terms, words

_OF_ONESELF = re.compile(r"\b(?:I|me|my|mine)\b", re.IGNORECASE)

MOST = 12
"""So many lines stand in a part of a summary, and so many things in a list."""


def kept(sections: Sections, asked: Sequence[str]) -> dict[str, Any]:
    """A summary: of what happened the lines that say most; of the offers, and of what others said
    of themselves, the lines themselves, each with its number. Facts are those lines one by one,
    key phrases the words that stand there most often."""
    here = list(statements(sections.here or ()))
    offered = {line.place for line in sections.here or () if line.offer or line.agrees}
    told = [line for line in here if len(terms(line.text)) > 2]
    theirs = [
        line
        for line in told
        if line.who not in ("", sections.who) and _OF_ONESELF.search(line.text)
    ]
    before = list(statements(sections.memory))
    parts = {
        "summary": [*before, *told],
        "overview": told,
        "negotiation": [line for line in here if line.place in offered],
        "knowledge": theirs,
    }
    lists = {"facts": _facts(told), "phrases": _phrases(told)}
    return {one: lists[one] if one in lists else _digested(parts.get(one, told)) for one in asked}


def _digested(told: Sequence[Statement]) -> str:
    return "\n".join(_facts(told)) or "Nothing."


def _facts(told: Sequence[Statement]) -> list[str]:
    best = sorted(told, key=lambda line: -len(set(terms(line.text))))[:MOST]
    return list(map(noted, sorted(best, key=lambda line: line.place)))


def _phrases(told: Sequence[Statement]) -> list[str]:
    spoken = Counter(one for line in told for one in words(line.text) if one not in STOP_WORDS)
    return [one for one, _ in spoken.most_common(MOST)]
