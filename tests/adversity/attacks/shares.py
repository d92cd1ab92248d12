"""Several processes play one plan into one PostgreSQL log, and are killed and frozen, and the server is
restarted under them: each chain is played once, to the same story, and no answered call is paid for twice.

A call that is made again was under way, in a process that died, or stopped holding its chain: whenever one
is taken over, at most those of one turn.
"""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from random import Random

from adversity.attack import Attack, Ground, Strike
from model_servers import by_digest, serving
from postgres_server import Cluster
from shared_runs import HEARTBEAT, Sharers, freeze, over, played_alone, thaw

from whoknew.engine.running.free_chains import LASTS

WORKERS, CHAINS = 3, 5


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    with asyncio.Runner() as loop:
        serves = serving("openai", after=by_digest)
        server = loop.run(serves.__aenter__())
        with ground.fresh() as folder:
            alone = Sharers(str(folder / "alone.db"), server, CHAINS)
            told, needed = loop.run(played_alone(alone))

        def strike(chance: Random) -> None:
            cluster = ground.postgres()
            server.asked.clear()
            with cluster.database() as url:
                sharers = Sharers(url, server, CHAINS)
                loop.run(struck(sharers, cluster, chance))
                loop.run(sharers.check(told, needed))

        yield strike
        loop.run(serves.__aexit__(None, None, None))


ATTACK = Attack(setup=setup, short=1)


async def struck(sharers: Sharers, cluster: Cluster, chance: Random) -> int:
    """Play it under faults; how often a process can have lost what it held."""
    lost = 0
    async with AsyncExitStack() as stack:
        workers = [await stack.enter_async_context(sharers.one()) for _ in range(WORKERS)]
        for _ in range(chance.randint(1, 3)):
            await asyncio.sleep(chance.uniform(0, HEARTBEAT))
            one = chance.randrange(WORKERS)
            match chance.choice(("kill", "freeze", "restart")):
                case "kill":
                    lost += 1
                    with suppress(ProcessLookupError):
                        workers[one].kill()
                    workers[one] = await stack.enter_async_context(sharers.one())
                case "freeze":
                    lost += 1
                    await _frozen(workers[one], chance)
                case "restart":
                    lost += WORKERS
                    await asyncio.to_thread(cluster.go_down)
                    await asyncio.sleep(chance.uniform(0, 2 * HEARTBEAT))
                    await asyncio.to_thread(cluster.come_up)
        for worker in workers:
            await over(worker)
    return lost


async def _frozen(worker: Process, chance: Random) -> None:
    """Frozen for a while, mostly for longer than its leases last."""
    with suppress(ProcessLookupError):
        freeze(worker)
        await asyncio.sleep(chance.uniform(0, 3 * LASTS * HEARTBEAT))
        thaw(worker)
