"""A portrait of oneself, which its character writes anew by what it did since the one before."""

from __future__ import annotations

from collections import deque
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from whoknew.agents import briefing
from whoknew.agents.agent import Note
from whoknew.agents.lines import Line, line
from whoknew.agents.memories.event_pages import event_by_event
from whoknew.agents.memories.life_extent import LifeExtent, is_deed
from whoknew.agents.memories.life_text import LifeText, newest_text
from whoknew.agents.memories.memory import Memory, MemoryEntry, Occasion, Recollection
from whoknew.agents.memories.writing import written
from whoknew.agents.parts import Owner
from whoknew.agents.sections import Sections
from whoknew.eventlog import View
from whoknew.eventlog.kinds import Remembered

STRATEGY = "profile"

HEAD = "Who you are"

SCENE = 3
"""So many lines stand before each thing that one did."""


class Portrait(Struct, frozen=True):
    """What a model writes."""

    portrait: str


class ProfileEntry(MemoryEntry, frozen=True):
    """a portrait of itself, written anew by what it did"""

    calls_an_episode: ClassVar[int] = 1
    version: ClassVar[int] = 2
    keeps: ClassVar[str] = STRATEGY
    prompts: ClassVar[tuple[str, ...]] = ("remember.profile",)

    words: Annotated[int, Meta(ge=10)] = 200
    """It has so many words at most."""
    every: Annotated[int, Meta(ge=1)] = 16
    """It is written anew at the end of an episode, when as many things were done since the last time."""

    def most_closing(self, life: LifeExtent) -> int:
        return int(life.acts >= self.every)

    def calls_closing(self, before: float, after: float) -> float:
        return int(after // self.every > before // self.every)

    def make(self, owner: Owner) -> Profile:
        return Profile(self, owner.reasks)


class Profile(Memory):
    """What was done since the newest portrait is folded event by event."""

    def __init__(self, settings: ProfileEntry, reasks: int) -> None:
        self._every, self._reasks = settings.every, reasks
        self._text = LifeText(
            strategy=STRATEGY,
            head=HEAD,
            prompt="remember.profile",
            answer=Portrait,
            words=settings.words,
        )
        self._upto = self._done = 0
        self._since: list[Line] = []
        """What its character did since the last portrait, each thing with what came before it."""
        self._before: deque[Line] = deque(maxlen=SCENE + 1)

    async def recollect(self, now: Occasion) -> Recollection:
        return self._text.recollected(now)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        await self._go_on(now.view)
        if self._done < self._every:
            return ()
        life = now.life
        told = Sections(
            who=life.who,
            myself=life.myself or life.who,
            others=briefing.others(life),
            here=tuple(self._since),
        )
        since = [one.place for one in self._since]
        return (await self._text.rewritten(now, told, since, self._reasks),)

    async def up_to_date(self, now: Occasion) -> tuple[tuple[Note, ...], Line | None]:
        """For a memory that it is put before: what is to be kept of it now, and the portrait as it is
        with that."""
        notes = await self.remember(now)
        for note in notes:
            return notes, written(HEAD, now.life.who, note.sources[-1], note.text)
        return notes, newest_portrait(now)

    async def _go_on(self, view: View) -> None:
        async for event in event_by_event(view, self._upto):
            self._upto += 1
            if isinstance(event.body, Remembered) and event.body.strategy == STRATEGY:
                self._since, self._done = [], 0
            elif told := line(self._upto, event):
                self._before.append(told)
                if is_deed(told, event, view.character):
                    self._since += self._before
                    self._before.clear()
                    self._done += 1


def newest_portrait(now: Occasion) -> Line | None:
    return newest_text(now, STRATEGY, HEAD)
