"""One timer for all that are waited for: each ends in its own time, and nothing else is ended."""

from __future__ import annotations

import asyncio

import pytest

from whoknew.agents.models.deadlines import Deadlines

SOON, LONG = 0.01, 60.0


async def test_what_takes_too_long_ends_with_a_time_out() -> None:
    deadlines = Deadlines(SOON)

    async def hangs() -> None:
        with deadlines.kept():
            await asyncio.Event().wait()

    for _ in range(2):  # later ones, too, for which the timer is set anew
        ended = await asyncio.gather(hangs(), hangs(), hangs(), return_exceptions=True)
        assert [type(one) for one in ended] == [TimeoutError] * 3
    task = asyncio.current_task()
    assert task is not None
    assert not task.cancelling()


async def test_who_comes_later_waits_as_long() -> None:
    deadlines, clock = Deadlines(SOON), asyncio.get_running_loop().time
    begun = list[float]()

    async def hangs() -> float:
        begun.append(clock())
        try:
            with deadlines.kept():
                await asyncio.Event().wait()
        except TimeoutError:
            pass
        return clock()

    first = asyncio.create_task(hangs())
    await asyncio.sleep(0)
    ends = await asyncio.gather(first, hangs())
    assert all(end - start >= SOON for start, end in zip(begun, ends, strict=True))


async def test_what_is_done_in_time_is_left_alone() -> None:
    deadlines = Deadlines(SOON)
    with deadlines.kept():
        done = await asyncio.sleep(0, "done")
    with pytest.raises(TimeoutError), deadlines.kept():
        await asyncio.Event().wait()
    assert done == "done"


async def test_who_is_cancelled_by_others_hears_of_that() -> None:
    deadlines = Deadlines(LONG)

    async def hangs() -> None:
        with deadlines.kept():
            await asyncio.Event().wait()

    task = asyncio.create_task(hangs())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_an_error_within_stays_that_error() -> None:
    with pytest.raises(ZeroDivisionError), Deadlines(LONG).kept():
        raise ZeroDivisionError
