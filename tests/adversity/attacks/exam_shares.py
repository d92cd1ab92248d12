"""Several processes sit one exam on one PostgreSQL log, and are killed and frozen, and the server is
restarted under them: each cell is asked once, no memory is built twice, and the table is the same.

A call that is made again was under way, in a process that died, or had its shard taken over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from adversity.attack import Attack, Ground, Strike
from adversity.attacks.shares import struck
from model_servers import serving
from shared_exams import AT_ONCE, ExamSharers, answering, shared_exam

from whoknew.engine.exams.program import load_exam, sit_exam
from whoknew.engine.exams.run import ExamOptions


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    with asyncio.Runner() as loop, ground.fresh() as folder:
        serves = serving("openai", after=answering)
        server = loop.run(serves.__aenter__())
        plan = shared_exam(server, folder)
        alone = ExamSharers(str(folder / "alone.db"), server, plan)
        exam = load_exam(plan, ExamOptions(log=alone.log))
        assert loop.run(sit_exam(exam)).code == 0
        told, needed = loop.run(alone.stories()), server.calls

        def strike(chance: Random) -> None:
            cluster = ground.postgres()
            server.asked.clear()
            with cluster.database() as url:
                sharers = ExamSharers(url, server, plan)
                faults = loop.run(struck(sharers, cluster, chance))
                assert loop.run(sharers.stories()) == told
                again = server.calls - needed
                assert again <= faults * AT_ONCE, f"{again} calls made again at {faults} faults"

        yield strike
        loop.run(serves.__aexit__(None, None, None))


ATTACK = Attack(setup=setup, short=1)
