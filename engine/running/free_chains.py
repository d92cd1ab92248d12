"""Which chains a process plays, or shards of an exam it sits: all of them; on a log that several write,
those that nobody else does.

The same command, started on several machines at one PostgreSQL log, takes what is free, one by one,
under a lease that it renews with every heartbeat. What a dead process leaves is free once its lease ran
out; what another has played to its end is taken in without one.
"""

from __future__ import annotations

import asyncio
import os
import platform
from collections import deque
from collections.abc import Awaitable, Callable, Container, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Protocol

from whoknew.engine.errors import Suspended
from whoknew.engine.playing.control import Control
from whoknew.eventlog.errors import LeaseLost, LogError
from whoknew.eventlog.logger import logger
from whoknew.eventlog.stores.leases import Leases

HEARTBEAT = 10.0
"""Seconds after which a lease is renewed."""

LASTS, LOOKS = 1.75, 0.2
"""In heartbeats: how long a lease lasts, and how often it is looked whether one has become free. So what
a dead process played is taken over within two heartbeats, and one may come late by most of one."""

WINDOW = 200
"""So many are looked at together, the first of which that is free is taken: not all of ten thousand."""


def holder() -> str:
    """Who holds the leases of this process, in words: what tells them apart is their epoch."""
    return f"process {os.getpid()} on {platform.node()}"


def waiting_for(leases: Leases | None, control: Control) -> AbstractContextManager[None]:
    """A database that is away is waited for in here until the run is to stop: what is under way would be
    lost, and others wait for it, too."""
    if leases is None:
        return nullcontext()
    return leases.patience.shared(lambda: control.reason is None)


class WaitingProgress(Protocol):
    """Whoever is told how many are left that others play, as was seen last."""

    elsewhere: int


class FreeChains:
    """Hands out the chains of a run by the names of their leases, each once; `leases` are None where this
    process alone writes. Those that are `over` need none: nothing is written to them."""

    def __init__(
        self,
        names: Iterable[str],
        *,
        over: Iterable[str],
        see: Callable[[Sequence[str]], Awaitable[Container[str]]],
        about_to_begin: Callable[[Sequence[str]], Awaitable[None]] | None = None,
        control: Control,
        leases: Leases | None,
        progress: WaitingProgress,
        heartbeat: float | None = None,
    ) -> None:
        self._control, self._leases, self._progress = control, leases, progress
        self.heartbeat = heartbeat or HEARTBEAT
        self._waiting = dict.fromkeys(names)
        self._over = deque(over if leases else ())
        self._see = see
        """Take in what others have done of these; of which nothing is left to do."""
        self._about_to_begin = about_to_begin
        """Told of those that were claimed together and that nobody has held before."""
        self._again = set[str]()
        """Whoever ended these had less to do."""
        self._claimed = deque[str]()
        """Of those waiting what this process holds already, for who asks next."""
        self._asking = 0
        self._one_by_one = asyncio.Lock()
        self._given_back = dict[str, bool]()
        """Those that are to be, and whether nothing is left to do of them."""
        self._giving_back = asyncio.Lock()

    async def next(self) -> str | None:
        """The next that is free, held by this process from now on; None where none is left. A run that
        is to stop is given the others, which it does not begin."""
        self._asking += 1
        try:
            async with self._one_by_one:
                return await self._next()
        finally:
            self._asking -= 1

    async def done(self, name: str, *, over: bool) -> None:
        """Another may have it now: given back together with those that ended meanwhile. Where it is `over`
        others need not hold it to see that."""
        if self._leases is not None:
            self._given_back[name] = over
            async with self._giving_back:
                given, self._given_back = self._given_back, {}
                with suppress(LogError):  # it runs out by itself
                    await self._leases.release(
                        given, [one for one, ended in given.items() if ended]
                    )
        self._control.lost.pop(name, None)

    async def lost(self, name: str) -> None:
        """It is another's by now, and waited for like all that others play."""
        await self.done(name, over=False)
        self._waiting[name] = None

    async def beat(self) -> None:
        """Renew what is held, for ever. Whoever plays what is lost is told, and makes no further call."""
        assert self._leases is not None, "leases are what is renewed"
        while True:
            await asyncio.sleep(self.heartbeat)
            try:
                for name in await self._leases.renew(LASTS * self.heartbeat):
                    await self._see_lost(self._leases, name)
            except LogError as error:
                logger().warning("lease.unrenewed", why=str(error))

    async def _see_lost(self, leases: Leases, name: str) -> None:
        try:
            await leases.check(name)
        except LeaseLost as error:
            self._control.lost[name] = error

    async def _next(self) -> str | None:
        while self._waiting:
            name = await self._free()
            self._progress.elsewhere = 0 if name else len(self._waiting)
            if name is not None:
                del self._waiting[name]
                return name
            with suppress(Suspended):
                self._control.check()
                await self._control.pause(LOOKS * self.heartbeat)
        return None

    async def _free(self) -> str | None:
        """The next that is free: claimed together with those for all others that ask just now."""
        for ready in (self._over, self._claimed):
            while ready:
                if (name := ready.popleft()) in self._waiting:
                    return name
        if self._leases is None or self._control.reason is not None:
            return next(iter(self._waiting))
        names = list(self._waiting)
        for start in range(0, len(names), WINDOW):
            some = names[start : start + WINDOW]
            lasts = LASTS * self.heartbeat
            if claimed := await self._leases.claim(
                some, holder(), lasts, self._asking, self._again.intersection(some)
            ):
                self._claimed.extend(claimed)
                await self._tell_of_new(self._leases, claimed)
                return self._claimed.popleft()
            if found := await self._ended_elsewhere(self._leases, some):
                return found
        return None

    async def _tell_of_new(self, leases: Leases, claimed: Sequence[str]) -> None:
        """For one alone there is nothing to do together. Whoever is cancelled in here leaves what was claimed
        to the next who asks."""
        new = [*filter(leases.is_first, claimed)]
        if self._about_to_begin is not None and len(new) > 1:
            with suppress(LogError):  # it is seen by whoever plays them
                await self._about_to_begin(new)

    async def _ended_elsewhere(self, leases: Leases, names: Sequence[str]) -> str | None:
        """One of those that others have ended: nobody holds it, so that all see it at once."""
        ended = [one for one in await leases.ended(names) if one not in self._again]
        if not ended:
            return None
        over = await self._see(ended)
        self._over.extend(one for one in ended if one in over)
        self._again.update(one for one in ended if one not in over)
        return await self._free()
