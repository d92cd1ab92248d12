"""A run by workers of a Ray cluster, whose workers are killed, whose driver is, and whichever of Ray's own
processes: who is given the same command again ends it, and nothing is lost or done twice.

Where the driver ends, by a fault or by what Ray makes of one, the same command is started again. Processes
of Ray are told by the folder that they were given; all of them are ended with their run.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from math import inf
from pathlib import Path
from random import Random

from adversity.attack import Attack, Ground, Strike
from adversity.faulted_run import heard
from model_servers import by_digest, serving
from shared_runs import Sharers, played_alone
from waiting import until

CHAINS, AT_ONCE, FAULTS = 200, 10, 6

KINDS = ("worker", "driver", "ray")

WORKER = b"ray::"
"""What a worker of ours calls itself."""


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    if find_spec("ray") is None:
        yield lambda chance: None  # there is nothing to strike: pip install 'whoknew[cluster]'
        return
    with asyncio.Runner() as loop:
        serves = serving("openai", after=by_digest)
        server = loop.run(serves.__aenter__())

        @cache
        def whole() -> tuple[list[str], int]:
            with ground.fresh() as folder:
                return loop.run(
                    played_alone(Sharers(str(folder / "alone.db"), server, CHAINS, at_once=AT_ONCE))
                )

        def strike(chance: Random) -> None:
            cluster = ground.postgres()
            told, needed = whole()
            server.asked.clear()
            with cluster.database() as url, ExitStack() as stack:
                run = RayRun(Sharers(url, server, CHAINS, at_once=AT_ONCE))
                stack.callback(run.end)
                loop.run(run.play(chance, needed))
                loop.run(run.sharers.check(told, needed))
            print(run.struck.total(), dict(run.struck), server.calls - needed, flush=True)

        yield strike
        loop.run(serves.__aexit__(None, None, None))


ATTACK = Attack(setup=setup, short=0, least=1)


class RayRun:
    def __init__(self, sharers: Sharers) -> None:
        self.sharers = sharers
        self.struck = Counter[str]()
        self._folder = tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp")
        self._printed = bytearray()

    async def play(self, chance: Random, needed: int) -> None:
        """All of it, which takes so many calls, under faults: all who play wait for an answer then."""
        server = self.sharers.server
        async with AsyncExitStack() as stack:
            driver = await self._driver(stack)
            for number in range(1, FAULTS + 1):
                server.held_from = needed * number // (FAULTS + 1)
                server.going.set()
                while server.going.is_set():
                    await until(lambda one=driver: not server.going.is_set() or _has_ended(one))
                    if _has_ended(driver) and server.going.is_set():
                        driver = await self._driver(stack)
                self._strike(chance.choice(KINDS), driver, chance)
            server.held_from = inf
            server.going.set()
            while await driver.wait() != 0:
                driver = await self._driver(stack)

    def end(self) -> None:
        """Whatever of Ray is left ends with its run."""
        for pid in self._processes():
            _kill(pid)
        self._folder.cleanup()

    async def _driver(self, stack: AsyncExitStack) -> Process:
        """The command, given again where it ended before."""
        environment = {
            **os.environ,
            "OPENAI_API_KEY": "none",
            "RAY_TMPDIR": self._folder.name,
            "RAY_AUTH_TOKEN": "0123456789abcdef" * 2,
        }
        driver = await stack.enter_async_context(self.sharers.one("cluster", env=environment))
        heard(stack, driver, self._printed)
        return driver

    def _strike(self, kind: str, driver: Process, chance: Random) -> None:
        if kind == "driver":
            with suppress(ProcessLookupError):
                driver.kill()
        else:
            found = self._processes(but=driver.pid)
            which = [pid for pid, name in found.items() if (WORKER in name) is (kind == "worker")]
            if not which:
                return  # it is on its way down
            _kill(chance.choice(sorted(which)))
        self.struck[kind] += 1

    def _processes(self, but: int = 0) -> dict[int, bytes]:
        """All of Ray's that this run has started, with what each calls itself."""
        found = {}
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                name = (place / "cmdline").read_bytes()
                if self._folder.name.encode() in name or self._writes(place):
                    found[int(place.name)] = name
        found.pop(but, None)
        return found

    def _writes(self, place: Path) -> bool:
        """Whether a process has a file in the folder open: a worker calls itself by no folder."""
        return any(os.readlink(file).startswith(self._folder.name) for file in place.glob("fd/*"))


def _has_ended(process: Process) -> bool:
    return process.returncode is not None


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
