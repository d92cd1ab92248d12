"""A program that sits an exam beside others of its kind, as `whoknew exam run` does on several machines.

python exam_sharer.py LOG PLAN HEARTBEAT [cluster]
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from whoknew.engine.exams.cluster import run_exam_on_cluster
from whoknew.engine.exams.program import load_exam
from whoknew.engine.exams.run import AnySession, ExamOptions, run_exam
from whoknew.engine.running import free_chains


@contextmanager
def watching(session: AnySession) -> Iterator[None]:
    print("begun", flush=True)
    yield


async def main(log: str, plan: str, heartbeat: str, *cluster: str) -> int:
    free_chains.HEARTBEAT = float(heartbeat)
    options = ExamOptions(log=log)
    exam = load_exam(plan, options)
    if cluster:
        sat = await run_exam_on_cluster(exam, options, "local", 2, watching)
    else:
        sat = await run_exam(exam, options, watching)
    print(sat)
    return sat.code


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:])))
