"""What is sent to a character of what happened: as much of each event as it perceived.

Nothing in it counts what the character did not see. Events are numbered as they stand in its own
view, episodes and turns as it went through them; who else saw it is told as far as it perceived
them, so that whoever hides stays hidden; what an event is about, where it saw that itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.travel.whereabouts import SHARED, Stand
from whoknew.eventlog import Event, Kind
from whoknew.eventlog.kinds import (
    Acted,
    Became,
    CharacterAdded,
    Described,
    Entered,
    EpisodeClosed,
    EpisodeOpened,
    Felt,
    GoalGiven,
    Left,
    Narrated,
    PlaceAdded,
    RelationSet,
    Remembered,
    Seen,
    Traced,
)
from whoknew.eventlog.kinds import Kind as Body

Number = Callable[[int], int | None]
"""The number that an event has for the character, by its seq; None for what it did not see."""

WHOLE = (
    CharacterAdded,
    Described,
    RelationSet,
    PlaceAdded,
    GoalGiven,
    Entered,
    Left,
    Acted,
    Seen,
    Became,
    Narrated,
    Traced,
    Felt,
)
"""The kinds whose bodies are told as they are. Of a kind that stands nowhere here nothing is."""


class Perceived(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event as its character perceived it. `present` are the others whom it saw to be there;
    `episode` and `turn` are counted as it went through them."""

    number: int
    at: datetime
    body: Body
    episode: int = 0
    turn: int = 0
    actor: str | None = None
    place: str | None = None
    present: tuple[str, ...] = ()
    about: tuple[int, ...] = ()


def perceived(
    event: Event, who: str | None, episode: int, turn: int, stand: Stand, number: Number
) -> Perceived | None:
    """The event as `who` perceived it, or nothing where it is no part of any story; as whoever
    looks on perceived it, where that is nobody of the story."""
    present: tuple[str, ...] = ()
    if isinstance(event.body, SHARED):
        around = stand.around(who, event.place)
        present = tuple(name for name in event.witnesses if name in around)
    body = _body(event.body, present, who, number)
    if body is None:
        return None
    return Perceived(
        number=number(event.seq) or 0,
        at=event.at,
        body=body,
        episode=episode,
        turn=turn,
        actor=event.actor,
        place=event.place,
        present=present,
        about=_numbers(event.about, number),
    )


def _body(body: Kind, present: tuple[str, ...], who: str | None, number: Number) -> Kind | None:
    match body:
        case EpisodeOpened():
            cast = tuple(name for name in body.cast if name == who or name in present)
            return EpisodeOpened(body.scenario, cast, pool=body.pool)
        case EpisodeClosed():
            return EpisodeClosed("")  # why is told in turns that it need not have seen, or in money
        case Acted() if body.writer:
            return replace(body, writer=None)  # whoever hears a letter need not know who wrote it
        case Remembered():
            return replace(body, sources=_numbers(body.sources, number), upto=0, packed=b"")
        case _:
            return body if isinstance(body, WHOLE) else None


def _numbers(seqs: Iterable[int], number: Number) -> tuple[int, ...]:
    return tuple(found for seq in seqs if (found := number(seq)) is not None)
