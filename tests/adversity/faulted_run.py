"""A run that several processes share while their machines fail: what can happen to them, and what must
come of it.

Nothing that is counted depends on when a fault strikes, nor on how fast the machine is. Of each chain the
calls of one turn at most are made again for each time that it was taken over, which the epoch of its lease
tells. Of each append that the database took it is noted, there and then, whose lease it was under.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Self

import asyncpg
from adversity.namespace import WIDEST, Namespace, Relay
from adversity.proxy import Proxy
from msgspec import Struct, field
from postgres_server import Cluster
from shared_runs import Sharers, freeze, thaw
from waiting import until

from whoknew.eventlog import open_log

CLOCK = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
"""What sets a process's clock apart, where it is installed (on Debian by the package `faketime`)."""

NOTE = """
CREATE TABLE noted(
    number bigint GENERATED ALWAYS AS IDENTITY, writer text, holder text, world text, epoch bigint
);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO noted(writer, holder, world, epoch)
    SELECT DISTINCT current_setting('application_name'), holder, name, epoch
    FROM fresh JOIN whoknew.worlds ON id = fresh.world
    LEFT JOIN whoknew.leases ON leases.world = name;
    RETURN NULL;
END $$;
CREATE TRIGGER noted AFTER INSERT ON whoknew.events
REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION note();
"""

GOES_ON = 3
"""How a run ends that the same command goes on with."""

GOING = (None, GOES_ON)

LAST = 20_000
"""So much of what a worker printed is shown."""


class Place(Struct):
    """Where one worker after the other is at work: how it is started there, and who is there now."""

    url: str
    before: tuple[str, ...] = ()
    process: Process | None = None
    printed: bytearray = field(default_factory=bytearray)
    """By whoever is there, and by those before."""

    @property
    def now(self) -> Process:
        assert self.process is not None, "somebody was started there"
        return self.process

    @property
    def told(self) -> str:
        """How it ended, and what was printed last."""
        return f"ended with {self.now.returncode}: {self.printed[-LAST:].decode(errors='replace')}"


class FaultedRun:
    """A run by so many workers, each of which is replaced when it dies. The first is behind a link that can
    be cut; the second in a namespace, where there is one."""

    def __init__(
        self, sharers: Sharers, cluster: Cluster, workers: int, namespace: Namespace | None = None
    ) -> None:
        self.sharers, self.cluster, self.namespace = sharers, cluster, namespace
        self.places = [Place(sharers.log) for _ in range(workers)]
        self._stack = AsyncExitStack()
        self._holders: dict[str, str] = {}
        self.struck = Counter[str]()
        """How often each fault struck."""

    async def __aenter__(self) -> Self:
        url = self.sharers.log
        async with open_log(url):
            pass  # its tables are there now
        await self._ask(NOTE)
        database = url.partition("?")[0]
        folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="px-", dir="/tmp"))
        self.link = Proxy(Path(folder), self.cluster.folder, 0)
        await self._stack.enter_async_context(self.link)
        self.places[0].url = f"{database}?host={folder}"
        if self.namespace is not None:
            relay = Relay(self.namespace.host, self.cluster.folder / ".s.PGSQL.5432")
            await self._stack.enter_async_context(relay)
            name = database.rpartition("/")[2]
            url = f"postgresql://postgres@{self.namespace.host}:{relay.port}/{name}?sslmode=disable"
            self.places[1] = Place(url, self.namespace.before)
        self.sharers.server.held_from = 1  # all there is is to be played under faults
        for place in self.places:
            await self.start(place)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def start(self, place: Place, **environment: str) -> None:
        """The next worker there, perhaps with another clock."""
        name = f"w{len(self._holders)}"
        sharers = self.sharers.at(f"{place.url}&application_name={name}")
        process = sharers.one(before=place.before, env={**os.environ, **environment})
        place.process = await self._stack.enter_async_context(process)
        heard(self._stack, place.process, place.printed)
        self._holders[name] = f"process {place.process.pid} on {os.uname().nodename}"

    async def strike(self, faults: Sequence[Fault], chance: Random, needed: int) -> None:
        """Each of these, one after the other, at places of a run that takes so many calls: all wait
        there for an answer."""
        server = self.sharers.server
        for number, fault in enumerate(faults, 1):
            server.held_from = needed * number // (len(faults) + 1)
            server.going.set()
            await until(lambda: not server.going.is_set() or self._has_ended)
            for place in self.places:
                assert place.now.returncode in GOING, place.told
            self.struck[fault.__name__] += 1
            await fault(self, chance)
        server.held_from = inf
        server.going.set()

    @property
    def _has_ended(self) -> bool:
        return any(place.now.returncode not in GOING for place in self.places)

    async def finish(self) -> None:
        """Until all is played, by the same command, given again where one ended before."""
        for place in self.places:
            while (code := await place.now.wait()) == GOES_ON:
                await self.start(place)
            assert code == 0, place.told

    async def check(self, told: list[str], needed: int) -> None:
        """As of all who share a run; and each append was its writer's to make."""
        await self.sharers.check(told, needed)
        newest = Counter[str]()
        noted = "SELECT writer, holder, world, epoch FROM noted ORDER BY number"
        for writer, holder, world, epoch in await self._ask(noted):
            assert holder == self._holders[writer], f"{writer} wrote to {world!r} of {holder}"
            assert epoch >= newest[world], f"{world!r}: under {epoch} after {newest[world]}"
            newest[world] = epoch
        assert len(newest) == self.sharers.chains

    async def _ask(self, sql: str) -> list[Any]:
        connection = await asyncpg.connect(self.sharers.log)
        try:
            if sql is NOTE:
                await connection.execute(sql)
                return []
            return list(await connection.fetch(sql))
        finally:
            await connection.close()


