"""Facts: drawn out of each episode, and each held against what is known already, which it adds to,
changes or undoes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from whoknew.agents.agent import Note
from whoknew.agents.errors import BadAnswer
from whoknew.agents.life import Lived
from whoknew.agents.lines import Line, quoted
from whoknew.agents.memories.cards import Card, Cards, CardsEntry
from whoknew.agents.memories.memory import (
    Memory,
    Occasion,
    Piece,
    Recollection,
    recollection,
)
from whoknew.agents.memories.writing import (
    Number,
    asked,
    check_cited,
    check_number,
    cited_in,
    cut,
    looking_back,
    noted,
    numbered,
    sources,
)
from whoknew.agents.parts import Owner
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import Sections

STRATEGY = "facts"

WORDS = 60
"""A fact has so many at most."""


class FactsFound(Struct, frozen=True):
    """What a model answers first."""

    facts: list[str]


class FactPair(Struct, frozen=True):
    """By the new fact an old one no longer holds."""

    fact: Number
    old: Number


class FactChanged(FactPair, frozen=True):
    """By the new fact an old one reads otherwise."""

    text: str


class FactsCompared(Struct, frozen=True):
    """What a model answers then. What it does not name is new."""

    update: list[FactChanged]
    delete: list[FactPair]
    none: list[Number]


class FactsEntry(CardsEntry, frozen=True):
    """facts, kept up to date: added, changed and taken back when an episode ends"""

    notes: ClassVar[str] = STRATEGY
    prompts: ClassVar[tuple[str, ...]] = ("remember.facts", "remember.facts.compare")

    most: Annotated[int, Meta(ge=1)] = 20
    """So many are drawn out of an episode at most."""

    def make(self, owner: Owner) -> Facts:
        return Facts(self, owner.reasks)


class Facts(Memory):
    """What holds is a fold of the notes; each change is one."""

    def __init__(self, settings: FactsEntry, reasks: int) -> None:
        self._settings, self._reasks = settings, reasks
        self._cards = Cards(settings, "Fact")

    async def recollect(self, now: Occasion) -> Recollection:
        """Of more than there is room for, those that match least are left out."""
        self._cards.catch_up(now.life)
        best = await self._cards.best(now)
        pieces = [
            Piece(noted(now.life, card.place, card.text), (card.place,), -rank)
            for rank, card in enumerate(best)
        ]
        return recollection(sorted(pieces, key=lambda piece: piece.places[0]), now.budget)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        episode = now.life.now
        if episode is None or not episode.lines:
            return ()
        self._cards.catch_up(now.life)
        return await self._cards.kept(now, await self._changes(now, episode))

    async def _changes(self, now: Occasion, episode: Lived) -> Sequence[Note]:
        """What becomes of what is known by an episode, and what it adds."""
        found = await self._found(now, episode)
        rests = [sources(fact, episode.places) for fact in found]
        facts = [cut(fact, WORDS) for fact in found]
        olds = await self._cards.near(now.view, facts)
        if not (facts and olds):
            return self._added(facts, rests, range(len(facts)))
        compared = await self._compared(now, facts, olds)
        changed = {one.old: one for one in compared.update}  # said twice, the last word counts
        undone = {one.old: one for one in compared.delete}
        notes = [
            Note(
                STRATEGY,
                self._cards.put(olds[old].number, cut(one.text, WORDS)),
                _with(olds[old], sources(one.text, rests[one.fact])),
            )
            for old, one in changed.items()
        ]
        notes += [
            Note(STRATEGY, self._cards.taken_back(olds[old]), _with(olds[old], rests[one.fact]))
            for old, one in undone.items()
        ]
        pairs: list[FactPair] = [*compared.update, *compared.delete]
        known = {*compared.none, *(one.fact for one in pairs)}
        new = [number for number in range(len(facts)) if number not in known]
        return [*notes, *self._added(facts, rests, new)]

    async def _found(self, now: Occasion, episode: Lived) -> list[str]:
        """What is drawn out of an episode, as long as it was said: what it rests on stands at its end."""

        def read(found: FactsFound) -> list[str]:
            facts = [one.strip() for one in found.facts]
            for fact in facts:
                check_cited(fact, episode.places, "this episode")
            return list(filter(None, facts))[: self._settings.most]

        rules = filled("remember.facts", name=now.life.who, most=self._settings.most)
        told = looking_back(now.life, episode)
        return await asked(now, rules, told, FactsFound, read, self._reasks)

    async def _compared(
        self, now: Occasion, facts: Sequence[str], olds: Sequence[Card]
    ) -> FactsCompared:
        """What becomes of what is known."""
        places = cited_in(now.view, *facts, *(card.text for card in olds))

        def read(compared: FactsCompared) -> FactsCompared:
            pairs: list[FactPair] = [*compared.update, *compared.delete]
            for one in pairs:
                check_number(one.fact, facts, "new fact")
                check_number(one.old, olds, "fact that you keep")
            for number in compared.none:
                check_number(number, facts, "new fact")
            _check_once(compared)
            for changed in compared.update:
                check_cited(changed.text, places, "what you were given")
                if not changed.text.strip():
                    raise BadAnswer('a "text" is empty: say the fact as it is now.')
            return compared

        who = now.life.who
        sections = Sections(
            who=who,
            myself=now.life.myself or who,
            memory=_shown((card.text for card in olds), who),
            here=_shown(facts, who),
        )
        rules = filled("remember.facts.compare", name=who)
        return await asked(now, rules, sections, FactsCompared, read, self._reasks)

    def _added(
        self, facts: Sequence[str], rests: Sequence[tuple[int, ...]], new: Sequence[int]
    ) -> list[Note]:
        first = self._cards.next_number
        return [
            Note(STRATEGY, self._cards.put(number, facts[one]), rests[one])
            for number, one in enumerate(new, start=first)
        ]


def _check_once(compared: FactsCompared) -> None:
    """BadAnswer where of two new facts that concern an old one one would be lost, or an old one is both
    changed and taken back."""
    by = {one.old: one.fact for one in compared.update}
    for one in compared.update:
        if by[one.old] != one.fact:
            raise BadAnswer(
                f"by two new facts, {one.fact} and {by[one.old]}, the fact {one.old} that you keep reads "
                "otherwise: let one change it, in a text that says both, and name the other under "
                '"none", or nowhere.'
            )
    for gone in compared.delete:
        if gone.old in by:
            raise BadAnswer(
                f'the fact {gone.old} that you keep stands both under "update" and under "delete": name '
                "it under one."
            )


def _with(old: Card, places: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted({old.place, *places}))


def _shown(facts: Iterable[str], who: str) -> tuple[Line, ...]:
    return numbered(Line(quoted(fact), 0, who, fact, written=True) for fact in facts)
