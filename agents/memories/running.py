"""One summary of the whole life so far, which its character writes anew at the end of each episode."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from whoknew.agents import briefing
from whoknew.agents.agent import Note
from whoknew.agents.errors import BadAnswer
from whoknew.agents.life import Life
from whoknew.agents.lines import Line
from whoknew.agents.memories.memory import (
    Memory,
    MemoryEntry,
    Occasion,
    Piece,
    Recollection,
    recollection,
)
from whoknew.agents.memories.writing import (
    check_cited,
    cited,
    cut,
    looking_back,
    sources,
    written,
)
from whoknew.agents.methods.method import insist
from whoknew.agents.parts import REASKS, Owner
from whoknew.agents.prompts.text import filled
from whoknew.agents.understand import understand
from whoknew.eventlog.kinds import Remembered

STRATEGY = "running summary"


class LifeSummary(Struct, frozen=True):
    """What a model writes."""

    summary: str


class RunningEntry(MemoryEntry, frozen=True):
    """one summary of its whole life, written anew when an episode ends"""

    calls_an_episode: ClassVar[int] = 1
    keeps: ClassVar[str] = STRATEGY
    prompts: ClassVar[tuple[str, ...]] = ("remember.running",)

    words: Annotated[int, Meta(ge=10)] = 500
    """It has so many words at most, however long the life is."""

    def make(self, owner: Owner) -> RunningSummary:
        return RunningSummary(self, owner.reasks)


DEFAULT = RunningEntry()


class RunningSummary(Memory):
    """The newest summary is all that comes to mind. Each is made of the one before and of one episode,
    so that a long life costs no more an episode than a short one."""

    def __init__(self, settings: RunningEntry = DEFAULT, reasks: int = REASKS) -> None:
        self._words, self._reasks = settings.words, reasks

    async def recollect(self, now: Occasion) -> Recollection:
        """Where there is no room for it, it is left out."""
        newest = _newest(now.life)
        if newest is None:
            return recollection((), now.budget)
        place, note = newest
        return recollection([Piece(_line(now.life, place, note), (place,))], now.budget)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        life, episode = now.life, now.life.now
        if episode is None or not episode.lines:
            return ()
        newest = _newest(life)
        before = (_line(life, *newest),) if newest else ()
        places = {*episode.places, *(cited(newest[1].text) if newest else ())}

        def read(text: str) -> str:
            kept = understand(text, LifeSummary).summary.strip()
            if not kept:
                raise BadAnswer('"summary" is empty: say so in words where there is nothing.')
            check_cited(kept, places, "what you were given")
            return cut(kept, self._words)

        rules = filled("remember.running", name=life.who, words=self._words)
        sections = looking_back(life, episode, memory=before)
        request = briefing.request("remember", rules, sections, LifeSummary)
        text = await insist(now.model, request, read, self._reasks)
        return (Note(STRATEGY, text, sources(text, episode.places)),)


def _newest(life: Life) -> tuple[int, Remembered] | None:
    """The newest summary, with its place in the view."""
    notes = reversed(life.notes)
    return next(((place, note) for place, note in notes if note.strategy == STRATEGY), None)


def _line(life: Life, place: int, note: Remembered) -> Line:
    return written("Your life so far", life.who, place, note.text)
