"""Recall: of earlier episodes, what matches the present best."""

from __future__ import annotations

from whoknew.agents.agent import Note
from whoknew.agents.life import Life
from whoknew.agents.lines import line
from whoknew.agents.memories.memory import Recollection
from whoknew.agents.models.model import Model
from whoknew.eventlog import View


class Recall:
    """The `k` best events of earlier episodes, in the order in which they happened."""

    def __init__(self, k: int = 10) -> None:
        self._k = k

    async def recollect(self, view: View, life: Life, about: str) -> Recollection:
        begins = life.now.first if life.now else len(view) + 1
        wanted = self._k + len(view) - begins + 1
        found = await view.recall(about, wanted)
        places = sorted(one.place for one in found if one.place < begins)[: self._k]
        texts = []
        for place in places:
            (event,) = await view.events(place - 1, place)
            texts.append(line(place, event))
        return Recollection("\n".join(filter(None, texts)), tuple(places))

    async def remember(self, view: View, life: Life, model: Model) -> tuple[Note, ...]:
        return ()
