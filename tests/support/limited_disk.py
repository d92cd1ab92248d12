"""A command on a disk that takes no large file."""

from __future__ import annotations

import subprocess
import sys

from command_runner import ENVIRONMENT

PROGRAM = """
import resource, signal, sys
from whoknew.cli import main

sys.dont_write_bytecode = True  # a half of it would be taken for whole by all who load it later
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
largest = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
main()
"""


def refused_by_disk(largest: int, *words: object) -> str:
    """What a command says that cannot write a file of so many bytes."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(largest), *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
    )
    assert (done.returncode, done.stderr[:9]) == (1, "whoknew: "), done
    return done.stderr
