"""Limits that processes share, as one of them keeps to them: by a store that answers when it is let."""

from __future__ import annotations

import asyncio

from waiting import PATIENCE

from whoknew.agents.models.shared_limits import SharedBucket, SharedSeats
from whoknew.eventlog.stores.slices import Slices


class SlowStore(Slices):
    """Grants all that is wanted, once it is let: `asked` tells of each that waits for it."""

    def __init__(self, others_wait: bool = False) -> None:
        self.others_wait = others_wait
        self.let = asyncio.Event()
        self.asked = asyncio.Event()
        self.drawn = 0.0

    async def draw(self, name: str, per_minute: float, wanted: float) -> float:
        await self._let()
        self.drawn += wanted
        return wanted

    async def seat(
        self,
        name: str,
        most: int,
        *,
        taken: int,
        wanted: int,
        seconds: float,
        leaving: bool = False,
    ) -> tuple[int, bool]:
        await self._let()
        free = 0 if leaving and self.others_wait else most
        return max(taken, min(wanted, free)), self.others_wait

    async def _let(self) -> None:
        self.asked.set()
        await self.let.wait()


async def test_what_is_given_back_while_more_is_drawn_is_not_lost() -> None:
    store = SlowStore()
    bucket = SharedBucket(store, "m", 60_000)
    taking = asyncio.create_task(bucket.take(1000))
    await store.asked.wait()
    bucket.give(-5000)  # a reply took more than was set aside for it
    store.let.set()
    await taking
    await bucket.take(0)
    assert store.drawn >= 6000, "what a reply took beyond what was drawn for it is owed"


class Crowd:
    """Many who look for a seat, of whom the first has looked, and waits to look again."""

    def __init__(self) -> None:
        self.store = SlowStore(others_wait=True)
        self.store.let.set()
        self.seats = SharedSeats(self.store, "m", 1, sleep=self._waits)
        self._has_looked = asyncio.Event()

    async def gather(self) -> list[asyncio.Task[None]]:
        await self.seats.acquire()
        looking = [asyncio.create_task(self.seats.acquire()) for _ in range(50)]
        await self._has_looked.wait()
        return looking

    async def _waits(self, seconds: float) -> None:
        self._has_looked.set()
        await asyncio.Event().wait()


async def over(tasks: list[asyncio.Task[None]]) -> None:
    for one in tasks:
        one.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_who_leaves_a_seat_does_not_wait_for_those_who_look_for_one() -> None:
    crowd = Crowd()
    looking = await crowd.gather()
    async with asyncio.timeout(PATIENCE):
        await crowd.seats.release()
    await over(looking)


async def test_seats_are_renewed_however_many_look_for_one() -> None:
    crowd = Crowd()
    looking = await crowd.gather()
    async with asyncio.timeout(PATIENCE):
        await crowd.seats.renew()
    await over(looking)


async def test_no_seat_is_taken_while_the_store_is_told_that_it_is_left() -> None:
    crowd = Crowd()
    looking = await crowd.gather()
    crowd.store.let.clear()
    crowd.store.asked.clear()
    leaving = asyncio.create_task(crowd.seats.release())
    await crowd.store.asked.wait()
    late = asyncio.create_task(crowd.seats.acquire())
    for _ in range(9):
        await asyncio.sleep(0)
    assert not late.done(), "another process may have it by now"
    crowd.store.let.set()
    await leaving
    await over([late, *looking])
