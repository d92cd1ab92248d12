"""Law 8: a chain that is killed at any moment goes on at the same turn, and pays for nothing twice."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from killed import ORDERS, answered, lives, story, whole
from servers import by_digest, digest_of_asked, serving

from whoknew.worlds.setting import Order

KILLS = int(os.environ.get("KILLS", "52"))
"""In all, over the orders."""


@pytest.mark.parametrize("order", ORDERS)
async def test_a_chain_that_is_killed_goes_on_and_tells_the_same_story(
    tmp_path: Path, order: Order
) -> None:
    """In each life, so many calls at most are lost as were ever under way at once in it."""
    chance, left, stories = Random(order), KILLS // len(ORDERS), 0
    async with serving("openai", after=by_digest) as server:
        await whole(server, tmp_path / "whole.db", order)
        needed = set(map(digest_of_asked, server.asked))
        digest = await story(tmp_path / "whole.db")
        while left:
            path = tmp_path / f"cut{stories}.db"
            async for life in lives(server, path, order, chance, left):
                left -= not life.over
                assert life.asked <= needed
                assert life.lost >= 0
                assert life.beyond <= 0
            assert await answered(path) == len(needed)
            assert await story(path) == digest
            stories += 1
    print(f"{KILLS // len(ORDERS)} kills over {stories} stories")
