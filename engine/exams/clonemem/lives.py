"""Lives by rule, each held against all that has to hold of a life and of the questions about it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from whoknew.engine.exams.clonemem.drawing import drawn
from whoknew.engine.exams.clonemem.question_faults import question_faults
from whoknew.worlds.lives.checks import course_faults, life_faults
from whoknew.worlds.lives.making import life_of

EACH = 2
"""Questions of each kind in each dimension."""


class CheckedLife(Struct, frozen=True, kw_only=True):
    """What there is of one, and what is wrong with it. Of `candidates` so many were `struck`, the
    reasons with how often each was one."""

    name: str
    events: int
    evidence: int
    traces: int
    questions: int = 0
    candidates: int = 0
    struck: dict[str, int] = {}
    faults: tuple[str, ...] = ()


class CheckedLives(Struct, frozen=True):
    lives: tuple[CheckedLife, ...]

    @property
    def faults(self) -> list[str]:
        return [f"{one.name}: {fault}" for one in self.lives for fault in one.faults]


def check_lives(length: str, seeds: range, *, text: bool = True) -> CheckedLives:
    """Without `text` only what happens is looked at, not what is written and asked."""
    return CheckedLives(tuple(_checked(length, seed, text=text) for seed in seeds))


def _checked(length: str, seed: int, *, text: bool) -> CheckedLife:
    life = life_of(seed, length)
    faults = life_faults if text else course_faults
    found = CheckedLife(
        name=life.name,
        events=len(life.events),
        evidence=len(life.evidence),
        traces=len(life.traces),
        faults=tuple(faults(life)),
    )
    if not text:
        return found
    asked = drawn(life, each=EACH, seed=1)
    reasons: dict[str, int] = {}
    for one in asked.struck:
        reasons[one.why] = reasons.get(one.why, 0) + 1

    def wrong() -> Iterator[str]:
        yield from found.faults
        yield from question_faults(life, asked.questions)

    return CheckedLife(
        name=found.name,
        events=found.events,
        evidence=found.evidence,
        traces=found.traces,
        questions=len(asked.questions),
        candidates=asked.candidates,
        struck=reasons,
        faults=tuple(wrong()),
    )
