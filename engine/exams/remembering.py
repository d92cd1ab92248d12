"""Memory that is derived for an exam: of characters whose worlds hold none, as imported ones do.

It is built once for each character, memory and model, step by step, by folding the character's view
in order; it stands on the exam's own log, for all questions of all cells that need it. At a cursor
only the steps before it count.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

from msgspec import Struct

from whoknew.agents.answering import FoldedLife
from whoknew.engine.asking.putting import past_of
from whoknew.engine.exams.arms import ExamMemory
from whoknew.engine.exams.cells import Cell, digest_key
from whoknew.engine.exams.noted_life import NotedLife
from whoknew.engine.exams.steps import Steps
from whoknew.eventlog import Event, Log, View
from whoknew.eventlog.kinds import Remembered
from whoknew.eventlog.machinery import MemoryDerived

PAGE = 100

LIVES = 64
"""Of so many characters what they remember is kept at hand: questions come world by world."""


class LifeStep(Struct, frozen=True, kw_only=True):
    """A stretch of a life that is over: what its memory keeps of it is known under `key`. `life` ends
    with the last event of it, which is `upto` in its world, and `hash` vouches for all up to there;
    `past` is the same life as a mind has it, as far as it is folded."""

    key: str
    memory: ExamMemory
    who: str
    world: str
    upto: int
    hash: str
    life: NotedLife
    past: FoldedLife


Keeping = Callable[[LifeStep], Awaitable[Sequence[MemoryDerived]]]
"""What a memory keeps of a step: as it stands on the log, or asked for now."""


def latest(cells: Iterable[Cell]) -> list[Cell]:
    """Of each memory and each character the cell that needs most of it."""
    found: dict[tuple[str, str, str], Cell] = {}
    for cell in cells:
        if memory := cell.arm.memory:
            question = cell.unit.asked.question
            key = (memory.digest, question.world, question.character)
            if key not in found or found[key].unit.seq < cell.unit.seq:
                found[key] = cell
    return list(found.values())


class Remembering:
    """The memories of an exam. `keeping` is asked of a life for one step after another, and never for
    the same one while it is being asked."""

    def __init__(self, material: Log, keeping: Keeping) -> None:
        self._material, self._keeping = material, keeping
        self._lives: dict[tuple[str, str, str], _Life] = {}

    async def upto(self, memory: ExamMemory, view: View) -> NotedLife:
        """The life of a view's character up to its end at least, with what its memory keeps of it."""
        life = self._life(memory, view)
        life.users += 1
        try:
            await life.go_on(view, self._kept)
        finally:
            life.users -= 1
        return life.noted

    def _life(self, memory: ExamMemory, view: View) -> _Life:
        world, who = view.cursor.world, view.character
        key = (memory.digest, world, who)
        life = self._lives.pop(key, None) or _Life(memory, world, who)
        self._lives[key] = life
        if len(self._lives) > LIVES:
            idle = (one for one, other in self._lives.items() if not other.users)
            if (oldest := next(idle, key)) != key:
                del self._lives[oldest]
        return life

    async def _kept(self, life: _Life) -> Sequence[MemoryDerived]:
        memory, noted = life.memory, life.noted
        record = await self._material.lineage.record(noted.world, life.last)
        assert record is not None, "its event was read"
        vouching = record.hash.hex()
        step = LifeStep(
            key=digest_key("memory", memory.digest, noted.world, noted.who, life.last, vouching),
            memory=memory,
            who=noted.who,
            world=noted.world,
            upto=life.last,
            hash=vouching,
            life=noted,
            past=life.past,
        )
        return await self._keeping(step)


class _Life:
    """One life with one memory, as far as it was folded: up to the event `last`."""

    def __init__(self, memory: ExamMemory, world: str, who: str) -> None:
        self.users = self.last = 0
        self.memory, self.noted = memory, NotedLife(world, who)
        self.past = past_of(who, memory.seat)
        self._steps, self._taken = Steps(), 0
        self._wrote = False
        """Whether its character kept something of this stretch itself, while it was played."""
        self._turn = asyncio.Lock()

    async def go_on(
        self, view: View, kept: Callable[[_Life], Awaitable[Sequence[MemoryDerived]]]
    ) -> None:
        """Up to the end of a view: one step at a time, so that who needs no more has not to wait for
        who needs all of it."""
        while self._taken < len(view):
            async with self._turn:
                await self._go_on(view, kept)

    async def _go_on(
        self, view: View, kept: Callable[[_Life], Awaitable[Sequence[MemoryDerived]]]
    ) -> None:
        for event in await view.events(self._taken, self._taken + PAGE):
            number = self._steps.number(event)
            over = self._steps.ends_before(number)
            if over and not self._wrote:
                for note in await kept(self):
                    self.noted.note(note)
            self._wrote = self._wrote and not over
            self._take(event, number)
            if over:
                return

    def _take(self, event: Event, number: int) -> None:
        self._steps.take(event, number)
        self.noted.add(event, number)
        self._taken, self.last = self._taken + 1, event.seq
        body, keeps = event.body, self.memory.keeps
        if isinstance(body, Remembered) and body.owner == self.noted.who:
            self._wrote |= not keeps or body.strategy == keeps
