"""What a question that a model wrote has to be, each by a rule: else it is refused, and told why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from whoknew.agents.lines import NOTHING, Line
from whoknew.engine.exams.writing.draft import DraftedQuestion
from whoknew.eventlog.words import terms, words

LONGEST_QUESTION, LONGEST_ANSWER = 80, 80
"""Words."""

MOST_EVIDENCE = 12

RARE = 0.02
"""A word is rare that stands in no larger share of what somebody lived through, or in one line of it."""

ENOUGH = 0.5
"""The share of an answer's rare words that its evidence has to hold, and of which its question may hold
no more."""

COPY = 0.8
"""Two questions that share so much of all their words ask the same."""

FRAME = frozenset(
    terms(
        "say said says saying tell told tells hear heard see saw seen know knew known think thought "
        "answer answered ask asked reply replied speak spoke spoken remember go goes went come came "
        "want wanted word words yes"
    )
)
"""Words of saying and perceiving, which stand in any answer."""

_QUOTED = re.compile('["\u201c][^"\u201c\u201d]*["\u201d]')
LEAST_TELLING = 3
"""Shorter answers, as names are, may be right of several questions."""

_ESCAPED = re.compile(r'\\[ntr"\\]')
"""What stands for an end of a line, or for another sign, in what is quoted in a line."""

_ONESELF = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|[Uu]s|[Oo]urs?|[Oo]urselves)\b")
_SECOND = re.compile(
    r"\b(?:and|or|but)\s+(?:who|whom|whose|what|when|where|why|how|which)\b", re.IGNORECASE
)


class CheckFailed(NamedTuple):
    """By which check, and why, as a sentence that its model can be told."""

    check: str
    why: str


class LivedLines(Struct, frozen=True, kw_only=True):
    """What a question is held against: the lines of what its character lived through by then, by their
    places; the words of `names` in it; the places at which it is left open whether it heard what was
    said; and the words of the questions that it is asked by then."""

    who: str
    kinds: Sequence[str]
    lines: Mapping[int, Line]
    rare: Callable[[str], bool]
    plain: Sequence[str] = ()
    """The lines, each with nothing but its words."""
    names: frozenset[str] = frozenset()
    doubtful: frozenset[int] = frozenset()
    asked: Sequence[frozenset[str]] = ()
    answered: Sequence[frozenset[str]] = ()
    """The words of the answers to them that say something."""


def refusal(one: DraftedQuestion, lived: LivedLines) -> CheckFailed | None:
    """The first thing that is wrong with it."""
    return next((wrong for wrong in _wrong(one, lived)), None)


def question_words(text: str) -> frozenset[str]:
    """Those by which it is told whether two ask the same."""
    return frozenset(words(text))


def answer_words(text: str) -> frozenset[str]:
    """Those by which it is told whether two answers say the same."""
    return frozenset(terms(text)) - FRAME


def line_terms(told: Line) -> set[str]:
    """The words of a line: who says what to whom."""
    return set(terms(_ESCAPED.sub(" ", told)))


def plain(text: str) -> str:
    return f" {' '.join(words(_ESCAPED.sub(' ', text)))} "


def _wrong(one: DraftedQuestion, lived: LivedLines) -> Iterator[CheckFailed]:
    if one.kind not in lived.kinds:
        yield CheckFailed("kind", f"its kind is none of {', '.join(lived.kinds)}.")
    yield from _form(one)
    yield from _evidence(one, lived)
    yield from _support(one, lived)
    yield from _given_away(one, lived)
    for quote in _QUOTED.findall(one.question):
        if sum(plain(quote) in line for line in lived.plain) > 1:
            yield CheckFailed("ambiguous", f"{quote[:100]} stands in several of the lines.")
    mine = question_words(one.question)
    if any(_likeness(mine, other) >= COPY for other in lived.asked):
        yield CheckFailed("copy", f"{lived.who} is asked nearly the same already.")
    telling = answer_words(one.answer)
    if len(telling) >= LEAST_TELLING and any(
        _likeness(telling, other) >= COPY for other in lived.answered
    ):
        yield CheckFailed("copy", f"{lived.who} gives nearly the same answer already.")


def _form(one: DraftedQuestion) -> Iterator[CheckFailed]:
    if not (one.question.isprintable() and one.answer.isprintable()):
        yield CheckFailed("wording", "it holds signs that are no text: write it in one line.")
    asked, answered = len(words(one.question)), len(words(one.answer))
    if not 3 <= asked <= LONGEST_QUESTION:
        yield CheckFailed(
            "length", f"the question has {asked} words: give 3 to {LONGEST_QUESTION}."
        )
    if not 1 <= answered <= LONGEST_ANSWER:
        yield CheckFailed("length", f"the answer has {answered} words: give 1 to {LONGEST_ANSWER}.")
    if wrong := one_question(one.question):
        yield wrong
    if not in_first_person(one.answer):
        yield CheckFailed("first person", "the answer is not in the first person.")


def one_question(text: str) -> CheckFailed | None:
    """Whether it is one, and not two."""
    plain = _QUOTED.sub('"', text).strip()
    if not plain.endswith(("?", '"')):
        return CheckFailed("one question", "it does not end as a question does.")
    if plain.count("?") > 1 or _SECOND.search(plain):
        return CheckFailed("one question", "it asks two things: ask one.")
    return None


def in_first_person(answer: str) -> bool:
    return bool(_ONESELF.search(_QUOTED.sub('"', answer)))


def _evidence(one: DraftedQuestion, lived: LivedLines) -> Iterator[CheckFailed]:
    if not 1 <= len(set(one.evidence)) <= MOST_EVIDENCE:
        yield CheckFailed(
            "evidence", f"it names {len(one.evidence)} events: name 1 to {MOST_EVIDENCE}."
        )
    for place in one.evidence:
        if place not in lived.lines:
            yield CheckFailed("evidence", f"{lived.who} was given no event [{place}].")
        elif place in lived.doubtful:
            yield CheckFailed("doubtful", f"{lived.who} may not have heard all of [{place}].")


def _support(one: DraftedQuestion, lived: LivedLines) -> Iterator[CheckFailed]:
    """Whether it can be answered from its evidence: by the names and numbers in its answer, and by the
    rare words."""
    held = {term for place in one.evidence for term in line_terms(lived.lines.get(place, NOTHING))}
    known = held | set(terms(f"{one.question} {lived.who}"))
    answered = set(terms(one.answer))
    unknown = {term for term in answered if term in lived.names or term.isdigit()} - known
    if unknown:
        yield CheckFailed("support", f"its evidence does not tell of {', '.join(sorted(unknown))}.")
    new = answered - set(terms(one.question)) - set(terms(lived.who)) - FRAME
    telling = {term for term in new if lived.rare(term)} or new
    if len(telling & held) < ENOUGH * len(telling):
        missing = ", ".join(sorted(telling - held)[:5])
        yield CheckFailed("support", f"the answer is not in its evidence, which lacks {missing}.")


def _given_away(one: DraftedQuestion, lived: LivedLines) -> Iterator[CheckFailed]:
    """Whether it tells its own answer."""
    asked, answered = set(terms(one.question)), set(terms(one.answer))
    if not answered - asked - FRAME:
        yield CheckFailed("given away", "its answer tells nothing that is not in the question.")
    rare = {term for term in answered - lived.names - FRAME if lived.rare(term)}
    if rare and len(rare & asked) > ENOUGH * len(rare):
        some = ", ".join(sorted(rare & asked)[:5])
        yield CheckFailed("given away", f"the question tells its answer: {some}.")


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


CHECKS = (
    "kind",
    "wording",
    "length",
    "one question",
    "first person",
    "evidence",
    "doubtful",
    "support",
    "given away",
    "ambiguous",
    "copy",
    "another answer",
    "too many",
)
"""All that a question can be refused for; the last but one by a second model."""
