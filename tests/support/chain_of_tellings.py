"""A world in which each word is about the one before it; and how often its tellings are looked at."""

from __future__ import annotations

from datetime import datetime

from whoknew.eventlog import Draft, Knowledge, Log
from whoknew.eventlog.kinds import Acted, CharacterAdded, WorldOpened
from whoknew.eventlog.tellings import Telling

TELLERS = ("Ann", "Bob")
BEGUN = 4
"""Events before the first word; a third character hears nothing at all."""


async def chain_of_tellings(log: Log, world: str, words: int) -> None:
    drafts = [Draft(WorldOpened("A"), datetime(2000, 1, 1))]
    drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in (*TELLERS, "Cid")]
    drafts += [
        Draft(
            Acted("x"),
            actor=TELLERS[place % 2],
            witnesses=TELLERS,
            about=(BEGUN + place,) if place else (),
        )
        for place in range(words)
    ]
    await log.append(world, drafts)


async def counting(log: Log, world: str) -> CountedTellings:
    """From now on, how often anything asks what was told of an event of the world."""
    knowledge: Knowledge = await log.knowledge(world)
    tellings = knowledge._live.tellings
    counted = tellings.declared = CountedTellings(tellings.declared)
    return counted


class CountedTellings(dict[int, list[Telling]]):
    asked = 0

    def __getitem__(self, event: int) -> list[Telling]:
        self.asked += 1
        return super().__getitem__(event)

    def get(self, event: int, default: object = None) -> list[Telling]:  # type: ignore[override]
        self.asked += 1
        return super().get(event, [])
