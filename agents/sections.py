"""What a request says, as data: the sections from which the text of its prompt is made.

`agents/briefing.py` puts them into words. They are no part of what is sent, nor of its digest. A method
that wants a prompt to say something else changes them, and has them put into words again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from whoknew.agents.lines import Line


class Acquaintance(Struct, frozen=True):
    """Somebody who is known: how one stands to it, and what one knows of it."""

    name: str
    relation: str | None = None
    text: str | None = None


class Situation(Struct, frozen=True, kw_only=True):
    """What goes on. `present` are those whom one perceives, None where that is not told; `asleep` those
    of them who sleep, `in_sight` whom one sees in other places; `about` describes the place; `worth`
    is what one of each thing is worth to whoever is asked; `conditions` are what keeps it from
    perceiving or being perceived."""

    scenario: str | None = None
    place: str | None = None
    about: str = ""
    present: tuple[str, ...] | None = None
    hidden: bool = False
    pool: Mapping[str, int] = {}
    worth: Mapping[str, int] = {}
    in_sight: Mapping[str, tuple[str, ...]] = {}
    asleep: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()


class Turn(Struct, frozen=True):
    """Whoever is asked has to act: with so many turns left at most, or, where all are counted, exactly."""

    left: int | None = None
    all_counted: bool = False


class JudgedEpisode(Struct, frozen=True, kw_only=True):
    """An episode that is over, put before a judge: why it ended, the points of whoever is judged and
    the most that it could have, and what of earlier episodes it should have known."""

    reason: str
    points: tuple[int, int] | None = None
    evidence: tuple[Line, ...] = ()


class JudgedAnswer(Struct, frozen=True):
    """An answer to the question, put before a judge; `reference` is one that is known to be right,
    `correct` the right one of the `choices`, `evidence` what a right answer rests on, as far as its
    character witnessed that, `labels` what else is known. Marks go from the worst to the best of a `scale`, or what is
    wrong with it is of some of these `kinds`: its rules tell which."""

    answer: str
    reference: str | None = None
    labels: Mapping[str, Any] = {}
    choices: tuple[str, ...] = ()
    correct: str | None = None
    evidence: tuple[Line, ...] = ()
    scale: tuple[float, float] = (0.0, 10.0)
    kinds: tuple[str, ...] = ()


class JudgedMemory(Struct, frozen=True, kw_only=True):
    """What came to mind for the question, line by line, put before a judge, and the `points` of a right
    answer. Marks go from the worst to the best of a `scale`; without one the points that it holds are
    asked for, by their numbers."""

    brought: tuple[str, ...]
    points: tuple[str, ...]
    scale: tuple[float, float] | None = None


class Example(Struct, frozen=True):
    """What somebody was asked, or the moment at which it had to act; and what it replied."""

    asked: str
    reply: str


class Sections(Struct, frozen=True, kw_only=True):
    """All that a request can say. `who` is asked, or judged. `memory` is what comes to mind, of which
    `left_out` tokens more had no room; what is no Line in it is no single event. `here` is None where
    nothing of an episode is told. `choices` are those that the question names; so many
    questions of each kind are `wanted`."""

    who: str
    myself: str = ""
    others: tuple[Acquaintance, ...] = ()
    memory: tuple[str, ...] = ()
    left_out: int = 0
    now: Situation | None = None
    goal: str = ""
    here: tuple[Line, ...] | None = None
    examples: tuple[Example, ...] = ()
    turn: Turn | None = None
    question: str | None = None
    choices: tuple[str, ...] = ()
    wanted: Mapping[str, int] = {}
    judged: JudgedEpisode | JudgedAnswer | JudgedMemory | None = None
