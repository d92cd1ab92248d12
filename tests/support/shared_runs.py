"""Several processes that play the same chains into one log, and what must come of it, whatever happens
to them."""

from __future__ import annotations

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from child_process import started
from model_servers import Server
from waiting import PATIENCE, line_with

from whoknew.engine.playing.tally import Tally
from whoknew.eventlog import Event, Log, open_log, verify
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.machinery import CallStarted
from whoknew.testing.small_chain import digest_of

SHARER = Path(__file__).parents[1] / "adversity" / "sharer.py"

HEARTBEAT = 0.4
"""Seconds: short, so that what is left behind is taken over soon."""


class Sharers:
    """Processes at one log, for one number of chains, which ask one model."""

    def __init__(
        self,
        log: str,
        server: Server,
        chains: int,
        *,
        at_once: int = 2,
        heartbeat: float = HEARTBEAT,
    ) -> None:
        """Each with so many chains `at_once`."""
        self.log, self.server, self.chains = log, server, chains
        self.at_once, self.heartbeat = at_once, heartbeat

    def at(self, log: str) -> Sharers:
        """The same, where they reach the log by another address."""
        return Sharers(
            log, self.server, self.chains, at_once=self.at_once, heartbeat=self.heartbeat
        )

    @asynccontextmanager
    async def one(
        self, *cluster: str, before: Sequence[str] = (), **given: Any
    ) -> AsyncIterator[Process]:
        """One more of them, which has begun."""
        command = (*before, sys.executable, *self.command(), self.heartbeat, *cluster)
        async with started(*command, stdout=PIPE, stderr=STDOUT, **given) as process:
            await line_with(process.stdout, "begun")
            yield process

    def command(self) -> tuple[Any, ...]:
        """The program, with what it is to do."""
        return SHARER, self.log, f"{self.server.url}#stub", self.chains, self.at_once

    async def holders(self) -> set[int]:
        """The processes that hold a chain."""
        async with open_log(self.log, read_only=True) as log:
            assert log.store.leases is not None
            return {
                int(one.holder.split()[1])
                for one in await log.store.leases.all()
                if one.seconds > 0
            }

    async def until_taken_over(self, process: Process) -> None:
        """Until its leases are somebody else's, or ran out."""
        async with asyncio.timeout(PATIENCE):
            while process.pid in await self.holders():  # noqa: ASYNC110  (the database knows)
                await asyncio.sleep(self.heartbeat / 4)

    async def stories(self) -> list[str]:
        """The digest of each chain: its log is whole, and each of its calls stands there once."""
        digests = []
        async with open_log(self.log) as log:
            assert (await verify(log)).faults == ()
            async for world, events in each_world(log):
                calls = [event.body for event in events if type(event.body) is Called]
                assert len(calls) == len({one.digest for one in calls})
                digests.append(await digest_of(log, world))
        return sorted(digests)

    async def check(self, told: list[str], needed: int) -> None:
        """Each chain has the story that it has where nothing happens, and nothing was paid for that need
        not have been: what was answered was not asked again, and each time that a chain was taken over, at
        most the calls of one turn were made again, each once."""
        assert await self.stories() == told
        assert await self.recorded() == needed
        epochs = await self._epochs()
        async with open_log(self.log, read_only=True) as log:
            again = {world: made_again(events) async for world, events in each_world(log)}
        assert again.keys() == epochs.keys() and len(again) == self.chains
        for world, times in again.items():
            assert times < epochs[world], f"{world!r}: {times} times, at epoch {epochs[world]}"
        assert self.server.calls - needed <= await self.unanswered(), "each of them is known"

    async def _epochs(self) -> dict[str, int]:
        """How often each chain was claimed."""
        import asyncpg

        connection = await asyncpg.connect(self.log)
        try:
            return dict(await connection.fetch("SELECT world, epoch FROM whoknew.leases"))
        finally:
            await connection.close()

    async def unanswered(self) -> int:
        """How many calls were started and have no answer on the log."""
        async with open_log(self.log, read_only=True) as log:
            tally = Tally()
            async for world, events in each_world(log):
                for event in events:
                    tally.take(event, world)
        return tally.unanswered.calls

    async def recorded(self) -> int:
        """How many answers are on the log."""
        count = 0
        async with open_log(self.log, read_only=True) as log:
            async for _, events in each_world(log):
                count += sum(type(event.body) is Called for event in events)
        return count


async def each_world(log: Log) -> AsyncIterator[tuple[str, list[Event]]]:
    """All that happened in each world of a log."""
    for one in await log.worlds():
        yield one.name, await (await log.director(one.name)).events()


def made_again(events: Sequence[Event]) -> int:
    """How often a chain's calls were made once more, none of which was answered: those of one turn, which
    may be in flight together, are one time."""
    answered = set[str]()
    started = Counter[tuple[int, int, str | None, str]]()
    for event in events:
        match event.body:
            case Called(reply=str(), digest=digest):
                answered.add(digest)
            case CallStarted(digest=digest):
                assert digest not in answered, f"#{event.seq}: an answered call was made again"
                started[event.episode, event.turn, event.actor, digest] += 1
    again = Counter[tuple[int, int]]()
    for (episode, turn, _, _), times in started.items():
        again[episode, turn] = max(again[episode, turn], times - 1)
    return again.total()


async def played_alone(sharers: Sharers) -> tuple[list[str], int]:
    """What one process alone comes to: the digests of its stories, and how often its model was asked."""
    async with sharers.one() as process:
        await over(process)
    return await sharers.stories(), sharers.server.calls


async def over(process: Process) -> None:
    """Wait until it has ended, every chain being finished."""
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE):
        out = await process.stdout.read()
        assert await process.wait() == 0, out.decode()


def freeze(process: Process) -> None:
    process.send_signal(signal.SIGSTOP)


def thaw(process: Process) -> None:
    process.send_signal(signal.SIGCONT)
