"""What `offline:` says where bookmarks are kept: by rule, from the lines that it is given. What it writes are
such lines; so what a bank says by it is exactly what its lines say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from whoknew.agents.lines import Line
from whoknew.agents.models.asked_for import alone, of_now, unframed
from whoknew.agents.models.dated_line import undated
from whoknew.agents.sections import Sections
from whoknew.eventlog.words import STOP_WORDS, sentences, terms, words

UNKNOWN = "unknown"

SAYS = 3
"""So many lines stand in an answer that is made of several."""

_NAMES = re.compile(r"[^\W\d_][\w'\u2019-]*")

_TALK = frozenset(terms("talk speak say voice tone words"))

_NUMBER = re.compile(r"^\d{1,9}: ")

FEW = 2
"""A question of so many words at most is touched on by one of them; of more, by half of them."""

WORDS = 60
"""A line of more words is not quoted whole, but for what of it is about the question."""

Wanted = tuple[str, str]
"""A question, and its kind."""


def said(sections: Sections, field: str) -> dict[str, Any]:
    """What is asked for, by the name of the field that comes first."""
    return FIELDS[field](sections)


def five(who: str, other: str) -> list[Wanted]:
    """What is worth knowing whenever somebody acts; of another, where somebody is addressed."""
    questions = [(f"Where is {who} now?", "state"), (f"What does {who} want now?", "state")]
    if other:
        questions.append((f"How does {who} stand to {other}?", "state"))
    questions.append((f"How does {who} talk?", "behavioral"))
    if other:
        questions.append((f"Who is {other}?", "concept"))
    return questions


def addressed(who: str, lines: Sequence[Line]) -> str:
    """The one who acted last, other than who acts now."""
    return next((one.who for one in reversed(lines) if one.who not in ("", who)), "")


def best_line(question: str, lines: Sequence[Line]) -> int | None:
    """The number of the line that shares most words with a question: of equal ones the newest."""
    asked = set(terms(unframed(question)))
    shares = [(_shared(asked, one), number) for number, one in enumerate(lines)]
    count, number = max(shares, default=(0, 0))
    return number if count else None


def _shared(asked: set[str], line: Line) -> int:
    """How many words of a question stand in what of a line would be quoted."""
    whole = len(asked & set(terms(_told(line))))
    if not whole or len(line.text.split()) <= WORDS:
        return whole
    return len(asked & set(terms(excerpt(asked, line.text))))


def excerpt(asked: set[str], text: str) -> str:
    """Of a long text its day, and the sentence that shares most words with a question, the later of equal
    ones, with what stands before it."""
    rest = undated(text)
    told = sentences(rest)
    best = max(range(len(told)), key=lambda place: (len(asked & set(terms(told[place]))), place))
    return text.removesuffix(rest) + " ".join(told[max(0, best - 1) : best + 1])


def shows(question: str, action: Line) -> bool:
    """Whether an action is said to show a behavior: of how somebody talks every speech does, of anything
    else what is of the same words."""
    asked = set(terms(question))
    if asked & _TALK:
        return bool(action.text) and action.act in ("speak", None)
    return bool(asked & set(terms(action.text)))


def keyword_of(question: str) -> str:
    """The last name in a question; where it has none, its longest word."""
    found: list[list[str]] = [[]]
    for word in _NAMES.findall(question):
        if word[0].isupper() and word.casefold() not in STOP_WORDS:
            found[-1].append(word)
        elif found[-1]:
            found.append([])
    named = [" ".join(some) for some in found if some]
    return named[-1] if named else max(words(question), key=len, default="")


def same_words(one: str, other: str) -> bool:
    return words(one) == words(other)


def quoting(
    question: str, lines: Sequence[Line], numbers: Sequence[int | None]
) -> tuple[str, list[int]]:
    """What some of the lines say, and which they are; of long ones what is about the question."""
    asked = set(terms(unframed(question)))
    some = [number for number in numbers if number is not None]
    text = "\n".join(_quoted(asked, lines[number]) for number in some)
    return (text, some) if text.strip() else (UNKNOWN, [])


def _quoted(asked: set[str], line: Line) -> str:
    text = line.text or _told(line)
    return text if len(text.split()) <= WORDS else excerpt(asked, text)


def _told(line: Line) -> str:
    """Without its place in a view, and without its number among those that are shown."""
    return _NUMBER.sub("", line.unnumbered)


def newest(lines: Sequence[Line]) -> list[int]:
    return list(range(len(lines)))[-SAYS:]


def _bookmarks(sections: Sections) -> dict[str, Any]:
    other = addressed(sections.who, _here(sections))
    some = five(sections.who, other)
    if asked := alone(sections.question or ""):
        some.insert(0, (asked, "state" if of_now(asked) else "concept"))
    return {"bookmarks": [{"question": one, "kind": kind} for one, kind in some]}


def _fits(sections: Sections) -> dict[str, Any]:
    asked = sections.question or ""
    known = [getattr(one, "text", one) for one in sections.memory]
    same = [number for number, one in enumerate(known) if same_words(one, asked)]
    return {"reuse": same, "derive": []}


def _effect(sections: Sections) -> dict[str, Any]:
    question, lines = sections.question or "", _here(sections)
    asked, found = set(terms(unframed(question))), best_line(question, lines)
    told = 0 if found is None else _shared(asked, lines[found])
    enough = len(asked) / 2 if len(asked) > FEW else 1
    return {"effect": "update" if told and told >= enough else "none"}


def _state(sections: Sections) -> dict[str, Any]:
    return _written("state", sections, [best_line(sections.question or "", _here(sections))])


def _behavior(sections: Sections) -> dict[str, Any]:
    return _written("behavior", sections, newest(_here(sections)))


def _concept(sections: Sections) -> dict[str, Any]:
    return _written("concept", sections, [best_line(sections.question or "", _here(sections))])


def _shows(sections: Sections) -> dict[str, Any]:
    here = _here(sections)
    return {"shows": bool(here) and shows(sections.question or "", here[-1])}


def _keyword(sections: Sections) -> dict[str, Any]:
    return {"keyword": keyword_of(sections.question or "")}


def _written(field: str, sections: Sections, numbers: Sequence[int | None]) -> dict[str, Any]:
    text, some = quoting(sections.question or "", _here(sections), numbers)
    return {field: text, "lines": some}


def _here(sections: Sections) -> tuple[Line, ...]:
    return sections.here or ()


FIELDS: Mapping[str, Callable[[Sections], dict[str, Any]]] = {
    "bookmarks": _bookmarks,
    "reuse": _fits,
    "effect": _effect,
    "state": _state,
    "behavior": _behavior,
    "concept": _concept,
    "shows": _shows,
    "keyword": _keyword,
}
"""By the name of the field that asks for it."""
