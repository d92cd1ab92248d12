"""What the paper's tables have: right choices, what memory brought, how answers agree; over all, by kind, by
dimension, by how old the evidence is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean as mean

from msgspec import Struct

from whoknew.agents.choices import chosen
from whoknew.engine.exams.by_judge import Scored, by_arm, by_judge, told_of
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.cells import Cell
from whoknew.engine.exams.clonemem.asked_life import KINDS, OLD, UPDATED
from whoknew.engine.exams.clonemem.choosing import UNTOLD
from whoknew.engine.exams.clonemem.paper import (
    CHOICE,
    CONSISTENCY,
    HELPFUL,
    MADE_UP,
    PERFECT,
    POINTS,
    RECALLS,
)
from whoknew.engine.exams.findings import OwnFigures
from whoknew.engine.judges import choice, faithful, remembered
from whoknew.worlds.lives.ages import AGE_TAGS
from whoknew.worlds.lives.bank import DIMENSIONS
from whoknew.worlds.question import Question

UNKNOWN_RIGHTLY, UNKNOWN_WRONGLY = "unknown % where so", "unknown % where not"
UNKNOWN_MORE = "difference of these"
"""How often the choice is taken that nobody can tell: where it is right, and where it is not."""

NEWER, OLDER, NEITHER = "updated, newer %", "updated, older %", "updated, neither %"
"""Of what holds now and was otherwise before: how often what holds is answered, what held before, or none of
both."""


class Measured(Struct, frozen=True, kw_only=True):
    """A figure of the paper: of which score it is the mean, and how that is told. What is asked of an
    answer in one's own words, or of what came to mind, is told of questions without choices, where there
    are such: with choices more comes to mind, as their words are looked for, too."""

    name: str
    score: str
    told: Callable[[float], float]
    parts: tuple[str, ...] = ()
    open: bool = True


def _percent(mean: float) -> float:
    return 100 * mean


_TAGS = (*DIMENSIONS, *AGE_TAGS, UPDATED)

MEASURED = (
    Measured(name=CHOICE, score=choice.RIGHT, told=_percent, parts=(*KINDS, *_TAGS), open=False),
    Measured(name=POINTS, score=remembered.POINTS, told=float, parts=_TAGS),
    Measured(name=HELPFUL, score=remembered.HELPFUL, told=float),
    *(Measured(name=name, score=score, told=float) for score, name in RECALLS.items()),
    Measured(name=CONSISTENCY, score=faithful.CONSISTENT, told=float, parts=_TAGS),
    Measured(name=MADE_UP, score=faithful.GROUNDED, told=lambda mean: 100 - 100 * mean),
    Measured(name=PERFECT, score=faithful.PERFECT, told=_percent),
)


def figures_of(cells: Sequence[CellResult]) -> OwnFigures:
    """Each figure by arm; where several judges give the same score, each of them has figures."""
    found: dict[str, Mapping[str, float]] = {}
    for measured in MEASURED:
        every = by_judge(cells, measured.score)
        for judge, some in every.items():
            free = [pair for pair in some if not _question(pair[0]).choices]
            told = free if measured.open and free else some
            for part in ("", *measured.parts):
                name = f"{measured.name}, {part}" if part else measured.name
                if means := _means(told, measured, part):
                    found[told_of(name, judge, every)] = means
    return {**found, **_updated(cells), **_unknown(cells)}


def _means(some: Sequence[Scored], measured: Measured, part: str) -> Mapping[str, float]:
    wanted = [
        (one, value)
        for one, value in some
        if not part or part in (_question(one).kind, *_question(one).tags)
    ]
    return {
        arm: measured.told(mean(value for _, value in mine)) for arm, mine in by_arm(wanted).items()
    }


def _question(one: CellResult) -> Question:
    assert isinstance(one.cell, Cell), "it is an exam of questions"
    return one.cell.unit.asked.question


def _updated(cells: Sequence[CellResult]) -> OwnFigures:
    """Which of the answers that were right at some time is named, of choices."""
    named: dict[str, list[str]] = defaultdict(list)
    for one in cells:
        question = _question(one)
        if question.choices and UPDATED in question.tags and one.answer is not None:
            named[one.cell.arm.name].append(_when(question, one.answer))
    return {
        name: {arm: 100 * some.count(name) / len(some) for arm, some in named.items()}
        for name in (NEWER, OLDER, NEITHER)
        if named
    }


def _when(question: Question, answer: str) -> str:
    taken = chosen(answer, question.choices)
    if taken == [question.correct]:
        return NEWER
    return OLDER if len(taken) == 1 and taken[0] in question.labels.get(OLD, ()) else NEITHER


def _unknown(cells: Sequence[CellResult]) -> OwnFigures:
    """How much oftener it is said that nobody can tell where that is right."""
    lost = {UNTOLD, *(one.correct for one in map(_question, cells) if one.kind == "unanswerable")}
    taken: dict[bool, dict[str, list[bool]]] = {True: defaultdict(list), False: defaultdict(list)}
    for one in cells:
        question = _question(one)
        nobody = next((choice for choice in question.choices if choice in lost), None)
        if nobody is not None and one.answer is not None:
            named = chosen(one.answer, question.choices) == [nobody]
            taken[question.correct == nobody][one.cell.arm.name].append(named)
    where, elsewhere = (
        {arm: 100 * sum(some) / len(some) for arm, some in taken[so].items()}
        for so in (True, False)
    )
    more = {arm: share - elsewhere[arm] for arm, share in where.items() if arm in elsewhere}
    found = {UNKNOWN_RIGHTLY: where, UNKNOWN_WRONGLY: elsewhere, UNKNOWN_MORE: more}
    return found if more else {}
