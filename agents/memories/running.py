"""One summary of the whole life so far, which its character writes anew at the end of each episode."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from whoknew.agents.agent import Note
from whoknew.agents.memories.life_text import LifeText
from whoknew.agents.memories.memory import Memory, MemoryEntry, Occasion, Recollection
from whoknew.agents.memories.writing import looking_back
from whoknew.agents.parts import Owner

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


class RunningSummary(Memory):
    """Each is made of the one before and of one episode, so that a long life costs no more an episode
    than a short one."""

    def __init__(self, settings: RunningEntry, reasks: int) -> None:
        self._reasks = reasks
        self._text = LifeText(
            strategy=STRATEGY,
            head="Your life so far",
            prompt="remember.running",
            answer=LifeSummary,
            words=settings.words,
        )

    async def recollect(self, now: Occasion) -> Recollection:
        return self._text.recollected(now)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        episode = now.life.now
        if episode is None or not episode.lines:
            return ()
        told = looking_back(now.life, episode)
        return (await self._text.rewritten(now, told, episode.places, self._reasks),)
