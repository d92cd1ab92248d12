"""One summary of the whole life so far, which its character writes anew at the end of each episode."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from whoknew.agents import briefing
from whoknew.agents.agent import Note
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
    cited,
    looking_back,
    newest,
    rewritten,
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
        found = newest(now.life, STRATEGY)
        pieces = [Piece(_line(now.life, *found), (found[0],))] if found else []
        return recollection(pieces, now.budget)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        life, episode = now.life, now.life.now
        if episode is None or not episode.lines:
            return ()
        last = newest(life, STRATEGY)
        before = (_line(life, *last),) if last else ()
        places = {*episode.places, *(cited(last[1].text) if last else ())}

        def read(text: str) -> str:
            return rewritten("summary", understand(text, LifeSummary).summary, places, self._words)

        rules = filled("remember.running", name=life.who, words=self._words)
        sections = looking_back(life, episode, memory=before)
        request = briefing.request("remember", rules, sections, LifeSummary)
        text = await insist(now.model, request, read, self._reasks)
        return (Note(STRATEGY, text, sources(text, episode.places)),)


def _line(life: Life, place: int, note: Remembered) -> Line:
    return written("Your life so far", life.who, place, note.text)
