"""Recall: of earlier episodes, what matches the present best."""

from __future__ import annotations

from whoknew.agents.agent import Note
from whoknew.agents.life import Life
from whoknew.agents.lines import line
from whoknew.agents.memories.memory import Recollection
from whoknew.agents.models.model import Model
from whoknew.eventlog import View

BESIDE = "(beside what matches)"
"""What only its neighbours lift is marked: it holds none of the words that brought it to mind. (To
leave it out costs a hundredth of what is found on LoCoMo: it is often the answer.)"""


class Recall:
    """The `k` best events of earlier episodes, in the order in which they happened."""

    def __init__(self, k: int = 10) -> None:
        self._k = k

    async def recollect(self, view: View, life: Life, about: str) -> Recollection:
        upto = life.now.first - 1 if life.now else len(view)
        found = await view.recall(about, self._k, upto=upto)
        own = {one.place: one.own for one in found}
        places = tuple(sorted(own))
        texts = [
            told if own[place] else f"{told} {BESIDE}"
            for place, event in zip(places, await view.pick(places), strict=True)
            if (told := line(place, event))
        ]
        return Recollection("\n".join(texts), places)

    async def remember(self, view: View, life: Life, model: Model) -> tuple[Note, ...]:
        return ()
