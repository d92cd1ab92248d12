"""The plan of an exam: its kind, and the arms that are compared."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from whoknew.engine.plan.plan import (
    EVERYONE,
    MAY_FAIL,
    NO_LIMIT,
    Judging,
    Limit,
    ModelSettings,
    Scope,
    Seat,
)
from whoknew.worlds.setting import Part

MOST_REPEATS = 1000
"""More of one answer tell nothing new; a slip of a finger would fill a disk."""


class Grid(Part, frozen=True):
    """The arms are each of `models` with each of `memories` and each of `methods`."""

    models: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()


class ExamSeat(Seat, frozen=True):
    """A seat of an exam. What its memory keeps is written by the model `writer`, where the exam derives
    that: by its own, if it does not say."""

    writer: str | None = None


class ArmSeat(ExamSeat, frozen=True):
    """One more arm. In scenes the two sides can have seats of their own, each as the arm's but for what
    it says; `swapped` is one arm more, in which they have changed sides."""

    first: Seat | None = None
    second: Seat | None = None
    swapped: bool = False


class ExamPlan(Part, frozen=True):
    """`log` is that of the exam itself. `agents` is what all arms have in common: of `everyone`, and
    in scenes of the `first` and the `second`. `settings` are the keys of its kind."""

    exam: str
    name: str
    log: str | None = None
    repeats: Annotated[int, Meta(ge=1, le=MOST_REPEATS)] = 1
    seed: int = 1
    at_once: Annotated[int, Meta(ge=1)] = 64
    keep_prompts: bool = False
    may_fail: Annotated[float, Meta(ge=0, le=1)] = MAY_FAIL
    grid: Grid = Grid()
    agents: dict[str, ExamSeat] = msgspec.field(default_factory=dict)
    arms: dict[str, ArmSeat] = msgspec.field(default_factory=dict)
    judges: dict[str, Judging] = msgspec.field(default_factory=dict)
    models: dict[str, ModelSettings] = msgspec.field(default_factory=dict)
    limits: dict[Scope, Limit] = msgspec.field(default_factory=dict)
    settings: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def usual(self) -> ExamSeat:
        """What arms have in common."""
        return self.agents.get(EVERYONE, ExamSeat())

    @property
    def limit(self) -> Limit:
        return self.limits.get("run", NO_LIMIT)

    @property
    def address(self) -> str:
        """The log of the exam."""
        return self.log or f"{self.name}.db"
