"""One at a time, and nobody queues behind those who only need a turn of the loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest
from waiting import PATIENCE

from whoknew.agents.unfair_lock import UnfairLock


@asynccontextmanager
async def held(lock: UnfairLock, at: int = 0) -> AsyncIterator[None]:
    await lock.take(at)
    try:
        yield
    finally:
        lock.leave()


async def test_who_comes_while_it_is_free_goes_ahead_of_those_who_were_just_woken() -> None:
    lock, order = UnfairLock(), list[str]()

    async def enter(name: str) -> None:
        async with held(lock):
            order.append(name)

    async with asyncio.TaskGroup() as group:
        async with held(lock):
            for name in "abc":
                group.create_task(enter(name))
            await asyncio.sleep(0)
        await enter("late")

    assert order == ["late", "a", "b", "c"]


async def test_who_was_passed_by_once_is_next() -> None:
    lock, order = UnfairLock(), list[str]()

    async def enter(name: str) -> None:
        async with held(lock):
            order.append(name)
            await asyncio.sleep(0)

    async def coming() -> None:
        while "waiting" not in order:
            await enter("late")

    async with asyncio.TaskGroup() as group:
        async with held(lock):
            group.create_task(enter("waiting"))
            await asyncio.sleep(0)
        await coming()

    assert order[:2] == ["late", "waiting"]


@pytest.mark.parametrize("seed", range(20))
async def test_one_at_a_time_whoever_is_cancelled(seed: int) -> None:
    chance, lock, inside = Random(seed), UnfairLock(), list[int]()

    async def enter(number: int) -> None:
        for _ in range(chance.randrange(3)):
            await asyncio.sleep(0)
        async with held(lock, chance.randrange(5)):
            inside.append(number)
            assert inside == [number]
            try:
                for _ in range(chance.randrange(3)):
                    await asyncio.sleep(0)
            finally:
                inside.remove(number)

    tasks = [asyncio.create_task(enter(number)) for number in range(60)]
    for _ in range(40):
        await asyncio.sleep(0)
        chance.choice(tasks).cancel()
    done, waiting = await asyncio.wait(tasks, timeout=PATIENCE)

    assert not waiting
    for task in done:
        assert task.cancelled() or task.exception() is None
    async with held(lock):  # nobody took it along
        pass


async def test_those_who_wait_are_called_from_the_last_place_on_and_then_from_the_first() -> None:
    lock, order = UnfairLock(), list[int]()

    async def enter(at: int) -> None:
        async with held(lock, at):
            order.append(at)
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group, held(lock, 5):
        for at in (7, 2, 9, 5, 3, 8):
            group.create_task(enter(at))
        await asyncio.sleep(0)

    assert order == [5, 7, 8, 9, 2, 3]


async def test_who_comes_while_it_is_free_goes_ahead_of_nobody_whose_place_is_nearer() -> None:
    lock, order = UnfairLock(), list[str]()

    async def enter(at: int, name: str) -> None:
        async with held(lock, at):
            order.append(name)

    async with asyncio.TaskGroup() as group:
        async with held(lock, 5):
            group.create_task(enter(6, "woken"))
            await asyncio.sleep(0)
        await enter(6, "as near")
        await enter(7, "farther")

    assert order == ["as near", "woken", "farther"]
