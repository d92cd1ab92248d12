"""A summary of each episode, written by the character itself when it closes."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from whoknew.agents.agent import Note
from whoknew.agents.errors import BadAnswer
from whoknew.agents.memories.memory import (
    Memory,
    MemoryEntry,
    Occasion,
    Piece,
    Recollection,
    recollection,
)
from whoknew.agents.memories.writing import (
    asked,
    check_cited,
    cut,
    looking_back,
    noted,
    sources,
)
from whoknew.agents.parts import REASKS, Owner
from whoknew.agents.prompts.text import filled, prompt

STRATEGY = "summary"

ASPECTS = {
    "overview": "What happened",
    "negotiation": "How each went about it",
    "knowledge": "New about the others",
}
"""What a summary can hold, each under its title; `remember.ASPECT.txt` asks for it."""

Aspect = Literal["overview", "negotiation", "knowledge"]


class SummaryEntry(MemoryEntry, frozen=True):
    """its own summary of each episode"""

    calls_an_episode: ClassVar[int] = 1
    keeps: ClassVar[str] = STRATEGY
    prompts: ClassVar[tuple[str, ...]] = ("remember", *(f"remember.{one}" for one in ASPECTS))

    words: Annotated[int, Meta(ge=10)] = 300
    """A summary has so many words at most."""
    aspects: Annotated[tuple[Aspect, ...], Meta(min_length=1)] = tuple(get_args(Aspect))
    """What it tells of."""

    def __post_init__(self) -> None:
        if len(set(self.aspects)) < len(self.aspects):
            raise ValueError("aspects names one twice: name each once")

    def make(self, owner: Owner) -> Summary:
        return Summary(self, owner.reasks)


DEFAULT = SummaryEntry()


class Summary(Memory):
    """Summaries are events: what is recollected is what was written down, and nothing else."""

    def __init__(self, settings: SummaryEntry = DEFAULT, reasks: int = REASKS) -> None:
        self._words, self._aspects, self._reasks = settings.words, settings.aspects, reasks
        self._kept: list[Piece] = []
        self._taken = 0

    async def recollect(self, now: Occasion) -> Recollection:
        """Of more than there is room for, the earliest are left out."""
        for place, note in now.life.notes[self._taken :]:
            self._taken += 1
            if note.strategy == STRATEGY:
                self._kept.append(Piece(noted(now.life, place, note.text), (place,), place))
        return recollection(self._kept, now.budget)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        life, episode = now.life, now.life.now
        if episode is None or not episode.lines:
            return ()
        places = episode.places

        def read(kept: Struct) -> Note:
            text = self._told({one: getattr(kept, one).strip() for one in self._aspects}, places)
            return Note(STRATEGY, text, sources(text, places))

        told, answer = looking_back(life, episode), _answer(self._aspects)
        return (await asked(now, self._rules(life.who), told, answer, read, self._reasks),)

    def _rules(self, who: str) -> str:
        least = self._words * 2 // 3
        rules = filled("remember", name=who, least=least, words=self._words)
        return "\n".join([rules, *(prompt(f"remember.{one}") for one in self._aspects)])

    def _told(self, kept: dict[str, str], places: range) -> str:
        """The summary under its titles; BadAnswer where it lacks something, or cites what is not
        there."""
        for aspect, text in kept.items():
            if not text:
                raise BadAnswer(f'"{aspect}" is empty: say so in words where there is nothing.')
            check_cited(text, places, "this episode")
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
        shares[aspect] = cut(kept[aspect], room // (len(kept) - len(shares)))
        room -= len(shares[aspect].split())
    return {aspect: shares[aspect] for aspect in kept}
