"""The entire memory: all earlier episodes, each with its scenario and what one wanted in it."""

from __future__ import annotations

from whoknew.agents.agent import Note
from whoknew.agents.life import Life, Lived
from whoknew.agents.lines import line, quoted
from whoknew.agents.memories.memory import Recollection
from whoknew.agents.models.model import Model
from whoknew.eventlog import View


class Entire:
    """Each episode is put into words once, when it is over."""

    def __init__(self) -> None:
        self._told: list[str] = []

    async def recollect(self, view: View, life: Life, about: str) -> Recollection:
        earlier = life.episodes[:-1]
        for episode in earlier[len(self._told) :]:
            self._told.append(await told(view, episode))
        places = range(earlier[0].first, earlier[-1].last + 1) if earlier else ()
        return Recollection("\n".join(self._told[: len(earlier)]), tuple(places))

    async def remember(self, view: View, life: Life, model: Model) -> tuple[Note, ...]:
        return ()


async def told(view: View, episode: Lived) -> str:
    """An episode in words, by its character's own count."""
    events = await view.events(episode.first - 1, episode.last)
    lines = [line(place, event) for place, event in zip(episode.places, events, strict=True)]
    return "\n".join(
        [
            f"Episode {episode.number}: {quoted(episode.scenario)}",
            *([f"You wanted: {quoted(episode.goal)}"] if episode.goal else []),
            *filter(None, lines),
        ]
    )
