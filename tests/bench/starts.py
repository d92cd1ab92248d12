"""What a command takes to start, beside a Python that loads the least that it needs: CPU time, since
others are at work on the same machine."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterator
from statistics import median

from figure import Figure, Reach
from peer import run
from server import COMMAND
from session import Session

LEAST = (sys.executable, "-c", "import msgspec, asyncio")

WORLD = "midnight-diner"

RUNS = 15

STARTS = (("replay", WORLD), ("ls",), ("replay", "--help"), ("--help",))


def figures(session: Session) -> Iterator[Figure]:
    log = session.file("small.db")
    # Compiled once, as what is installed is: a tree may be read-only, or told to keep no such files.
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(session.folder / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    environment["WHOKNEW_LOG"] = str(log)

    def cpu(*words: str) -> float:
        """Seconds of a process, its system calls included."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run(words, environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    run([*COMMAND, "run", WORLD], environment)
    for words in STARTS:
        run([*COMMAND, *words], environment)
        ours, least = session.in_turn(
            lambda words=words: cpu(*COMMAND, *words), lambda: cpu(*LEAST), runs=RUNS
        )
        yield Figure(
            f"CPU of `whoknew {' '.join(words)}`, small log",
            "x",
            [one / other for one, other in zip(ours, least, strict=True)],
            reach=Reach(3, "most"),
            notes={
                "itself": f"{median(ours) * 1e3:.0f} ms",
                f"python -c '{LEAST[-1]}'": f"{median(least) * 1e3:.0f} ms",
            },
        )
