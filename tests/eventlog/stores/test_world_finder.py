"""Who looks for worlds in the same moment shares a statement, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import pytest

from whoknew.eventlog.stores.store import World
from whoknew.eventlog.stores.world_finder import WorldFinder

THERE = {"a": World("a", 3), "b": World("b", 5)}


class Worlds:
    """Those that are there, and what was asked for them."""

    def __init__(self) -> None:
        self.there, self.asked = dict(THERE), list[list[str]]()
        self.begun, self.going = asyncio.Event(), asyncio.Event()
        self.going.set()
        self.error: Exception | None = None

    async def found(self, names: Collection[str]) -> list[World]:
        self.asked.append(sorted(names))
        self.begun.set()
        there = [self.there[one] for one in names if one in self.there]
        await self.going.wait()
        if self.error is not None:
            raise self.error
        return there


async def test_those_who_ask_at_once_are_answered_by_one_look() -> None:
    worlds = Worlds()
    finder = WorldFinder(worlds.found)
    found = await asyncio.gather(*map(finder.find, ["b", "nowhere", "a", "b"]))
    assert found == [THERE["b"], None, THERE["a"], THERE["b"]]
    assert worlds.asked == [["a", "b", "nowhere"]]


async def test_who_asks_while_others_wait_is_told_how_it_stands_then() -> None:
    worlds = Worlds()
    finder = WorldFinder(worlds.found)
    worlds.going.clear()
    first = asyncio.ensure_future(finder.find("a"))
    await worlds.begun.wait()
    worlds.there["a"] = World("a", 4)
    second = asyncio.ensure_future(finder.find("a"))
    await asyncio.sleep(0)
    worlds.going.set()
    assert (await first, await second) == (THERE["a"], World("a", 4))
    assert worlds.asked == [["a"], ["a"]]


async def test_who_no_longer_waits_takes_nothing_from_the_others() -> None:
    worlds = Worlds()
    finder = WorldFinder(worlds.found)
    worlds.going.clear()
    waiting = [asyncio.ensure_future(finder.find(name)) for name in ("a", "a", "b")]
    await worlds.begun.wait()
    waiting[0].cancel()
    worlds.going.set()
    done = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(done[0], asyncio.CancelledError) and done[1:] == [THERE["a"], THERE["b"]]


async def test_all_who_asked_are_told_what_went_wrong_and_the_next_look_is_another() -> None:
    worlds = Worlds()
    finder = WorldFinder(worlds.found)
    worlds.error = OSError("away")
    done = await asyncio.gather(finder.find("a"), finder.find("b"), return_exceptions=True)
    assert done == [worlds.error, worlds.error]
    worlds.error = None
    assert await finder.find("b") == THERE["b"]
    with pytest.raises(TimeoutError):
        worlds.going.clear()
        await asyncio.wait_for(finder.find("a"), 0.01)
