"""A run that somebody stops: whenever they ask, whoever asks, and in order or at once."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command_runner import run
from kitchen_runs import HOLDING, calls, command, plan, said, slowly
from model_servers import Doing, serving
from waiting import line_with, until

from whoknew.engine.plan.plan import Plan
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.ledger import DROPPED
from whoknew.engine.running import models as wiring
from whoknew.engine.running.run import run_program
from whoknew.engine.running.stop import STOP
from whoknew.eventlog import open_log
from whoknew.testing.small_chain import SETTING


@pytest.mark.parametrize(
    ("number", "who"), [(signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")]
)
async def test_the_report_says_which_signal_stopped_a_run(
    tmp_path: Path, number: signal.Signals, who: str
) -> None:
    async with (
        serving("openai", after=slowly) as server,
        command("run", plan(tmp_path, f"{server.url}#m"), folder=tmp_path) as process,
    ):
        await server.until_asked(2, by=process)
        process.send_signal(number)
        out, error = await process.communicate()
    assert process.returncode == 3, error
    assert f"It stopped: stopped by {who}\n" in out.decode()


async def test_another_command_sees_a_run_and_stops_it_and_the_report_says_so(
    tmp_path: Path,
) -> None:
    async with serving("openai") as server:
        server.going.clear()
        path = plan(tmp_path, f"{server.url}#m")
        async with command("run", path, folder=tmp_path) as process:
            await server.until_asked(1, by=process)
            assert "running" in await said("ls", "--log", "k.db", folder=tmp_path)
            async with command("stop", "kitchen", folder=tmp_path) as stopping:
                await line_with(stopping.stderr, "waits for")
                server.going.set()
                told, _ = await stopping.communicate()
            out, error = await process.communicate()
    stopped = " ".join(told.decode().split())
    assert f"(process {process.pid}); to go on, as it was begun: whoknew run {path}" in stopped
    assert process.returncode == 3, error
    assert "It stopped: stopped by `whoknew stop`\n" in out.decode()
    assert "suspended" in await said("ls", "--log", "k.db", folder=tmp_path)
    assert "no run is going on" in await said("stop", "--all", folder=tmp_path, rc=1)


async def test_stop_says_what_it_waits_for_and_drops_it_when_told_to(tmp_path: Path) -> None:
    async with (
        serving("openai", after=Doing(wait=600)) as server,
        command("run", plan(tmp_path, f"{server.url}#m"), folder=tmp_path) as process,
    ):
        await server.until_asked(1, by=process)
        async with command("stop", "kitchen", folder=tmp_path) as patient:
            waits = await line_with(patient.stderr, "waits for")
            assert f"{server.url}#m to answer Oda in kitchen" in waits
            assert "whoknew stop kitchen --now" in waits
            await said("stop", "kitchen", "--now", folder=tmp_path)
            _, error = await process.communicate()
            assert await patient.wait() == 0
    assert process.returncode == 130
    assert "stopped at once by `whoknew stop --now`: 1 call in flight dropped" in error.decode()
    assert [one.error for one in await calls(tmp_path)] == [DROPPED]
    assert not list((tmp_path / "whoknew" / "running").iterdir())


async def test_a_stop_while_models_are_opening_is_heeded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening, go_on = asyncio.Event(), asyncio.Event()
    right = wiring.model_at

    async def held_up(*given: Any, **named: Any) -> Any:
        opening.set()
        await go_on.wait()
        return await right(*given, **named)

    @contextmanager
    def unseen(run: object) -> Any:
        yield

    monkeypatch.setattr(wiring, "model_at", held_up)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    program = Program.of(Plan("ferry", chains=3), SETTING, str(tmp_path / "a.db"))
    running = asyncio.create_task(run_program(program, "plan.toml", unseen))
    await until(lambda: opening.is_set() or running.done())
    os.kill(os.getpid(), STOP)
    go_on.set()
    report = await running
    assert report.reason == "stopped by `whoknew stop`"
    assert [one.state for one in report.chains] == ["suspended"] * 3
    async with open_log(tmp_path / "a.db") as log:
        assert not await log.worlds(), "none was begun any more"


@pytest.fixture
async def playing(tmp_path: Path, address: str) -> AsyncIterator[tuple[Any, Path]]:
    async with serving("openai", after=Doing(wait=600)) as server:
        path = plan(tmp_path, f"{server.url}#m", "chains = 3")
        path.write_text(path.read_text().replace(str(tmp_path / "k.db"), address))
        async with command("run", path, folder=tmp_path, program=HOLDING) as process:
            await server.until_asked(3, by=process)
            yield process, path


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "k.db")
    return str(request.getfixturevalue("database"))


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
async def test_a_second_run_of_the_same_chains_is_told_who_plays_them(
    tmp_path: Path, playing: tuple[Any, Path]
) -> None:
    process, path = playing
    told = await said("run", path, folder=tmp_path, rc=1)
    assert f"2 more are being played already: by process {process.pid} on " in told
    assert f"as {path}" in told
    assert "whoknew stop kitchen" in told


@pytest.mark.parametrize("address", ["postgres"], indirect=True)
async def test_on_a_database_a_second_run_waits_for_what_the_first_plays(
    tmp_path: Path, playing: tuple[Any, Path]
) -> None:
    async with command("run", playing[1], folder=tmp_path) as second:
        there = tmp_path / "whoknew" / "running"
        await until(lambda: any(there.glob(f"{second.pid}-*.json")), by=second)
        second.send_signal(signal.SIGINT)
        out, error = await second.communicate()
    assert second.returncode == 3, error
    assert out.count(b" 0 calls, ") == 4, "of each chain, and of all"
    assert b"3 calls more may have been paid for" in out, "what the first has under way"


def test_where_nothing_runs_stop_says_so(tmp_path: Path) -> None:
    nothing = run("stop", "--all", rc=1, environment={"XDG_RUNTIME_DIR": str(tmp_path)}).stderr
    assert "no run is going on here" in nothing
