"""No memory: each episode is the first."""

from __future__ import annotations

from whoknew.agents.agent import Note
from whoknew.agents.life import Life
from whoknew.agents.memories.memory import Recollection
from whoknew.agents.models.model import Model
from whoknew.eventlog import View


class NoMemory:
    async def recollect(self, view: View, life: Life, about: str) -> Recollection:
        return Recollection()

    async def remember(self, view: View, life: Life, model: Model) -> tuple[Note, ...]:
        return ()
