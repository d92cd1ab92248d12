"""The entire memory: all earlier episodes, each with its scenario and what one wanted in it."""

from __future__ import annotations

from whoknew.agents.life import Lived
from whoknew.agents.lines import line, quoted
from whoknew.agents.memories.event_pages import event_by_event
from whoknew.agents.memories.memory import (
    Memory,
    MemoryEntry,
    Occasion,
    Piece,
    Recollection,
    recollection,
)
from whoknew.agents.parts import Owner
from whoknew.eventlog import View


class Entire(Memory):
    """Each episode is put into words once, when it is over."""

    def __init__(self) -> None:
        self._episodes = 0
        self._told: list[Piece] = []

    async def recollect(self, now: Occasion) -> Recollection:
        """Of more than there is room for, the earliest is left out."""
        for episode in now.life.episodes[self._episodes : -1]:
            self._told += await pieces(now.view, episode)
            self._episodes += 1
        return recollection(self._told, now.budget)


class EntireEntry(MemoryEntry, frozen=True):
    """all earlier episodes, word for word"""

    def make(self, owner: Owner) -> Entire:
        return Entire()


async def pieces(view: View, episode: Lived) -> list[Piece]:
    """An episode in words, by its character's own count, line by line."""
    head = [f"Episode {episode.number}: {quoted(episode.scenario)}"]
    if episode.goal:
        head.append(f"You wanted: {quoted(episode.goal)}")
    began, found = list[int](), list[Piece]()
    place = episode.first - 1
    async for event in event_by_event(view, place, episode.last):
        place += 1
        if told := line(place, event):
            found.append(Piece(told, (place,), place))
        else:
            began.append(place)
    # How it began is left out last.
    return [Piece("\n".join(head), began, episode.last + 0.5), *found]
