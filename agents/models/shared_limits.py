"""How fast a model may be called by several processes together: each draws from what the store has, so
that most calls ask nobody."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

from whoknew.eventlog.errors import LogError
from whoknew.eventlog.logger import logger
from whoknew.eventlog.stores.slices import Slices

LOOK = 0.1
"""Seconds after which who found no seat looks again."""

RENEWED = 1.0
"""Seconds after which seats are renewed, and what nobody uses is given back."""

AHEAD = 0.1
"""So many seconds' worth more is drawn than is needed now."""


class SharedLimits:
    """The limits of the models of a run; `slices` are None as long as nobody shares them."""

    def __init__(self) -> None:
        self.slices: Slices | None = None
        self._seats: list[SharedSeats] = []
        self._buckets: list[SharedBucket] = []

    def seats(self, name: str, most: int) -> SharedSeats:
        assert self.slices is not None, "only what is shared is drawn"
        seats = SharedSeats(self.slices, name, most)
        self._seats.append(seats)
        return seats

    def bucket(self, name: str, per_minute: int) -> SharedBucket:
        assert self.slices is not None, "only what is shared is drawn"
        bucket = SharedBucket(self.slices, name, per_minute)
        self._buckets.append(bucket)
        return bucket

    async def beat(self) -> None:
        """Renew what is taken, and give back what is not used, for ever."""
        while True:
            await asyncio.sleep(RENEWED)
            try:
                await self._renew()
            except LogError as error:
                logger().warning("limits.unrenewed", why=str(error))

    async def give_back(self) -> None:
        """All of it: nothing is called any more."""
        for seats in self._seats:
            await seats.renew()
        for bucket in self._buckets:
            await bucket.give_back()

    async def _renew(self) -> None:
        for seats in self._seats:
            if seats.in_use:
                await seats.renew()
        for bucket in self._buckets:
            await bucket.give_back()


class SharedSeats:
    """So many calls at once of all processes. A seat that nobody here needs is given back within a second;
    where others wait for one, each process has its share."""

    def __init__(
        self,
        slices: Slices,
        name: str,
        most: int,
        lasts: float = 17.5,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """What is held runs out after `lasts` seconds: of a process that died it comes back then."""
        self._slices, self._name, self._most, self._lasts = slices, name, most, lasts
        self._sleep = sleep
        self._held = self._taken = self._waiting = 0
        self._others_wait = False
        self._looking, self._asking = asyncio.Lock(), asyncio.Lock()
        """One looks for a seat at a time, and waits between two looks; who leaves one asks meanwhile."""

    @property
    def in_use(self) -> bool:
        return bool(self._held or self._waiting)

    async def acquire(self) -> None:
        self._waiting += 1
        try:
            while self._taken >= self._held:
                async with self._looking:
                    if self._taken >= self._held:
                        await self.renew()
                    if self._taken >= self._held:
                        await self._sleep(LOOK * (0.5 + random.random()))
            self._taken += 1
        finally:
            self._waiting -= 1

    async def release(self) -> None:
        self._taken -= 1
        if self._others_wait:
            try:
                await self.renew(leaving=True)
            except LogError as error:  # it runs out by itself
                logger().warning("limits.unrenewed", why=str(error))

    async def renew(self, *, leaving: bool = False) -> None:
        """Ask for as many as are wanted now; who leaves one lets others come first. Until the answer is
        here nobody takes a seat: it may be somebody else's by then."""
        async with self._asking:
            self._held = self._taken
            self._held, self._others_wait = await self._slices.seat(
                self._name,
                self._most,
                taken=self._taken,
                wanted=self._taken + self._waiting,
                leaving=leaving,
                seconds=self._lasts,
            )


class SharedBucket:
    """So much a minute of all processes. Who asks first here goes first."""

    def __init__(
        self,
        slices: Slices,
        name: str,
        per_minute: int,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._slices, self._name, self._per_minute = slices, name, per_minute
        self._rate, self._sleep = per_minute / 60, sleep
        self._drawn = 0.0
        """What was drawn and not used; owed, where replies took more than they were taken to."""
        self._turn = asyncio.Lock()

    async def take(self, amount: float) -> None:
        async with self._turn:
            while (lacking := amount - self._drawn) > 1e-6:
                wanted = lacking + AHEAD * self._rate
                drawn = await self._slices.draw(self._name, self._per_minute, wanted)
                self._drawn += drawn  # to what it is now: some may have been given back meanwhile
                if (lacking := amount - self._drawn) > 1e-6:
                    await self._sleep(min(lacking / self._rate, 60))
            self._drawn -= amount

    def give(self, amount: float) -> None:
        self._drawn += amount

    async def give_back(self) -> None:
        """What nobody waits for, others may have."""
        if self._drawn > 0 and not self._turn.locked():
            drawn, self._drawn = self._drawn, 0.0
            await self._slices.draw(self._name, self._per_minute, -drawn)
