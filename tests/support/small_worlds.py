"""Small worlds to test on: drafts of who does what before whom."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime, timedelta

from waiting import PATIENCE

from whoknew.eventlog import Draft, Event, Log, open_log
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    MarkPlaced,
    Narrated,
    WorldOpened,
)

NIGHT = datetime(1599, 6, 1, 21, 0)
"""When the stories here begin."""

WATCH = ("Bernardo", "Horatio", "Marcellus")


def opened(*cast: str, at: datetime = NIGHT) -> list[Draft]:
    """A new world and its characters: seqs 1 to 1 + len(cast)."""
    return [Draft(WorldOpened("Elsinore"), at), *(Draft(CharacterAdded(name)) for name in cast)]


@asynccontextmanager
async def crowded_with_ghosts() -> AsyncIterator[Log]:
    """100,000 events that A alone witnessed, of which every one is about a ghost."""
    async with open_log(":memory:") as log:
        await log.append("w", opened("A", "B"))
        lines = [Draft(Acted("A ghost."), actor="A", witnesses=("A",)) for _ in range(10_000)]
        for _ in range(10):
            await log.append("w", lines)
        await log.knowledge("w")
        yield log


def said(
    actor: str,
    text: str,
    *others: str,
    about: Sequence[int] = (),
    also: Sequence[str] = (),
    episode: int = 0,
    turn: int = 0,
    at: datetime | None = None,
) -> Draft:
    """Speech of one, heard by the others and by the speaker; these `also` say it."""
    return Draft(
        Acted(text, also=tuple(also)),
        at=at,
        episode=episode,
        turn=turn,
        actor=actor,
        witnesses=(actor, *others),
        about=tuple(about),
    )


async def elsinore(log: Log, world: str = "elsinore") -> None:
    """Two episodes and a mark, an hour between them: 14 events.

    1 opened, 2-4 the watch; E1: 5 opened, 6-8 turns 1 to 3, 9 closed; 10 the mark "cockcrow";
    E2: 11 opened, 12 turn 1, 13 turn 3, 14 closed.
    """
    bernardo, horatio, marcellus = WATCH
    later = NIGHT + timedelta(hours=1)
    await log.append(world, opened(*WATCH))
    await log.append(
        world,
        [
            Draft(EpisodeOpened("The watch", WATCH), episode=1),
            said(bernardo, "Who's there?", marcellus, episode=1, turn=1),
            said(marcellus, "The ghost, again.", bernardo, episode=1, turn=2),
            said(marcellus, "We saw a ghost.", horatio, about=[7], episode=1, turn=3),
            Draft(EpisodeClosed("turn limit"), episode=1),
            Draft(MarkPlaced("cockcrow"), later),
        ],
    )
    await log.append(
        world,
        [
            Draft(EpisodeOpened("Morning", WATCH), episode=2),
            said(horatio, "I shall tell the prince.", bernardo, about=[8], episode=2, turn=1),
            said(bernardo, "Do.", horatio, episode=2, turn=3),
            Draft(EpisodeClosed("agreed"), episode=2),
        ],
    )


def ticking(start: datetime = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)) -> Callable[[], datetime]:
    """A clock that goes on by a minute each time it is looked at."""
    now = start - timedelta(minutes=1)

    def tick() -> datetime:
        nonlocal now
        now += timedelta(minutes=1)
        return now

    return tick


def narrated(count: int, text: str = "") -> list[Draft]:
    return [Draft(Narrated(f"{text}{number}")) for number in range(count)]


async def begun(log: Log, world: str = "w", count: int = 1) -> None:
    await log.append(world, [Draft(WorldOpened(), NIGHT), *narrated(count - 1)])


async def seqs_of(events: AsyncIterator[Event]) -> list[int]:
    return [event.seq async for event in events]


async def taken(events: AsyncIterator[Event], count: int) -> list[Event]:
    """The first so many of those that come, and then no more."""
    found: list[Event] = []
    async with asyncio.timeout(PATIENCE), aclosing(events):  # type: ignore[type-var]
        while len(found) < count:
            found.append(await anext(events))
    return found
