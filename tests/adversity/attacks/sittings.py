"""Law 8, of exams: one that is killed at any moment goes on, and comes to the table of one that is not.

No more calls are made twice than were in flight when it was killed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from adversity.attack import Attack, Ground, Strike
from command_runner import COMMAND
from killed_exams import AT_ONCE, CALLS, CELLS, exam_at, killed, slowly, table_of
from kitchen_runs import SENDING
from model_servers import Server, serving


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    with asyncio.Runner() as loop:
        serves = serving("openai", after=slowly)
        server = loop.run(serves.__aenter__())
        whole = loop.run(_sat(ground, server, Random(0), 0))

        def strike(chance: Random) -> None:
            kills, by = chance.randint(2, 8), chance.choice([COMMAND, SENDING])
            assert loop.run(_sat(ground, server, chance, kills, by)) == whole

        yield strike
        loop.run(serves.__aexit__(None, None, None))


ATTACK = Attack(setup=setup, short=1)


async def _sat(
    ground: Ground, server: Server, chance: Random, kills: int, by: Sequence[str] = COMMAND
) -> Any:
    """The table of an exam in a folder of its own, that was killed so many times. Its calls are sent by itself,
    or by a process beside it."""
    with ground.fresh() as folder:
        server.asked.clear()
        path = await asyncio.to_thread(exam_at, server, folder)
        await killed(server, path, chance, kills, by)
        table = await table_of(path, by)
    assert sum(row["answered"] for row in table["rows"]) == CELLS
    assert 0 <= server.calls - CALLS <= kills * AT_ONCE
    return table