def heard(stack: AsyncExitStack, process: Process, printed: bytearray) -> None:
    """Read what a process prints, until the stack ends it: who cannot print stands still."""

    async def hear() -> None:
        assert process.stdout is not None
        while piece := await process.stdout.read(WIDEST):
            printed.extend(piece)

    async def end(hearing: asyncio.Task[None]) -> None:
        with suppress(ProcessLookupError):
            process.kill()
        await hearing  # then nobody else reads it

    stack.push_async_callback(end, asyncio.create_task(hear()))


Fault = Callable[[FaultedRun, Random], Awaitable[None]]


async def killed(run: FaultedRun, chance: Random) -> None:
    """Another is started in its place, as somebody would who sees it."""
    place = chance.choice(run.places)
    with suppress(ProcessLookupError):
        place.now.kill()
    await run.start(place)


async def frozen(run: FaultedRun, chance: Random) -> None:
    """Until all that it held is another's: then it comes back."""
    process = chance.choice(run.places).now
    with suppress(ProcessLookupError):
        freeze(process)
        await run.sharers.until_taken_over(process)
        thaw(process)


async def crashed(run: FaultedRun, chance: Random) -> None:
    """The database, as by `kill -9`."""
    await asyncio.to_thread(run.cluster.crash)
    await _a_while(run, chance)
    await asyncio.to_thread(run.cluster.come_up)


async def restarted(run: FaultedRun, chance: Random) -> None:
    await asyncio.to_thread(run.cluster.go_down)
    await _a_while(run, chance)
    await asyncio.to_thread(run.cluster.come_up)


async def cut(run: FaultedRun, chance: Random) -> None:
    """The link of one, until all that it held is another's. What it had sent comes late."""
    run.link.goes.clear()
    await run.sharers.until_taken_over(run.places[0].now)
    run.link.goes.set()


async def unplugged(run: FaultedRun, chance: Random) -> None:
    """The cable of one machine: what is sent is lost, and sent again by the kernel."""
    assert run.namespace is not None
    run.namespace.unplug()
    await run.sharers.until_taken_over(run.places[1].now)
    await _a_while(run, chance)
    run.namespace.plug()


async def misdated(run: FaultedRun, chance: Random) -> None:
    """One dies, and the next in its place has its clock apart by up to a day, either way."""
    place = chance.choice(run.places)
    with suppress(ProcessLookupError):
        place.now.kill()
    apart = chance.choice((-86_400, -3_600, -20, 20, 3_600, 86_400))
    # Time that only goes on is left as it is: it tells how long something takes, no date.
    real = {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME": f"{apart:+d}"}
    await run.start(place, LD_PRELOAD=str(CLOCK), **real)


async def _a_while(run: FaultedRun, chance: Random) -> None:
    """Often longer than leases last."""
    await asyncio.sleep(chance.uniform(0, 3) * run.sharers.heartbeat)
