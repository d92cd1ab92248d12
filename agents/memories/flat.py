"""Flat: raw events, and what was drawn out of each episode, as chunks that are searched together."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import partial
from typing import Annotated, ClassVar, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from whoknew.agents.agent import Note
from whoknew.agents.errors import BadAnswer
from whoknew.agents.life import Life
from whoknew.agents.lines import Line, line
from whoknew.agents.memories.event_pages import event_by_event
from whoknew.agents.memories.memory import Memory, Occasion, Recollection, recollection
from whoknew.agents.memories.search import SearchEntry, found_pieces
from whoknew.agents.memories.writing import (
    asked,
    check_cited,
    cited,
    cut,
    looking_back,
    noted,
    sources,
)
from whoknew.agents.parts import Owner
from whoknew.agents.prompts.text import filled, prompt
from whoknew.eventlog import Event, View
from whoknew.eventlog.kinds import Remembered

STRATEGY = "flat"

Chunk = Literal["events", "summary", "phrases", "facts"]

DRAWN = {"summary": str, "phrases": list[str], "facts": list[str]}
"""What can be drawn out of an episode, and as what; `remember.flat.CHUNK.txt` asks for it."""

TITLES = {"summary": "Summary", "phrases": "Key phrases", "facts": "Fact"}

WORDS = 60
"""A fact has so many at most."""


class FlatEntry(SearchEntry, frozen=True):
    """a search in what happened and in what was drawn out of it: summaries, key phrases, facts"""

    version: ClassVar[int] = 2
    notes: ClassVar[str] = STRATEGY
    prompts: ClassVar[tuple[str, ...]] = (
        "remember.flat",
        *(f"remember.flat.{one}" for one in DRAWN),
    )

    chunks: Annotated[tuple[Chunk, ...], Meta(min_length=1)] = tuple(get_args(Chunk))
    """What is searched."""
    words: Annotated[int, Meta(ge=10)] = 100
    """The summary of an episode has so many words at most."""
    most: Annotated[int, Meta(ge=1)] = 20
    """Of an episode so many facts are kept at most, and so many key phrases."""

    def __post_init__(self) -> None:
        if len(set(self.chunks)) < len(self.chunks):
            raise ValueError("chunks names one twice: name each once")

    @property
    def drawn(self) -> tuple[str, ...]:
        return tuple(one for one in DRAWN if one in self.chunks)

    @property
    def calls_an_episode(self) -> int:  # type: ignore[override]
        """No language model is asked where nothing is drawn out."""
        return int(bool(self.drawn)) + self.vectors_an_episode

    @property
    def vectors_an_episode(self) -> int:  # type: ignore[override]
        """Of what happened, and of what was drawn out of it."""
        return int(bool(self.embedder)) * (int("events" in self.chunks) + int(bool(self.drawn)))

    @property
    def keeps(self) -> str:  # type: ignore[override]
        return self.strategy.name if self.drawn or self.embedder else ""

    def make(self, owner: Owner) -> Flat:
        return Flat(self, owner.reasks)


class Flat(Memory):
    """Which places of the view are chunks is folded event by event; what is searched is the view."""

    def __init__(self, settings: FlatEntry, reasks: int) -> None:
        self._settings, self._reasks = settings, reasks
        self._chunks, self._upto = array("I"), 0
        self._vectors = settings.vectors()

    async def recollect(self, now: Occasion) -> Recollection:
        """Of more than there is room for, those that match least are left out."""
        await self._go_on(now.view)
        beside = await self._vectors.beside(now, now.before) if self._vectors else None
        found = await now.view.recall(
            now.about, self._settings.k, upto=now.before, among=self._chunks, beside=beside
        )
        pieces = await found_pieces(now.view, found, partial(_told, now.life))
        return recollection(pieces, now.budget)

    async def _go_on(self, view: View) -> None:
        raw, strategy = "events" in self._settings.chunks, self._settings.strategy
        async for event in event_by_event(view, self._upto):
            self._upto += 1
            body = event.body
            ours = isinstance(body, Remembered) and bool(body.text) and strategy.includes(body)
            if ours or (raw and line(self._upto, event)):
                self._chunks.append(self._upto)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        drawn = await self._drawn(now)
        if self._vectors is None:
            return drawn
        raw = "events" in self._settings.chunks
        happened = await self._vectors.remember(now) if raw else ()
        return (*happened, *await self._vectors.beside_each(now, drawn))

    async def _drawn(self, now: Occasion) -> tuple[Note, ...]:
        """What is drawn out of the episode that is over."""
        life, episode, drawn = now.life, now.life.now, self._settings.drawn
        if episode is None or not episode.lines or not drawn:
            return ()

        def read(found: Struct) -> tuple[Note, ...]:
            units = list(self._units(found))
            if not units:
                raise BadAnswer("nothing is drawn out of it: give what there is, in a few words.")
            for _, whole in units:
                check_cited(whole, episode.places, "this episode")
            return tuple(
                Note(STRATEGY, unit, sources(unit, cited(whole) or episode.places))
                for unit, whole in units
            )

        told = looking_back(life, episode)
        return await asked(now, self._rules(life.who), told, _answer(drawn), read, self._reasks)

    def _rules(self, who: str) -> str:
        settings = self._settings
        blanks = {"words": settings.words, "most": settings.most}
        asked = (filled(f"remember.flat.{one}", **blanks) for one in settings.drawn)
        return "\n".join([prompt("remember.flat").format(name=who), *asked])

    def _units(self, found: Struct) -> Iterator[tuple[str, str]]:
        """What was drawn out, each under its title, not more of it, nor longer, than was asked for; and as
        long as it was said, for what a sentence rests on stands at its end."""
        given, most = msgspec.structs.asdict(found), self._settings.most
        texts = {
            "summary": [given.get("summary", "")],
            "phrases": [", ".join(given.get("phrases", [])[:most])],
            "facts": given.get("facts", [])[:most],
        }
        words = {"summary": self._settings.words, "facts": WORDS}
        for chunk, some in texts.items():
            for text in filter(None, map(str.strip, some)):
                short = cut(text, words[chunk]) if chunk in words else text
                yield f"{TITLES[chunk]}:\n{short}", text


def _told(life: Life, place: int, event: Event) -> Line:
    body = event.body
    if not isinstance(body, Remembered):
        return line(place, event)
    return noted(life, place, body.text)


_answers: dict[tuple[str, ...], type[Struct]] = {}


def _answer(drawn: tuple[str, ...]) -> type[Struct]:
    """The Struct that an answer decodes into."""
    if drawn not in _answers:
        fields = [(one, DRAWN[one]) for one in drawn]
        _answers[drawn] = msgspec.defstruct("Drawn", fields, frozen=True)
    return _answers[drawn]
