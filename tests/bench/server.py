"""Servers in processes of their own. Each ends with its block, and none is waited for for ever."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select

from peer import Stumbled

COMMAND = (sys.executable, "-m", "whoknew.cli")

PATIENCE = 60
"""Seconds until a server has to have said what it is asked for."""

FAREWELL = 10
"""Seconds that a server is given to end."""


class Server:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def line(self, patience: float = PATIENCE) -> str:
        """What it prints next."""
        # Its pipe has no buffer here: one that held a line would let select wait in vain.
        out = self._process.stdout
        assert out is not None
        if not select([out], [], [], patience)[0]:
            raise Stumbled(f"{self._process.args}: not a word within {patience:g} s")
        if not (said := out.readline()):
            raise Stumbled(f"{self._process.args}: ended without a word")
        return said.decode().strip()


@contextmanager
def started(*command: object) -> Iterator[Server]:
    """A server, ended with the block whether or not something goes wrong in it."""
    words = [str(one) for one in command]
    with subprocess.Popen(words, stdout=subprocess.PIPE, bufsize=0) as process:
        try:
            yield Server(process)
        finally:
            process.terminate()
            try:
                process.wait(FAREWELL)
            except subprocess.TimeoutExpired:
                process.kill()


@contextmanager
def serving(log: Path) -> Iterator[str]:
    """`whoknew serve` of a log, and its address."""
    with started(*COMMAND, "serve", "--log", log, "--port", "0") as server:
        yield server.line().split()[-1]
