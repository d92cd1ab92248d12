"""A codified profile: what its character does in which scenes, as if-then statements that were checked
against what it did. It can be read as text."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from whoknew.agents.agent import Note
from whoknew.agents.errors import BadAnswer
from whoknew.agents.lines import Line, line
from whoknew.agents.memories.event_pages import event_by_event
from whoknew.agents.memories.habit_tree import (
    PROPOSED,
    SHOWN,
    Borne,
    Deed,
    HabitRule,
    IfThen,
    TreeLimits,
    grown,
)
from whoknew.agents.memories.life_extent import LifeExtent, is_deed
from whoknew.agents.memories.life_text import newest_text
from whoknew.agents.memories.memory import (
    Memory,
    MemoryEntry,
    Occasion,
    Piece,
    Recollection,
    recollection,
)
from whoknew.agents.memories.writing import Number, asked, check_number
from whoknew.agents.parts import Owner
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import Sections
from whoknew.eventlog import View
from whoknew.eventlog.kinds import Remembered

STRATEGY = "codified"

HEAD = "How you act"

SCENE = 3
"""So many lines before an action are its scene."""

MOST = 8 * SHOWN
"""So many actions are kept at hand, the newest."""

PROPOSE, CHECK = "remember.codified", "remember.codified.check"


class Statements(Struct, frozen=True):
    """What a model proposes."""

    habits: Annotated[tuple[IfThen, ...], Meta(max_length=PROPOSED)]


class StatementCheck(Struct, frozen=True):
    """What a model says of one statement."""

    applies: tuple[Number, ...]
    holds: tuple[Number, ...]


class CodifiedEntry(MemoryEntry, frozen=True):
    """if-then statements on how it acts, checked against what it did"""

    version: ClassVar[int] = 2
    keeps: ClassVar[str] = STRATEGY
    prompts: ClassVar[tuple[str, ...]] = (PROPOSE, CHECK)

    every: Annotated[int, Meta(ge=1)] = 16
    """They are found anew at the end of an episode, when as many things were done since the last time."""
    depth: Annotated[int, Meta(ge=1, le=4)] = 3
    """So many statements stand in one another at most."""
    accept: Annotated[float, Meta(gt=0, le=1)] = 0.8
    """A statement holds that so large a part of what it applies to bears out."""
    reject: Annotated[float, Meta(ge=0, le=1)] = 0.5
    """One that no more bears out is dropped; what lies between is looked at more closely."""
    least: Annotated[int, Meta(ge=1)] = 9
    """On fewer actions nothing is said."""

    @property
    def limits(self) -> TreeLimits:
        return TreeLimits(
            depth=self.depth, accept=self.accept, reject=self.reject, least=self.least
        )

    @property
    def calls_an_episode(self) -> int:  # type: ignore[override]
        return self.limits.most_calls

    def most_closing(self, life: LifeExtent) -> int:
        return self.calls_an_episode if life.acts >= max(self.every, self.least) else 0

    def calls_closing(self, before: float, after: float) -> float:
        """Where statements hold or are dropped at once."""
        return (1 + PROPOSED) * int(after // self.every > before // self.every)

    def make(self, owner: Owner) -> Codified:
        return Codified(self, owner.reasks)


class Codified(Memory):
    """What was done is folded event by event."""

    def __init__(self, settings: CodifiedEntry, reasks: int) -> None:
        self._every, self._limits, self._reasks = settings.every, settings.limits, reasks
        self._upto = self._done = 0
        self._deeds: deque[Deed] = deque(maxlen=MOST)
        self._before: deque[Line] = deque(maxlen=SCENE)

    async def recollect(self, now: Occasion) -> Recollection:
        last = newest_text(now, STRATEGY, HEAD)
        return recollection([Piece(last, (last.place,))] if last else [], now.budget)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        await self._go_on(now.view)
        if self._done < self._every:
            return ()
        found = await grown(_Asked(now, self._reasks), list(self._deeds), self._limits)
        return (_note(found, {place for one in self._deeds for place in one.places}),)

    async def _go_on(self, view: View) -> None:
        async for event in event_by_event(view, self._upto):
            self._upto += 1
            if isinstance(event.body, Remembered) and event.body.strategy == STRATEGY:
                self._done = 0
            elif told := line(self._upto, event):
                if is_deed(told, event, view.character):
                    self._deeds.append(Deed(told, tuple(self._before)))
                    self._done += 1
                self._before.append(told)


class _Asked:
    """Asks its character's model."""

    def __init__(self, now: Occasion, reasks: int) -> None:
        self._now, self._reasks = now, reasks

    async def proposed(self, deeds: Sequence[Deed], within: Sequence[IfThen]) -> Sequence[IfThen]:
        def read(found: Statements) -> Sequence[IfThen]:
            for one in found.habits:
                if not (one.when.strip() and one.does.strip()):
                    raise BadAnswer('a statement has no "when" or no "does".')
            return [IfThen(_plain(one.when), _plain(one.does)) for one in found.habits]

        rules = filled(PROPOSE, name=self._now.life.who, most=PROPOSED)
        told = self._told(deeds, "\n".join(f"If {one.when}: {one.does}" for one in within))
        return await asked(self._now, rules, told, Statements, read, self._reasks)

    async def borne(self, said: IfThen, deeds: Sequence[Deed]) -> Borne:
        def read(found: StatementCheck) -> Borne:
            for number in (*found.applies, *found.holds):
                check_number(number, deeds, "action")
            applies = tuple(sorted({*found.applies, *found.holds}))
            return Borne(applies, tuple(sorted({*found.holds})))

        rules = filled(CHECK, name=self._now.life.who)
        told = self._told(deeds, f"If {said.when}: {said.does}")
        return await asked(self._now, rules, told, StatementCheck, read, self._reasks)

    def _told(self, deeds: Sequence[Deed], question: str) -> Sections:
        """Each action behind its number, with its scene."""
        here = tuple(_shown(number, one) for number, one in enumerate(deeds))
        return Sections(who=self._now.life.who, here=here, question=question or None)


def _shown(number: int, deed: Deed) -> Line:
    scene = " / ".join(one.unnumbered for one in deed.scene) or "(nothing before it)"
    return deed.done.worded(f"{number}: {scene} => {deed.done.unnumbered}")


def _plain(text: str) -> str:
    """On one line, without a stop at its end."""
    return " ".join(text.split()).rstrip(".")


def _note(found: Sequence[HabitRule], places: Collection[int]) -> Note:
    text = "\n".join(told for one in found for told in one.told())
    rests = {place for one in found for place in one.rests_on()} or places
    return Note(STRATEGY, text or "Nothing that would hold.", tuple(sorted(rests)))
