"""Law 8: a chain that is killed at any moment goes on at the same turn, and tells the same story.

In each life, so many answers at most are lost as calls were ever under way at once in it, and no
answered call is paid for twice. What a guard refuses is refused once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random

from adversity.attack import Attack, Ground, Strike
from guarded_runs import leaking
from killed_runs import ORDERS, answered, lives, refused, story, whole
from model_servers import Server, by_digest, digest_of_asked, serving
from msgspec import Struct

from whoknew.worlds.setting import Order


class Whole(Struct, frozen=True):
    """What a chain comes to that nobody kills: its story, all that it asks, what was refused."""

    digest: str
    needed: frozenset[str]
    refused: list[tuple[int, int, str | None, str]]


def setting_up(*, guarded: bool) -> Callable[[Ground], AbstractContextManager[Strike]]:
    @contextmanager
    def setup(ground: Ground) -> Iterator[Strike]:
        with asyncio.Runner() as loop:
            serves = serving("openai", after=leaking if guarded else by_digest)
            server = loop.run(serves.__aenter__())
            with ground.fresh() as folder:
                wholes = {
                    order: loop.run(_whole(server, folder, order, guarded=guarded))
                    for order in ORDERS
                }
            assert all(bool(one.refused) == guarded for one in wholes.values())

            def strike(chance: Random) -> None:
                order = chance.choice(ORDERS)
                with _place(ground, chance) as place:
                    loop.run(_killed(server, place, order, chance, wholes[order], guarded=guarded))

            yield strike
            loop.run(serves.__aexit__(None, None, None))

    return setup


ATTACK = Attack(setup=setting_up(guarded=False), short=2)

GUARDED = Attack(setup=setting_up(guarded=True), short=1)


@contextmanager
def _place(ground: Ground, chance: Random) -> Iterator[str]:
    if chance.random() < 0.3:
        with ground.postgres().database() as url:
            yield url
    else:
        with ground.fresh() as folder:
            yield str(folder / "log.db")


async def _whole(server: Server, folder: Path, order: Order, *, guarded: bool) -> Whole:
    place = folder / f"{order}.db"
    server.asked.clear()
    await whole(server, place, order, guarded=guarded)
    asked = frozenset(map(digest_of_asked, server.asked))
    return Whole(await story(place), asked, await refused(place))


async def _killed(
    server: Server, place: str, order: Order, chance: Random, told: Whole, *, guarded: bool
) -> None:
    kills = chance.randint(1, 8)
    async for life in lives(server, place, order, chance, kills, guarded=guarded):
        assert life.asked <= told.needed
        assert life.lost >= 0
        assert life.beyond <= 0
    assert await answered(place) == len(told.needed)
    assert await story(place) == told.digest
    assert await refused(place) == told.refused
