"""A summary of each episode, written by the character itself when it closes."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from whoknew.agents import briefing
from whoknew.agents.agent import Note
from whoknew.agents.errors import BadAnswer
from whoknew.agents.life import Life
from whoknew.agents.lines import quoted
from whoknew.agents.memories.memory import Recollection
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.prompts.text import filled, prompt
from whoknew.agents.understand import understand
from whoknew.eventlog import View
from whoknew.eventlog.words import sentences

STRATEGY = "summary"

ASPECTS = {
    "overview": "What happened",
    "negotiation": "How each went about it",
    "knowledge": "New about the others",
}
"""What a summary can hold, each under its title; `remember.ASPECT.txt` asks for it."""

_NUMBER = re.compile(r"\[(\d+)\]")


class Summary:
    """Summaries are events: what is recollected is what was written down, and nothing else."""

    def __init__(
        self, words: int = 300, aspects: Sequence[str] = tuple(ASPECTS), reasks: int = 2
    ) -> None:
        self._words, self._aspects, self._reasks = words, tuple(aspects), reasks
        self._text = ""
        self._places: tuple[int, ...] = ()
        self._taken = 0

    async def recollect(self, view: View, life: Life, about: str) -> Recollection:
        for place, note in life.notes[self._taken :]:
            self._taken += 1
            if note.strategy == STRATEGY:
                number = next(one.number for one in life.episodes if place in one.places)
                self._text += f"Episode {number}, {briefing.WRITTEN}{quoted(note.text)}\n"
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
                briefing.section(briefing.NOW, quoted(episode.scenario)),
                briefing.goal(episode),
                briefing.here(episode),
            )
            if part
        )
        places = episode.places

        def read(text: str) -> str:
            kept = understand(text, _answer(self._aspects))
            return self._noted({one: getattr(kept, one).strip() for one in self._aspects}, places)

        messages = (Message("system", self._rules(life.who)), Message("user", told))
        request = Request("remember", messages, _answer(self._aspects))
        text = await insist(model, request, read, self._reasks)
        return (Note(STRATEGY, text, _cited(text, places)),)

    def _rules(self, who: str) -> str:
        least = self._words * 2 // 3
        rules = filled("remember", name=who, least=least, words=self._words)
        return "\n".join([rules, *(prompt(f"remember.{one}") for one in self._aspects)])

    def _noted(self, kept: dict[str, str], places: range) -> str:
        """The summary under its titles; BadAnswer where it lacks something, or cites what is not
        there."""
        for aspect, text in kept.items():
            if not text:
                raise BadAnswer(f'"{aspect}" is empty: say so in words where there is nothing.')
            for number in _NUMBER.findall(text):
                if _place(number) not in places:
                    raise BadAnswer(f"[{number}] is no number of this episode.")
        kept = _within(kept, self._words)
        return "\n".join(f"{ASPECTS[aspect]}:\n{text}" for aspect, text in kept.items())


_answers: dict[tuple[str, ...], type[Struct]] = {}


def _answer(aspects: tuple[str, ...]) -> type[Struct]:
    """The Struct that a summary decodes into: a text for each aspect."""
    if aspects not in _answers:
        _answers[aspects] = msgspec.defstruct("Kept", [(one, str) for one in aspects], frozen=True)
    return _answers[aspects]


def _within(kept: dict[str, str], words: int) -> dict[str, str]:
    """As many sentences of each aspect as there is room for: whoever says too much loses the ends.
    Of what one aspect leaves over the others have the use."""
    room, shares = words, dict[str, str]()
    for aspect in sorted(kept, key=lambda one: len(kept[one].split())):
        shares[aspect] = _cut(kept[aspect], room // (len(kept) - len(shares)))
        room -= len(shares[aspect].split())
    return {aspect: shares[aspect] for aspect in kept}


def _cut(text: str, words: int) -> str:
    """The first sentences, so many words of them at most; of one that is too long, its first words."""
    if len(text.split()) <= words:
        return text
    room, kept = words, list[str]()
    for sentence in sentences(text):
        room -= len(sentence.split())
        if room < 0:
            break
        kept.append(sentence)
    return " ".join(kept or text.split()[:words])


def _cited(text: str, places: range) -> tuple[int, ...]:
    """The places that a summary names; where it names none it rests on the whole episode."""
    named = {_place(number) for number in _NUMBER.findall(text)}
    return tuple(sorted(named.intersection(places))) or tuple(places)


def _place(number: str) -> int:
    """0 is no place, and no number of so many digits is one either."""
    return int(number) if len(number) < 10 else 0
