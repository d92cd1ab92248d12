"""A chain played by a process that is killed at any moment, and by another that goes on from there."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

from child_process import started
from model_servers import Server, digest_of_asked
from msgspec import Struct

from whoknew.eventlog import open_log, verify
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.machinery import LineRefused
from whoknew.testing.small_chain import digest_of
from whoknew.worlds.setting import Order

ORDERS: tuple[Order, ...] = ("round-robin", "simultaneous")

PLAYER = Path(__file__).parents[1] / "adversity" / "player.py"


class Life(Struct, frozen=True):
    """One process: whether it came to the end, the digests of what it asked its model, how many
    answers to that are not on the log, and how many calls at most were under way at once."""

    over: bool
    asked: frozenset[str]
    lost: int
    peak: int

    @property
    def beyond(self) -> int:
        """Calls lost that were not under way when it was killed."""
        return self.lost - (0 if self.over else self.peak)


async def lives(
    server: Server,
    place: Path | str,
    order: Order,
    chance: Random,
    kills: int,
    *,
    guarded: bool = False,
) -> AsyncIterator[Life]:
    """One after the other, until one comes to the end; the last of so many kills is followed by a
    life that nobody ends."""
    over, recorded = False, 0
    while not over:
        server.asked.clear()
        server.peak = server.in_flight
        after = chance.uniform(0, 0.08) if kills else None
        over = await _lived(server, place, order, after, guarded=guarded)
        kills -= not over
        before, recorded = recorded, await answered(place)
        asked = frozenset(map(digest_of_asked, server.asked))
        yield Life(over, asked, server.calls - (recorded - before), server.peak)


async def whole(server: Server, place: Path | str, order: Order, *, guarded: bool = False) -> None:
    """A chain that nobody kills."""
    assert await _lived(server, place, order, None, guarded=guarded)


async def _lived(
    server: Server, place: Path | str, order: Order, after: float | None, *, guarded: bool
) -> bool:
    """Let it play for a moment, and kill it; whether it was over before."""
    command = [sys.executable, PLAYER, place, f"{server.url}#stub", order]
    command += ["guarded"] if guarded else []
    async with started(*command, stdout=PIPE, stderr=STDOUT) as life:
        assert life.stdout
        await life.stdout.readline()
        try:
            async with asyncio.timeout(after):
                out = await life.stdout.read()
                assert await life.wait() == 0, out.decode()
                return True
        except TimeoutError:
            return False


async def answered(place: Path | str) -> int:
    """How many calls are on the log with their answer."""
    async with open_log(place, read_only=True) as log:
        if not await log.worlds():
            return 0
        events = await (await log.director("ferry")).events()
    return sum(type(one.body) is Called for one in events)


async def refused(place: Path | str) -> list[tuple[int, int, str | None, str]]:
    """Which lines a guard did not let be said, each with its episode, its turn and its speaker."""
    async with open_log(place, read_only=True) as log:
        events = await (await log.director("ferry")).events()
    return sorted(
        (one.episode, one.turn, one.actor, one.body.text)
        for one in events
        if type(one.body) is LineRefused
    )


async def story(place: Path | str) -> str:
    """The digest of a story; its log is whole, and each of its calls stands there once."""
    async with open_log(place) as log:
        assert (await verify(log)).faults == ()
        calls = [one.body async for one in await log.director("ferry") if type(one.body) is Called]
        assert len(calls) == len({one.digest for one in calls})
        return await digest_of(log)
