"""A life in which things are planted, lived through with one memory: what it keeps stands on the log as
if it had been played, and what comes to mind at the end can be looked at."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta

from msgspec import Struct
from small_worlds import NIGHT, opened, said

from whoknew.agents.memories.memory import Memory, MemoryEntry, Recollection
from whoknew.agents.models.model import Model, Reply, Request
from whoknew.agents.models.offline import Offline
from whoknew.agents.parts import Owner
from whoknew.eventlog import Draft, Log, View, open_log
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened, Remembered
from whoknew.testing.occasion import occasion

WORLD = "w"
WHO = "Oda"
CAST = (WHO, "Bram", "Kit")

Spoken = tuple[str, str]
"""Who says what: "Bram and Oda" say it together."""


class PlantedLife(Struct):
    """The life of Oda, and how many calls were made for it."""

    log: Log
    entry: MemoryEntry
    calls: list[Request]

    async def view(self) -> View:
        return await self.log.view(WORLD, WHO)

    async def recollect(self, about: str, budget: int | None = None) -> Recollection:
        """What comes to mind of all that is over, made anew."""
        now = await occasion(await self.view(), about, budget=budget)
        return await made(self.entry).recollect(now)

    async def notes(self) -> list[Remembered]:
        events = await (await self.view()).events()
        return [event.body for event in events if isinstance(event.body, Remembered)]


class Heeding:
    """A model that answers as another does, and keeps what it was asked."""

    name = "heeding:"

    def __init__(self, model: Model, asked: list[Request]) -> None:
        self._model, self._asked = model, asked

    async def complete(self, request: Request) -> Reply:
        self._asked.append(request)
        return await self._model.complete(request)


def made(entry: MemoryEntry) -> Memory:
    return entry.make(Owner(who=WHO))


@asynccontextmanager
async def lived(
    entry: MemoryEntry,
    *episodes: Sequence[Spoken],
    model: Model | None = None,
) -> AsyncIterator[PlantedLife]:
    """So many episodes are over, and another has begun."""
    async with open_log(":memory:") as log:
        life = PlantedLife(log, entry, [])
        asked, memory = Heeding(model or Offline(), life.calls), made(entry)
        await log.append(WORLD, opened(*CAST))
        for number, lines in enumerate([*episodes, []], start=1):
            begun = EpisodeOpened(f"Evening {number}.", CAST)
            at = NIGHT + timedelta(days=number)
            await log.append(WORLD, [Draft(begun, at, episode=number, witnesses=CAST)])
            if number > len(episodes):
                break
            for who, text in lines:
                first, *also = who.split(" and ")
                others = [one for one in CAST if one != first]
                await log.append(WORLD, [said(first, text, *others, also=also, episode=number)])
            view = await life.view()
            for note in await memory.remember(await occasion(view, model=asked)):
                seqs = tuple(view.seq(place) for place in note.sources)
                upto = view.cursor.seq
                kept = Remembered(WHO, note.strategy, note.text, seqs, upto, note.packed)
                draft = Draft(kept, episode=number, actor=WHO, witnesses=(WHO,))
                await log.append(WORLD, [draft])
            closed = Draft(EpisodeClosed("over"), episode=number, witnesses=CAST)
            await log.append(WORLD, [closed])
        yield life


def idle(evenings: int) -> list[list[Spoken]]:
    """Evenings on which nothing of interest is said, each of another thing."""
    things = ["bread", "snow", "rope", "candle", "herring", "chimney", "ladder", "button"]
    return [
        [
            ("Bram", f"The {things[number % 8]} number {number} wants mending again, it seems."),
            ("Kit", f"Leave the {things[(number + 3) % 8]} alone, it is evening {number}."),
        ]
        for number in range(evenings)
    ]
