"""What has to hold of every question about a life by rule: each fault in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from whoknew.engine.exams.clonemem.asked_life import AskedLife, LifeIndex
from whoknew.engine.exams.clonemem.choosing import UNTOLD, guessed, recognised
from whoknew.eventlog.words import terms, words
from whoknew.worlds.lives.life import LifeGraph
from whoknew.worlds.question import Question

IN_ORDER = frozenset(("comparative", "trajectory"))
"""Kinds whose choices differ in their order, and not in their words."""


def question_faults(life: LifeGraph, questions: Sequence[Question]) -> Iterator[str]:
    """Nothing, where each is sound."""
    days = {one.id: one.at.date() for one in life.traces}
    index = LifeIndex(life)
    for one in questions:
        asked = index.by(date.fromisoformat(one.at.removeprefix("@")))
        for fault in _faults(one, asked, days):
            yield f"{one.question!r}, {one.at}: {fault}"
    for (at, text), count in Counter((one.at, one.question) for one in questions).items():
        if count > 1:
            yield f"{text!r}, {at}: is asked twice on one day"


def _faults(one: Question, asked: AskedLife, days: dict[str, date]) -> Iterator[str]:
    known = one.kind != "unanswerable"
    if known != bool(one.evidence):
        yield f"has {len(one.evidence)} sets of evidence"
    for part in one.evidence:
        if not part:
            yield "has evidence that no trace shows"
        if any(days[str(name)] >= asked.until for name in part):
            yield "rests on what was written later"
    if known and (one.reference or "").casefold() in one.question.casefold():
        yield "holds its answer"
    if one.choices:
        yield from _choices(one, asked, known=known)
    else:
        yield "has no choices"


def _choices(one: Question, asked: AskedLife, *, known: bool) -> Iterator[str]:
    *some, last = one.choices
    if last != UNTOLD or one.correct != (one.reference if known else UNTOLD):
        yield "has a right choice that is not its answer"
    if len({tuple(words(text)) for text in one.choices}) < len(one.choices):
        yield "has two choices that say the same"
    if len(some) != (4 if known else 3):
        yield f"has {len(one.choices)} choices"
    if not known:
        return
    if guessed(one.question, some) == one.correct:
        yield "can be answered by its own words"
    if recognised(one.question, some, asked.told) == one.correct:
        yield "can be answered by whoever knows what was written of, and not when"
    if one.kind not in IN_ORDER:
        yield from _also_right(one, some)


def _also_right(one: Question, some: Sequence[str]) -> Iterator[str]:
    """Whether what the answer rests on tells of another choice, too."""
    said = one.labels.get("points", "")
    told = set(terms(said if isinstance(said, str) else " ".join(said)))
    right = set(terms(one.correct or ""))
    for text in some:
        mine = set(terms(text))
        if text != one.correct and mine and mine <= told and mine - right:
            if one.kind == "counterfactual":
                continue  # the state after it stands there, too, and did not come about
            yield f"rests on what tells of {text!r}, too"
