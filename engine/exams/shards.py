"""An exam that several processes sit: each takes shards that are free, under leases, as runs take chains.

A shard is all that rests on one derived memory, or one question, or one scene. All of them go into the one
world of the exam, each append under the lease of its shard.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.shared_sitting import SharedSitting
from whoknew.engine.playing.control import Control
from whoknew.engine.running.free_chains import FreeChains, WaitingProgress, holder, waiting_for
from whoknew.eventlog.errors import LeaseLost
from whoknew.eventlog.logger import logged_with, logger
from whoknew.eventlog.stores.leases import under

Work = Callable[[], Awaitable[None]]
"""A piece of what is to be done."""


class ShardCounts(Struct, frozen=True):
    """Of the cells of a shard, how many others have done, or failed in; how many reviews of them others have
    written; and how many memories are lacking that they rest on. So whoever loses a shard and comes by it
    again counts nothing twice."""

    done: int = 0
    failed: int = 0
    heard: int = 0
    lives: int = 0


class Shard(Struct, frozen=True, kw_only=True):
    """What one process at a time does, under a lease of this name: `first` what its cells rest on, then its
    works. Each tells what is lacking as the log stands now."""

    lease: str
    works: Callable[[], Iterator[Work]]
    first: Callable[[], Work | None] = lambda: None
    counts: Callable[[], ShardCounts] = ShardCounts

    def is_over(self) -> bool:
        return next(self.works(), None) is None


class SharedSession(Protocol):
    """What is sat."""

    log: ExamLog
    control: Control

    @property
    def progress(self) -> WaitingProgress: ...

    async def is_done(self, work: Work) -> bool: ...

    def done_elsewhere(self, before: ShardCounts, now: ShardCounts) -> None:
        """What a shard was counted as, and what it came to by others meanwhile."""
        ...


class Shards:
    """One process of those that sit an exam, with so many calls at once."""

    def __init__(
        self, session: SharedSession, sharing: SharedSitting, shards: Iterable[Shard], at_once: int
    ) -> None:
        self._session, self._sharing, self._leases = session, sharing, sharing.leases
        self._shards = {one.lease: one for one in shards}
        self._counted = {lease: one.counts() for lease, one in self._shards.items()}
        over = [lease for lease, one in self._shards.items() if one.is_over()]
        self._free = FreeChains(
            self._shards,
            over=over,
            see=self._see,
            control=session.control,
            leases=sharing.leases,
            progress=session.progress,
        )
        self._room = asyncio.Semaphore(at_once)

    async def sit(self) -> None:
        """Do what is free, and wait for what others do, until all is done or it is to stop."""
        with logged_with(worker=holder()), waiting_for(self._leases, self._session.control):
            await self._sharing.begin()
            try:
                async with asyncio.TaskGroup() as group:
                    beats = [self._free.beat(), *self._sharing.beats(self._free.heartbeat)]
                    beating = [group.create_task(one) for one in beats]
                    try:
                        await self._take_all()
                    finally:
                        for one in beating:
                            one.cancel()
            finally:
                await self._sharing.end()

    async def _take_all(self) -> None:
        """All that are free; and those again that were lost, until others have done them."""
        while await self._take_some():
            pass

    async def _take_some(self) -> bool:
        """One more shard whenever there is room for one more piece of work: who takes more than it can do
        leaves none to others. Whether there was any."""
        taken = False
        async with asyncio.TaskGroup() as group:
            while True:
                async with self._room:
                    pass
                lease = await self._free.next()
                if lease is None:
                    return taken
                taken = True
                await self._room.acquire()
                group.create_task(self._take(self._shards[lease]))

    async def _take(self, shard: Shard) -> None:
        try:
            with under(self._leases.holding(shard.lease)):
                await self._do(shard)
        except LeaseLost as error:
            logger().warning("lease.lost", why=str(error))
            await self._sharing.end_shard(shard.lease, over=False)
            await self._free.lost(shard.lease)
        else:
            over = shard.is_over()
            await self._sharing.end_shard(shard.lease, over=over)
            await self._free.done(shard.lease, over=over)

    async def _see(self, leases: Sequence[str]) -> set[str]:
        await self._session.log.catch_up()
        return {one for one in leases if self._shards[one].is_over()}

    async def _do(self, shard: Shard) -> None:
        """All of a shard that is lacking, once it is known what others did of it. The room that was waited
        for is that of its first piece of work."""
        lost: list[LeaseLost] = []
        has_room = True
        try:
            await self._session.log.catch_up()
            await self._sharing.begin_shard(shard.lease)
            before, now = self._counted[shard.lease], shard.counts()
            self._session.done_elsewhere(before, now)
            self._counted[shard.lease] = now
            if (first := shard.first()) and await self._session.is_done(first):
                self._counted[shard.lease] = replace(now, lives=0)
            async with asyncio.TaskGroup() as group:
                for work in shard.works():
                    if not has_room:
                        await self._room.acquire()
                    has_room = False
                    group.create_task(self._one(work, lost))
        finally:
            if has_room:
                self._room.release()
        if lost:
            raise lost[0]

    async def _one(self, work: Work, lost: list[LeaseLost]) -> None:
        """One piece of work, in the room that was made for it; none for a shard that is lost."""
        try:
            if not lost and await self._session.is_done(work):
                self._sharing.worked()
        except LeaseLost as error:
            lost.append(error)
        finally:
            self._room.release()
