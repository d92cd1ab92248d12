"""No memory: each episode is the first."""

from __future__ import annotations

from whoknew.agents.memories.memory import Memory, MemoryEntry, Occasion, Recollection
from whoknew.agents.parts import Owner


class NoMemory(Memory):
    async def recollect(self, now: Occasion) -> Recollection:
        return Recollection()


class NoMemoryEntry(MemoryEntry, frozen=True):
    """nothing of earlier episodes"""

    def make(self, owner: Owner) -> NoMemory:
        return NoMemory()
