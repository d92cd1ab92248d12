"""A life and the questions about it in the form of CloneMem: items as the paper lists them, and the traces
that they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from string import ascii_uppercase

from msgspec import Struct

from whoknew.eventlog import Event
from whoknew.eventlog.cursor import AtStoryTime, parse
from whoknew.eventlog.kinds import CharacterAdded, Described, RelationSet, Traced
from whoknew.worlds.importers.clonemem.form import (
    ItemChoice,
    ItemEvidence,
    KeptContact,
    KeptLife,
    KeptTrace,
    LifeQuestion,
)
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.lives.weeks import undated
from whoknew.worlds.question import EventName, Question

NAMES = {"single-point": "single-point factual"}
"""What the paper calls a kind, where that is not as we do."""


class ClonememForm(Struct, frozen=True):
    """A life with its questions."""

    items: tuple[LifeQuestion, ...]
    life: KeptLife
    remarks: tuple[Remark, ...]


def form_of(world: str, events: Sequence[Event], questions: Sequence[Question]) -> ClonememForm:
    """What was written in a world, and what is asked about it."""
    writing = _Writing(world, events)
    items = tuple(writing.items(questions))
    persona = questions[0].character
    return ClonememForm(items, writing.life(persona), tuple(writing.remarks))


class _Writing:
    def __init__(self, world: str, events: Sequence[Event]) -> None:
        self._world, self._events = world, events
        self._names: Mapping[EventName, str] = {
            key: trace_id(one)
            for one in events
            if isinstance(one.body, Traced)
            for key in (one.seq, one.source)
            if key is not None
        }
        self.remarks: list[Remark] = []

    def life(self, persona: str) -> KeptLife:
        cards: dict[str, str] = {}
        relations: dict[str, str] = {}
        told: dict[str, str] = {}
        traces: list[KeptTrace] = []
        for event in self._events:
            match event.body:
                case CharacterAdded(name=name, description=card):
                    cards[name] = card
                case RelationSet(of=who, to=whom, relation=relation) if who == persona:
                    relations[whom] = relation
                case Described(name=whom, text=text) if persona in event.witnesses:
                    told[whom] = text
                case Traced():
                    traces.append(_trace(event, event.body))
        contacts = tuple(
            KeptContact(name=name, relation=relations.get(name, ""), about=told.get(name, card))
            for name, card in cards.items()
            if name != persona
        )
        return KeptLife(
            persona=persona,
            profile=cards.get(persona, ""),
            contacts=contacts,
            traces=tuple(traces),
        )

    def items(self, questions: Sequence[Question]) -> Iterator[LifeQuestion]:
        for one in questions:
            moment = self._moment(one)
            if moment is None:
                self._strange(one, f"left out: its moment is {one.at}, and the form has a date")
                continue
            yield self._item(one, moment)

    def _item(self, one: Question, moment: datetime) -> LifeQuestion:
        sets = [self._there(one, some) for some in one.evidence]
        points = _points(one)
        if len(points) != len(sets):
            points = [""] * len(sets)
        choices = tuple(
            ItemChoice(id=letter, text=text)
            for letter, text in zip(ascii_uppercase, one.choices, strict=False)
        )
        return LifeQuestion(
            id=str(one.labels.get("id", one.id)),
            question=one.question,
            question_type=NAMES.get(one.kind, one.kind),
            question_time=moment.isoformat(),
            dimension=str(one.labels.get("dimension", "")),
            answer=one.reference,
            digital_trace_ids=tuple(dict.fromkeys(name for some in sets for name in some)),
            evidence=tuple(
                ItemEvidence(statement=point, digital_trace_ids=some)
                for point, some in zip(points, sets, strict=True)
            ),
            choices=choices,
            correct_choice_id=next((c.id for c in choices if c.text == one.correct), None),
        )

    def _there(self, one: Question, some: Sequence[EventName]) -> tuple[str, ...]:
        lost = [name for name in some if name not in self._names]
        if lost:
            self._strange(one, f"rests on what is no trace: {', '.join(map(str, lost[:5]))}")
        return tuple(self._names[name] for name in some if name in self._names)

    def _moment(self, one: Question) -> datetime | None:
        when = parse(one.at)
        return when.at if isinstance(when, AtStoryTime) else None

    def _strange(self, one: Question, what: str) -> None:
        self.remarks.append(Remark(self._world, repr(one.question), what))


def _points(one: Question) -> list[str]:
    """What its evidence says, set by set: a list, or lines of a text."""
    points = one.labels.get("points", "")
    return points.split("\n") if isinstance(points, str) else [str(point) for point in points]


def trace_id(event: Event) -> str:
    """What its source calls it, or else its seq."""
    return event.source or f"#{event.seq}"


def _trace(event: Event, body: Traced) -> KeptTrace:
    return KeptTrace(
        digital_trace_id=trace_id(event),
        type=body.medium,
        time=event.at,
        writer=event.actor or "",
        text=undated(event.at, body.text),
        readers=body.audience,
    )
