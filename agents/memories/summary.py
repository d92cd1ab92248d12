"""A summary of each episode, written by the character itself when it closes."""

from __future__ import annotations

import re

from whoknew.agents import briefing
from whoknew.agents.agent import Note
from whoknew.agents.life import Life
from whoknew.agents.lines import quoted
from whoknew.agents.memories.memory import Recollection
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.prompts.text import prompt
from whoknew.eventlog import View

STRATEGY = "summary"


class Summary:
    """Summaries are events: what is recollected is what was written down, and nothing else."""

    def __init__(self, words: int = 250, reasks: int = 2) -> None:
        self._words, self._reasks = words, reasks
        self._text = ""
        self._places: tuple[int, ...] = ()
        self._taken = 0

    async def recollect(self, view: View, life: Life, about: str) -> Recollection:
        for place, note in life.notes[self._taken :]:
            self._taken += 1
            if note.strategy == STRATEGY:
                number = len(self._places) + 1
                self._text += f"Episode {number}:\n{note.text}\n"
                self._places += (place,)
        return Recollection(self._text.rstrip("\n"), self._places)

    async def remember(self, view: View, life: Life, model: Model) -> tuple[Note, ...]:
        episode = life.now
        if episode is None or not episode.lines:
            return ()
        told = "\n\n".join(
            part
            for part in (
                briefing.myself(life),
                briefing.others(life),
                f"{briefing.NOW}\n{quoted(episode.scenario)}",
                briefing.goal(episode),
                briefing.here(episode),
            )
            if part
        )
        asked = Message("system", prompt("remember").format(name=life.who, words=self._words))
        request = Request("remember", (asked, Message("user", told)))
        text = await insist(model, request, str.strip, self._reasks)
        return (Note(STRATEGY, text, _cited(text, episode.places)),)


def _cited(text: str, places: range) -> tuple[int, ...]:
    """The places that a summary names; where it names none it rests on the whole episode."""
    named = {int(number) for number in re.findall(r"\[(\d+)\]", text)}
    return tuple(sorted(named.intersection(places))) or tuple(places)
