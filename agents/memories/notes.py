"""Notes: one for each thing that was said or done, with keywords, context and tags; linked with those that
it belongs to, which change by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from whoknew.agents.agent import Note
from whoknew.agents.life import Life, Lived
from whoknew.agents.lines import Line, line, quoted
from whoknew.agents.memories.cards import Card, Cards, CardsEntry
from whoknew.agents.memories.memory import (
    Memory,
    Occasion,
    Piece,
    Recollection,
    recollection,
)
from whoknew.agents.memories.note_text import NoteText
from whoknew.agents.memories.writing import (
    Number,
    asked,
    check_number,
    looking_back,
    noted,
    numbered,
)
from whoknew.agents.parts import Owner
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import Sections
from whoknew.eventlog import View
from whoknew.eventlog.words import terms

STRATEGY = "notes"


class NoteDrafted(Struct, frozen=True):
    """What a model says of one line."""

    line: Number
    keywords: list[str]
    context: str
    tags: list[str]


class NotesDrafted(Struct, frozen=True):
    """What a model answers first."""

    notes: list[NoteDrafted]


class NoteLink(Struct, frozen=True):
    note: Number
    other: Number


class NoteChanged(Struct, frozen=True):
    """How a note reads in the light of the others."""

    note: Number
    context: str
    tags: list[str]


class NotesLinked(Struct, frozen=True):
    """What a model answers then."""

    links: list[NoteLink]
    changed: list[NoteChanged]


class NotesEntry(CardsEntry, frozen=True):
    """a note on each thing that happened, with keywords, context, tags and links"""

    notes: ClassVar[str] = STRATEGY
    prompts: ClassVar[tuple[str, ...]] = ("remember.notes", "remember.notes.link")

    most: Annotated[int, Meta(ge=1)] = 40
    """So many lines of an episode are put before the model, those that say most. What is beyond that is
    noted word for word, and linked with nothing."""

    def make(self, owner: Owner) -> LinkedNotes:
        return LinkedNotes(self, owner.reasks)


class LinkedNotes(Memory):
    """What the notes say and how they are linked is a fold of those on the log."""

    def __init__(self, settings: NotesEntry, reasks: int) -> None:
        self._settings, self._reasks = settings, reasks
        self._cards = Cards(settings, "Note")
        self._links: dict[int, set[int]] = {}

    async def recollect(self, now: Occasion) -> Recollection:
        """The best, and as many more at most that they are linked to. Of more than there is room for,
        what is only linked is left out first, then what matches least."""
        self._catch_up(now.life)
        cards = await self._cards.best(now)
        cards += self._linked_to(cards)
        pieces = await _pieces(now.view, now.life, cards)
        return recollection(sorted(pieces, key=lambda piece: piece.places[0]), now.budget)

    def _linked_to(self, cards: Sequence[Card]) -> list[Card]:
        there = {card.number for card in cards}
        linked = dict.fromkeys(
            other for card in cards for other in sorted(self._links.get(card.number, ()))
        )
        found = (self._cards.get(number) for number in linked if number not in there)
        return [card for card in found if card][: self._settings.k]

    def _catch_up(self, life: Life) -> None:
        for card in self._cards.catch_up(life):
            for other in NoteText.read(card.text).links:
                self._links.setdefault(card.number, set()).add(other)
                self._links.setdefault(other, set()).add(card.number)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        episode = now.life.now
        lines = [one for one in episode.lines if one.text] if episode else []
        if episode is None or not lines:
            return ()
        self._catch_up(now.life)
        chosen = self._chosen(lines)
        notes = await self._drafted(now, episode, lines, chosen)
        texts = [notes[at].text for at in chosen]
        olds = await self._cards.near(now.view, texts)
        shown = [*(NoteText.read(card.text) for card in olds), *(notes[at] for at in chosen)]
        first = self._cards.next_number
        numbers = [*(card.number for card in olds), *(first + at for at in chosen)]
        linked = await self._linked(now, shown, olds=len(olds)) if olds else NotesLinked([], [])
        for one in linked.changed:
            shown[one.note] = shown[one.note].told(shown[one.note].keywords, one.context, one.tags)
        found, belonging = list[Note](), _belonging(linked)
        for at, note in enumerate(shown):
            others = belonging.get(at, set())
            linked_note = note.linked(numbers[other] for other in others)
            if at >= len(olds):
                notes[chosen[at - len(olds)]] = linked_note
            elif (
                linked_note.text != olds[at].text
            ):  # by those linked with it, or by all that is new
                new = [other - len(olds) for other in others if other >= len(olds)]
                places = [lines[chosen[one]].place for one in new or range(len(chosen))]
                on = note.place if 0 < note.place < olds[at].place else olds[at].place
                text = self._cards.put(numbers[at], linked_note.text)
                found.append(Note(STRATEGY, text, tuple(sorted({on, *places}))))
        for at, note in enumerate(notes):
            found.append(Note(STRATEGY, self._cards.put(first + at, note.text), (lines[at].place,)))
        return await self._cards.kept(now, found)

    def _chosen(self, lines: Sequence[Line]) -> list[int]:
        """Which lines are put before the model: those that say most."""
        by_words = sorted(range(len(lines)), key=lambda at: (-len(set(terms(lines[at].text))), at))
        return sorted(by_words[: self._settings.most])

    async def _drafted(
        self, now: Occasion, episode: Lived, lines: Sequence[Line], chosen: Sequence[int]
    ) -> list[NoteText]:
        """A note on each line. Of what the model says nothing of, its words are noted."""

        def read(drafted: NotesDrafted) -> dict[int, NoteDrafted]:
            for one in drafted.notes:
                check_number(one.line, chosen, "line")
            return {chosen[one.line]: one for one in drafted.notes}

        rules = filled("remember.notes", name=now.life.who)
        here = numbered([lines[at] for at in chosen])
        sections = replace(looking_back(now.life, episode), here=here)
        drafted = await asked(now, rules, sections, NotesDrafted, read, self._reasks)
        notes = [NoteText(str(one)) for one in lines]
        for at, one in drafted.items():
            notes[at] = notes[at].told(one.keywords, one.context, one.tags)
        return notes

    async def _linked(self, now: Occasion, shown: Sequence[NoteText], *, olds: int) -> NotesLinked:
        """Which notes belong together, and how they read by that."""

        def read(linked: NotesLinked) -> NotesLinked:
            for number in (
                *(number for pair in linked.links for number in (pair.note, pair.other)),
                *(one.note for one in linked.changed),
            ):
                check_number(number, shown, "note")
            return linked

        who = now.life.who
        lines = numbered([Line(quoted(note.text), 0, "", note.text) for note in shown])
        sections = Sections(
            who=who, myself=now.life.myself or who, memory=lines[:olds], here=lines[olds:]
        )
        rules = filled("remember.notes.link", name=who)
        return await asked(now, rules, sections, NotesLinked, read, self._reasks)


async def _pieces(view: View, life: Life, cards: Sequence[Card]) -> list[Piece]:
    """The event of each note, with what the note says of it; those that come first rank highest."""
    notes = [NoteText.read(card.text) for card in cards]
    places = sorted({note.place for note in notes if 0 < note.place <= len(view)})
    lines = {
        place: line(place, event)
        for place, event in zip(places, await view.pick(places), strict=True)
    }
    pieces = list[Piece]()
    for rank, (card, note) in enumerate(zip(cards, notes, strict=True)):
        told, rests_on = lines.get(note.place), [note.place, card.place]
        if told is None or told != note.content:  # it was written in another view
            told, rests_on = noted(life, card.place, card.text), [card.place]
        elif note.context or note.tags:
            told = told.marked(f"(noted: {quoted('; '.join([note.context, *note.tags]))})")
        pieces.append(Piece(told, rests_on, -rank))
    return pieces


def _belonging(linked: NotesLinked) -> dict[int, set[int]]:
    """With which notes each is linked, whichever of the two was named first."""
    found: dict[int, set[int]] = {}
    for one in linked.links:
        if one.note != one.other:
            found.setdefault(one.note, set()).add(one.other)
            found.setdefault(one.other, set()).add(one.note)
    return found
