"""Another process that says it plays a world."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import PIPE, Popen


@contextmanager
def announced_elsewhere(log: str, world: str) -> Iterator[None]:
    """As a command in another process plays a world."""
    program = (
        "import sys; from whoknew.engine.running.stop import announced\n"
        "with announced(sys.argv[1], 'p', (sys.argv[2],)): print(flush=True); sys.stdin.read()"
    )
    with Popen([sys.executable, "-c", program, log, world], stdin=PIPE, stdout=PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield
        process.communicate()
