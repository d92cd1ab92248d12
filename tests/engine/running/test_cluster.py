"""A run on a cluster: what it refuses; and, where Ray is installed, its workers, one of which dies."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AsyncExitStack
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_runner import run
from model_servers import by_digest, serving
from shared_runs import Sharers, over
from small_worlds import begun
from waiting import PATIENCE

from whoknew.engine.plan.plan import NO_LIMIT
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.spent import Spent
from whoknew.engine.running.cluster import Crew
from whoknew.engine.running.cluster_worker import VARIABLE, ChainTask, ChainWorker
from whoknew.eventlog import open_log

RAY = pytest.mark.skipif(
    find_spec("ray") is None, reason="ray is not installed: pip install 'whoknew[cluster]'"
)


def test_a_file_is_not_played_on_a_cluster(tmp_path: Path) -> None:
    shown = run("run", "midnight-diner", "--log", tmp_path / "a.db", "--cluster", "local", rc=1)
    assert "is a file, which one process writes" in " ".join(shown.stderr.split())


def test_a_cluster_that_asks_for_no_token_is_refused(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    shown = run("run", "midnight-diner", "--log", database, "--cluster", "local", rc=1)
    assert "set it to token, on each machine" in " ".join(shown.stderr.split())


async def test_a_worker_says_what_it_lacks(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert f"set {VARIABLE} on each machine" in await ChainWorker().work(ChainTask("w", "0" * 64))
    monkeypatch.setenv(VARIABLE, database)
    async with open_log(database) as log:
        await begun(log)
    assert "does not hold the plan 000000000000" in await ChainWorker().work(
        ChainTask("w", "0" * 64)
    )


class Gone:
    """As Ray shows itself when its last machine is gone: the worker on it has died, and the one that is
    to take its place begins never."""

    def __init__(self) -> None:
        self.exceptions = SimpleNamespace(RayError=ConnectionError)
        self._ends = [Future[str](), Future[str]()]
        self._ends[-1].set_exception(ConnectionError("its machine is gone"))

    def nodes(self) -> list[dict[str, bool]]:
        return [{"Alive": False}]

    def remote(self, **_: int) -> Callable[[type], Any]:
        def work(task: ChainTask) -> Any:
            return SimpleNamespace(future=self._ends.pop)

        worker = SimpleNamespace(work=SimpleNamespace(remote=work))
        return lambda kind: SimpleNamespace(remote=lambda: worker)


class Watched:
    all_over, done = False, 0

    def __init__(self) -> None:
        self.control = Control(NO_LIMIT, Spent())

    async def look(self) -> None: ...


async def test_who_waits_for_a_cluster_whose_last_machine_is_gone_is_told() -> None:
    work = Watched()
    async with asyncio.timeout(PATIENCE):
        await Crew(Gone(), ChainWorker, ChainTask("w", "0" * 64), 1).work(work)
    assert (work.control.reason or "").startswith("no machine of the cluster is left")


@RAY
async def test_workers_of_a_cluster_share_a_plan_and_one_that_dies_is_replaced(
    tmp_path: Path, database: str
) -> None:
    planted = "sk-planted-7c01f2"
    async with serving("openai", after=by_digest) as server, AsyncExitStack() as stack:
        alone = Sharers(str(tmp_path / "alone.db"), server, 6)
        await over(await stack.enter_async_context(alone.one()))
        needed = server.calls
        server.asked.clear()
        server.going.clear()
        sharers = Sharers(database, server, 6)
        session = stack.enter_context(tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp"))
        environment = {
            **os.environ,
            "OPENAI_API_KEY": planted,
            "RAY_TMPDIR": session,
            "RAY_AUTH_TOKEN": "0123456789abcdef" * 2,
        }
        driver = await stack.enter_async_context(sharers.one("cluster", env=environment))
        await server.until_asked(4)  # by two workers, with two chains each
        workers = await sharers.holders()
        assert len(workers) == 2
        assert driver.pid not in workers
        os.kill(min(workers), signal.SIGKILL)
        server.going.set()
        await over(driver)
        assert server.calls - needed <= 2
        assert await sharers.stories() == await alone.stories()
        found = subprocess.run(["grep", "-rl", planted, session], check=False, capture_output=True)
        assert found.stdout == b""
        assert any(Path(session).rglob("*.log"))
