"""A world and its questions in the form of LIFESTATE-BENCH: as they came in, where they came from there;
of any other world what the form has a place for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from whoknew.eventlog import Event
from whoknew.eventlog.cursor import AtEnd, AtEpisode, parse
from whoknew.eventlog.kinds import (
    Acted,
    Became,
    CharacterAdded,
    Entered,
    EpisodeClosed,
    EpisodeOpened,
    EpisodeResumed,
    Imported,
    Left,
    Narrated,
    RelationSet,
    Seen,
    WorldOpened,
)
from whoknew.worlds.importers.imported import Remark
from whoknew.worlds.importers.lifestate.form import (
    FORMAT,
    KINDS,
    AskedQuestion,
    LifestateForm,
    PlayedEpisode,
    PlayedLine,
    RoleCard,
    line_id,
)
from whoknew.worlds.importers.lifestate.world import CARDS, ID, TIMES, TITLE, clock
from whoknew.worlds.question import EventName, Question


class _Source(Struct, frozen=True):
    """What stands beside the story where it came in as this form."""

    title: str
    cards: list[tuple[str, str, str, dict[str, str] | str]]
    times: list[tuple[str, str]]


class _Told(Struct):
    """One episode, as far as it was read."""

    opened: Event
    people: dict[str, None] = field(default_factory=dict)
    lines: list[tuple[Event, PlayedLine]] = field(default_factory=list)


def form_of(
    world: str, events: Sequence[Event], questions: Iterable[Question]
) -> tuple[LifestateForm, list[Remark]]:
    """The form of them, and what it has no place for."""
    writer = _Writer(world, events)
    return writer.form(questions), writer.remarks


class _Writer:
    def __init__(self, world: str, events: Sequence[Event]) -> None:
        self._world = world
        self.remarks: list[Remark] = []
        self._title, self._source = "", _source(events)
        self._cards: dict[str, RoleCard] = {}
        self._told: dict[int, _Told] = {}
        self._lines: dict[EventName, list[str]] = {}
        """Of each event, by its seq and its source, the lines that it is."""
        homeless = Counter[str]()
        for event in events:
            if not (event.body.outside_story or self._take(event)):
                homeless[str(type(event.body).__struct_config__.tag)] += 1
        for tag, count in sorted(homeless.items()):
            self._odd(tag, f"has no place in the form: {count:,} left out")
        self._ids = self._named()

    def form(self, questions: Iterable[Question]) -> LifestateForm:
        source = self._source
        times = dict(source.times) if source else {}
        episodes = {
            self._ids[number]: self._episode(self._ids[number], told, times)
            for number, told in self._told.items()
        }
        if source:
            self._cards = {
                name: RoleCard(background=told, personality=traits, relationships=relations)
                for name, told, traits, relations in source.cards
            }
        return LifestateForm(
            title=source.title if source else self._title,
            roles=self._cards,
            episodes=episodes,
            questions=self._questions(questions),
        )

    def _take(self, event: Event) -> bool:
        """Whether the form has a place for it."""
        match event.body:
            case WorldOpened(title=title):
                self._title = title
            case CharacterAdded(name=name, description=description) if description:
                self._cards[name] = RoleCard(background=description)
            case RelationSet(of=of, to=to, relation=relation) if not event.episode:
                card = self._cards.get(of, RoleCard())
                known = card.relationships if isinstance(card.relationships, dict) else {}
                self._cards[of] = replace(card, relationships={**known, to: relation})
            case EpisodeOpened(cast=cast):
                self._told[event.episode] = _Told(event, dict.fromkeys((*cast, *event.witnesses)))
            case CharacterAdded() | Imported() | EpisodeClosed() | EpisodeResumed():
                pass
            case _:
                return self._line(event)
        return True

    def _line(self, event: Event) -> bool:
        told, body = self._told.get(event.episode), event.body
        text = action = ""
        speakers: tuple[str, ...] = (event.actor,) if event.actor else ()
        match body:
            case Acted(act="none"):
                return True
            case Acted(text=words, act=act, also=also):
                speakers = (*speakers, *also)
                text, action = (words, "") if act in ("speak", "leave") else ("", words)
            case Narrated() | Entered() | Left() | Became() | Seen():
                action = body.words
            case _:
                return False
        if told is None:
            return False
        if text or action:
            speaker = speakers[0] if len(speakers) == 1 else speakers
            told.lines.append((event, PlayedLine(speaker=speaker, text=text, action=action)))
            told.people.update(dict.fromkeys((*speakers, *event.witnesses)))
        return True

    def _named(self) -> dict[int, str]:
        """What each episode is called: as it came in, or by its number."""
        keys = [
            told.opened.body.key
            for told in self._told.values()
            if isinstance(told.opened.body, EpisodeOpened)
        ]
        if not self._source or not all(keys) or len(set(keys)) < len(keys):
            keys = [f"E{number}" for number in self._told]
        return dict(zip(self._told, keys, strict=True))

    def _episode(self, key: str, told: _Told, times: dict[str, str]) -> PlayedEpisode:
        opened = told.opened
        assert isinstance(opened.body, EpisodeOpened)
        time = times.get(key, "" if self._source else opened.at.isoformat(" ", "minutes"))
        narration = opened.body.scenario
        if time and clock(time) is None:
            narration = narration.removeprefix(f"Time: {time}").removeprefix("\n")
        people = set(told.people)
        self._place(opened, key)
        for number, (event, _) in enumerate(told.lines, start=1):
            self._place(event, line_id(key, number))
        return PlayedEpisode(
            title=opened.body.name,
            location=opened.place or "",
            time=time,
            narration=narration,
            participants=tuple(told.people),
            dialogues=tuple(
                replace(line, heard_by=_heard(event, line, people)) for event, line in told.lines
            ),
        )

    def _place(self, event: Event, line: str) -> None:
        self._lines.setdefault(event.seq, []).append(line)
        if event.source:
            self._lines.setdefault(event.source, []).append(line)

    def _questions(self, questions: Iterable[Question]) -> dict[str, dict[str, AskedQuestion]]:
        found: dict[str, dict[str, AskedQuestion]] = {}
        for one in questions:
            if (why := self._unfit(one)) or (key := self._key(one.at)) is None:
                self._odd(one.id, why or f"is put at {one.at}, where no episode ends: left out")
                continue
            some = found.setdefault(key, {})
            name = str(one.labels.get(ID, ""))
            if not name or name in some:
                name = next(
                    f"Q{n}" for n in range(len(some) + 1, 2 * len(some) + 2) if f"Q{n}" not in some
                )
            some[name] = AskedQuestion(
                role=one.character,
                kind=one.kind,
                question=one.question,
                answer=one.reference or "",
                evidence=tuple(self._evidence(one)),
            )
        return {key: found[key] for key in self._ids.values() if key in found}

    def _unfit(self, one: Question) -> str:
        if one.kind not in KINDS:
            return f"is of the kind {one.kind!r}, which the form does not know: left out"
        return "" if one.reference else "has no reference: left out"

    def _key(self, at: str) -> str | None:
        match parse(at):
            case AtEpisode(episode=number, turn=None):
                return self._ids.get(number)
            case AtEnd():
                return list(self._ids.values())[-1] if self._ids else None
            case _:
                return None

    def _evidence(self, one: Question) -> Iterator[tuple[str, ...]]:
        for some in one.evidence:
            lines = [line for name in some for line in self._lines.get(name, ())]
            if all(name in self._lines for name in some):
                yield tuple(dict.fromkeys(lines))
            else:
                self._odd(
                    one.id, "rests on what the form has no place for: that evidence is left out"
                )

    def _odd(self, record: str, what: str) -> None:
        self.remarks.append(Remark(self._world, record, what))


def _heard(event: Event, line: PlayedLine, people: set[str]) -> tuple[str, ...] | None:
    """Those who heard it besides, where not all did."""
    heard = tuple(one for one in event.witnesses if one not in line.speakers)
    return None if set(heard) == people.difference(line.speakers) else heard


def _source(events: Sequence[Event]) -> _Source | None:
    for event in events:
        if isinstance(event.body, Imported) and event.body.format == FORMAT:
            rest: dict[str, Any] = {
                "title": event.body.rest.get(TITLE, ""),
                "cards": event.body.rest.get(CARDS, []),
                "times": event.body.rest.get(TIMES, []),
            }
            with suppress(msgspec.ValidationError):
                return msgspec.convert(rest, _Source)
    return None
