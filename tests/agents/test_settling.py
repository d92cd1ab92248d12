"""Works side by side: in their order, no more at a time than is said, and none lost that was begun."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import pytest

from whoknew.agents.settling import side_by_side


class Works:
    """So many, each of which waits until as many have begun as it is told."""

    def __init__(self, fails: tuple[int, ...] = ()) -> None:
        self.begun, self.ended = list[int](), list[int]()
        self._fails, self._now, self.most = fails, 0, 0

    def of(self, count: int) -> list[Callable[[], Coroutine[Any, Any, int]]]:
        return [partial(self._work, number) for number in range(count)]

    async def _work(self, number: int) -> int:
        self.begun.append(number)
        self._now += 1
        self.most = max(self.most, self._now)
        for _ in range(10 - number % 10):  # the first of ten ends last
            await asyncio.sleep(0)
        self._now -= 1
        self.ended.append(number)
        if number in self._fails:
            raise ValueError(str(number))
        return number


async def test_they_give_what_they_give_in_their_order_whichever_ends_first() -> None:
    works = Works()
    assert await side_by_side(works.of(20), 8) == list(range(20))
    assert works.most == 8 and works.ended != sorted(works.ended)
    assert await side_by_side(works.of(0), 8) == []


async def test_where_one_fails_what_was_begun_ends_and_nothing_more_begins() -> None:
    works = Works(fails=(2, 5))
    with pytest.raises(ValueError, match="2"):
        await side_by_side(works.of(20), 8)
    assert works.begun == list(range(8)) == sorted(works.ended)


async def test_cancelled_all_are() -> None:
    works = Works()
    task = asyncio.create_task(side_by_side(works.of(8), 8))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(works.begun) == 8
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert works.ended == []
