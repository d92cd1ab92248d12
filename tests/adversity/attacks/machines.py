"""Machines of a run fail, fifty times in a run of 200 chains: workers are killed and frozen, the database
killed and restarted, links cut, cables pulled out, clocks set apart.

No event is lost, no chain mixed, no append under an old lease taken, and whenever a chain is taken over at
most the calls of one turn, which were in flight, are made again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from random import Random

from adversity.attack import Attack, Ground, Strike
from adversity.faulted_run import (
    CLOCK,
    Fault,
    FaultedRun,
    crashed,
    cut,
    frozen,
    killed,
    misdated,
    restarted,
    unplugged,
)
from adversity.namespace import Namespace, NoNamespaces
from model_servers import Server, by_digest, serving
from shared_runs import Sharers, played_alone

WORKERS, CHAINS, AT_ONCE, FAULTS = 4, 200, 10, 50

HEARTBEAT = 2.0
"""Seconds: a machine with much else to do loses no lease by that alone."""


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    with asyncio.Runner() as loop, ExitStack() as stack:
        faults: list[Fault] = [killed, frozen, crashed, restarted, cut]
        namespace = None
        try:
            namespace = stack.enter_context(Namespace())
            faults.append(unplugged)
        except NoNamespaces:
            pass
        if CLOCK is not None:
            faults.append(misdated)
        serves = serving(
            "openai", after=by_digest, host=namespace.host if namespace else "127.0.0.1"
        )
        server = loop.run(serves.__aenter__())
        struck = Counter[str]()

        @cache
        def whole() -> tuple[list[str], int]:
            with ground.fresh() as folder:
                return loop.run(played_alone(_sharers(str(folder / "alone.db"), server)))

        def strike(chance: Random) -> None:
            cluster = ground.postgres()
            told, needed = whole()
            server.asked.clear()
            chosen = [chance.choice(faults) for _ in range(FAULTS)]
            with cluster.database() as url:

                async def faulted() -> None:
                    async with FaultedRun(sharers, cluster, WORKERS, namespace) as run:
                        await run.strike(chosen, chance, needed)
                        await run.finish()
                        await run.check(told, needed)
                        struck.update(run.struck)

                sharers = _sharers(url, server)
                loop.run(faulted())
            print(struck.total(), dict(struck), server.calls - needed, flush=True)

        yield strike
        loop.run(serves.__aexit__(None, None, None))


ATTACK = Attack(setup=setup, short=0, least=6)  # ten faults are a test of their own


def _sharers(log: str, server: Server) -> Sharers:
    return Sharers(log, server, CHAINS, at_once=AT_ONCE, heartbeat=HEARTBEAT)
