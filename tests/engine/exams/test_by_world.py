"""What is made of a world is made once, and is at hand from then on."""

from __future__ import annotations

import asyncio

from whoknew.engine.exams.by_world import WORLDS, ByWorld


class Maker:
    """Makes what it is told to, when it is let."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.may = asyncio.Event()

    async def make(self, world: str) -> str:
        self.made.append(world)
        await self.may.wait()
        return f"of {world}"


def at_once(kept: ByWorld[str], world: str) -> str:
    """What is had without waiting for anything."""
    asked = kept.of(world)
    try:
        asked.send(None)
    except StopIteration as had:
        return str(had.value)
    asked.close()
    raise AssertionError(f"{world} is waited for")


async def test_what_is_there_is_had_at_once_also_while_others_wait() -> None:
    maker = Maker()
    kept = ByWorld(maker.make)
    maker.may.set()
    assert await kept.of("a") == "of a"
    maker.may.clear()
    waiting = [asyncio.ensure_future(kept.of("b")) for _ in range(3)]
    await asyncio.sleep(0)
    assert at_once(kept, "a") == "of a"
    maker.may.set()
    assert await asyncio.gather(*waiting) == ["of b"] * 3
    assert at_once(kept, "b") == "of b"
    assert maker.made == ["a", "b"]


async def test_the_one_asked_for_longest_ago_goes_first() -> None:
    maker = Maker()
    maker.may.set()
    kept = ByWorld(maker.make)
    for number in range(WORLDS):
        await kept.of(str(number))
    await kept.of("0")
    await kept.of("more")
    assert at_once(kept, "0") == "of 0"
    await kept.of("1")
    assert maker.made.count("1") == 2 and maker.made.count("0") == 1
