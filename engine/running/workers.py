"""The processes that play one log together: how each of them does, and how all, or one, are stopped from
anywhere."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from time import monotonic
from uuid import uuid4

from msgspec import Struct

from whoknew.engine.errors import NotRunning, OtherVersion, StillRunning
from whoknew.engine.opening import file_of, writing
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.tally import Tally
from whoknew.engine.running.free_chains import holder
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.errors import BadAddress, LogError
from whoknew.eventlog.kinds import EpisodeClosed
from whoknew.eventlog.logger import logger
from whoknew.eventlog.stores.workers import ToldWorker, Worker, Workers

EVERY = 2.0
"""Seconds after which a process says how it does, and hears whether it is to stop."""

PATIENCE = 60.0
"""Seconds for which it is waited until all have stopped."""


class AtWork(Struct, frozen=True, kw_only=True):
    """A process that plays, and what it has done since it began; `silent` for so many seconds. Of an exam
    of questions its shards are told as chains, its cells as turns."""

    name: str
    version: str
    plan: str
    minutes: float
    silent: float
    chains: int
    finished: int
    turns: int
    turns_per_minute: float
    calls: int
    tokens: int
    money: float | None
    failed: int
    paused: bool = False
    worlds: tuple[str, ...] = ()
    """The first few that it plays."""
    seats: tuple[str, ...] = ()
    """For people, at any server of the log."""


async def workers(log: str) -> list[AtWork]:
    """Who plays a log on PostgreSQL."""
    async with _open(log) as (_, found):
        return [at_work(one) for one in await found.all() if one.plays]


async def stop_workers(
    world: str | None,
    log: str,
    *,
    patience: float = PATIENCE,
    waiting: Callable[[list[str]], None] = lambda names: None,
) -> list[AtWork]:
    """Ask all who play a world, or a plan, or all, or the one of a name, to stop in order, wherever they
    are, and wait until they have."""
    async with _open(log) as (_, found):
        asked = await chosen(found, world)
        await found.stop([one.id for one in asked], "`whoknew stop`")
        begun = monotonic()
        told: list[str] = []
        while left := await _left(found, asked):
            if monotonic() - begun > patience:
                raise StillRunning(
                    f"{', '.join(left)} still at work: wait on; nothing that was answered is lost"
                )
            if left != told:
                waiting(told := left)
            await asyncio.sleep(EVERY / 4)
    return [at_work(one) for one in asked]


async def pause_workers(world: str | None, log: str) -> list[AtWork]:
    """All who play what is meant by a world, a plan or a name finish the turns in flight, and begin no
    more until they are resumed: they keep what they hold."""
    return await _told(world, log, Workers.pause)


async def resume_workers(world: str | None, log: str) -> list[AtWork]:
    return await _told(world, log, Workers.resume)


async def _told(
    world: str | None, log: str, tell: Callable[[Workers, list[str]], Awaitable[None]]
) -> list[AtWork]:
    async with _open(log) as (_, found):
        asked = await chosen(found, world)
        await tell(found, sorted({one.plan for one in asked}))
        ids = {one.id for one in asked}
        return [at_work(one) for one in await found.all() if one.id in ids]


async def chosen(found: Workers, world: str | None) -> list[Worker]:
    """Those who play a world, or a plan, or all, or the one of a name."""
    asked = [one for one in await found.all(None if world is None else [world]) if one.plays]
    if not asked:
        playing = ", ".join(one.name for one in await found.all() if one.plays) or "nobody"
        what = f"no run of {world!r}" if world else "no run"
        raise NotRunning(f"{what} into this log is going on: {playing} plays it")
    return asked


class Attendance:
    """This process, as it says that it is at work."""

    def __init__(
        self,
        there: Workers,
        plan: str,
        worlds: Sequence[str],
        control: Control,
        seats: Sequence[str] = (),
    ) -> None:
        self._there, self._plan, self._worlds, self._control = there, plan, worlds, control
        self._id, self._seats = uuid4().hex, seats
        self.done = Tally()
        """What was done here."""
        self.finished = 0

    async def begin(self) -> None:
        """Be at work from now on. OtherVersion, where those who began before have another one: they may
        write other prompts, and no story is to be of both. Who begins later is refused itself."""
        await self._say(0)
        try:
            await check_versions(self._there, self._worlds, before=self._id)
        except OtherVersion:
            await self.leave()
            raise

    async def _say(self, chains: int) -> None:
        self._hear(
            await self._there.say(
                self._id,
                holder(),
                version("whoknew"),
                plan=self._plan,
                worlds=self._worlds,
                figures=self._figures(chains),
                seats=self._seats,
            )
        )

    def _figures(self, chains: int) -> list[float]:
        spent = self.done.spent
        return [
            chains,
            self.finished,
            self.done.turns,
            spent.calls,
            spent.tokens,
            spent.money,
            spent.unpriced,
            self.done.failures,
        ]

    def _hear(self, told: ToldWorker) -> None:
        self._control.paused = told.paused
        if told.stop is not None:
            self._control.stop(told.stop)

    async def beat(self, chains: Callable[[], int]) -> None:
        """Say how it goes, for ever."""
        while True:
            await asyncio.sleep(EVERY)
            try:
                told = await self._there.beat(self._id, self._figures(chains()))
                if told is None:  # it was away for a day
                    await self._say(chains())
                else:
                    self._hear(told)
            except LogError as error:
                logger().warning("worker.unseen", why=str(error))

    def watcher(
        self, world: str, watch: Callable[[Event | Draft], None], is_over: Callable[[], bool]
    ) -> Callable[[Event | Draft], None]:
        """Hears of what is written here, too."""

        def both(event: Event | Draft) -> None:
            self.done.take(event, world)
            self.finished += type(event.body) is EpisodeClosed and is_over()
            watch(event)

        return both

    async def leave(self) -> None:
        with suppress(LogError):  # it is taken to be gone soon
            await self._there.leave(self._id)


async def check_versions(there: Workers, worlds: Sequence[str], before: str | None = None) -> None:
    """OtherVersion, where somebody plays one of these worlds by another version; of those only who began
    `before` this one."""
    for one in await there.all(worlds):
        if one.id == before:
            return
        if one.plays and one.version != version("whoknew"):
            raise OtherVersion(
                f"{one.name} is at work on this by Whoknew {one.version}, and here is "
                f"{version('whoknew')}: nothing was begun. Install the same on each machine, or "
                "wait until those have ended"
            )


def plan_of(program: Program) -> str:
    """Which plan it is, in a few signs: the same wherever it is played."""
    if not program.chains:
        return ""
    first = program.chains[0]
    return f"{first.world} {hashlib.sha256(first.planned.content).hexdigest()[:DIGITS]}"


DIGITS = 8
"""Of a digest, as it is shown."""


@asynccontextmanager
async def _open(log: str) -> AsyncIterator[tuple[Log, Workers]]:
    if file_of(log) is not None:
        raise BadAddress(f"{log} is a file, which one process plays: name a log on PostgreSQL")
    async with writing(log) as opened:
        assert opened.store.leases is not None, "it is no file"
        yield opened, opened.store.leases.workers


async def _left(found: Workers, asked: list[Worker]) -> list[str]:
    there = {one.id for one in await found.all() if one.is_there}
    return [one.name for one in asked if one.id in there]


def at_work(one: Worker) -> AtWork:
    chains, finished, turns, calls, tokens, money, unpriced, failed = one.figures
    minutes = one.since / 60
    return AtWork(
        name=one.name,
        version=one.version,
        plan=one.plan,
        minutes=round(minutes, 1),
        silent=round(one.silent, 1),
        chains=int(chains),
        finished=int(finished),
        turns=int(turns),
        turns_per_minute=round(turns / minutes, 1) if minutes else 0.0,
        calls=int(calls),
        tokens=int(tokens),
        money=None if unpriced else round(money, 6),
        failed=int(failed),
        paused=one.paused,
        worlds=one.worlds,
        seats=one.seats,
    )
