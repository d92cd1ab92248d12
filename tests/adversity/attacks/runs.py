"""Law 8: a chain that is killed at any moment goes on at the same turn, and tells the same story.

In each life, so many answers at most are lost as calls were ever under way at once in it, and no
answered call is paid for twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from adversity.attack import Attack, Ground, Strike
from killed_runs import ORDERS, answered, lives, story, whole
from model_servers import Server, by_digest, digest_of_asked, serving
from msgspec import Struct

from whoknew.worlds.setting import Order


class Whole(Struct, frozen=True):
    """What a chain comes to that nobody kills: its story, and all that it asks."""

    digest: str
    needed: frozenset[str]


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    with asyncio.Runner() as loop:
        serves = serving("openai", after=by_digest)
        server = loop.run(serves.__aenter__())
        with ground.fresh() as folder:
            wholes = {order: loop.run(_whole(server, folder, order)) for order in ORDERS}

        def strike(chance: Random) -> None:
            order = chance.choice(ORDERS)
            with _place(ground, chance) as place:
                loop.run(_killed(server, place, order, chance, wholes[order]))

        yield strike
        loop.run(serves.__aexit__(None, None, None))


ATTACK = Attack(setup=setup, short=2)


@contextmanager
def _place(ground: Ground, chance: Random) -> Iterator[str]:
    if chance.random() < 0.3:
        with ground.postgres().database() as url:
            yield url
    else:
        with ground.fresh() as folder:
            yield str(folder / "log.db")


async def _whole(server: Server, folder: Path, order: Order) -> Whole:
    place = folder / f"{order}.db"
    server.asked.clear()
    await whole(server, place, order)
    return Whole(await story(place), frozenset(map(digest_of_asked, server.asked)))


async def _killed(server: Server, place: str, order: Order, chance: Random, told: Whole) -> None:
    async for life in lives(server, place, order, chance, chance.randint(1, 8)):
        assert life.asked <= told.needed
        assert life.lost >= 0
        assert life.beyond <= 0
    assert await answered(place) == len(told.needed)
    assert await story(place) == told.digest
