"""Connections to PostgreSQL that freeze, break, and break off: each append is in the log once."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from adversity.attack import Attack, Ground, Strike
from adversity.proxy import Proxy
from adversity.written import Acknowledged, texts
from postgres_server import Cluster
from small_worlds import opened, said

from whoknew.eventlog import Log

WORLDS, TASKS, TURNS = 4, 16, 25


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    def strike(chance: Random) -> None:
        cluster = ground.postgres()
        # Short, since the path of a socket may have no more than 107 bytes.
        with cluster.database() as url, tempfile.TemporaryDirectory(prefix="px-") as folder:
            asyncio.run(_broken(cluster, url, Path(folder), chance))

    yield strike


ATTACK = Attack(setup=setup, short=2)


async def _broken(cluster: Cluster, url: str, folder: Path, chance: Random) -> None:
    from whoknew.eventlog.stores.postgres import PostgresStore

    acknowledged: Acknowledged = {}
    through = PostgresStore(f"{url.partition('?')[0]}?host={folder}")
    async with (
        Proxy(folder, cluster.folder, chance.randrange(2**32)) as proxy,
        Log(through) as log,
    ):
        await asyncio.gather(*(log.append(f"w{n}", opened("Hamlet")) for n in range(WORLDS)))
        proxy.odds, proxy.frosts = chance.uniform(0, 0.08), chance.uniform(0, 0.1)

        async def live(task: int) -> None:
            for turn in range(TURNS):
                text = f"{task}.{turn}"
                appended = await log.append(f"w{task % WORLDS}", [said("Hamlet", text)])
                acknowledged[appended.world, appended.last] = text

        await asyncio.gather(*(live(task) for task in range(TASKS)))
        proxy.odds = proxy.frosts = 0.0
    async with Log(PostgresStore(url)) as log:
        found = {place: text for place, text in (await texts(log)).items() if place[1] > 2}
    assert Counter(found.values()) == Counter(acknowledged.values())
    assert found == acknowledged
