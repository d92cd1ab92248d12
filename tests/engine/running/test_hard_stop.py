"""A part that never comes back does not keep its process from being ended."""

from __future__ import annotations

import asyncio
import signal
from asyncio.subprocess import Process
from contextlib import suppress
from pathlib import Path

import pytest
from aiohttp import ClientSession
from installed_packages import write_metadata
from kitchen_runs import command, program
from part_beside import PART, Beside
from waiting import line_with, until

SOON = program("engine.running.hard_stop", PATIENCE=0.3)
"""The command line, which waits no longer for a loop that does not come round."""

LOOPS = PART.replace(
    "        first = max",
    '        Path(__file__).with_suffix(".loops").touch()\n        while True: pass\n        first = max',
)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_second_signal_ends_a_run_whose_part_loops_for_ever(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Said at the first; and at the end which part it was, and on which line."""
    beside = Beside(tmp_path, "stuck_memory", LOOPS)
    async with command("run", beside.path, folder=tmp_path, program=SOON) as process:
        await until((tmp_path / "stuck_memory.loops").exists, by=process)
        process.send_signal(number)
        await line_with(
            process.stderr, "and ends the process if something in it does not come back"
        )
        process.send_signal(number)
        _, error = await process.communicate()
    assert process.returncode == 130
    name = "Ctrl-C" if number == signal.SIGINT else "SIGTERM"
    assert f"ended hard by {name}: stuck_memory, line " in error.decode()
    (tmp_path / "stuck_memory.py").write_text(PART)
    async with command("run", beside.path, folder=tmp_path) as process:
        out, error = await process.communicate()
    assert process.returncode == 0 and "1 chain finished" in out.decode(), error


IGNORES = PART.replace(
    "        first = max",
    """        import asyncio
        while True:
            try:
                await asyncio.sleep(0.01)
                Path(__file__).with_suffix(".loops").touch()
            except asyncio.CancelledError:
                Path(__file__).with_suffix(".ignored").touch()
        first = max""",
)


async def test_a_third_one_ends_a_run_whose_part_does_not_let_itself_be_cancelled(
    tmp_path: Path,
) -> None:
    beside = Beside(tmp_path, "deaf_memory", IGNORES)
    async with command("run", beside.path, folder=tmp_path) as process:
        await until((tmp_path / "deaf_memory.loops").exists, by=process)
        process.send_signal(signal.SIGINT)
        await line_with(process.stderr, "the turns in flight finish")
        process.send_signal(signal.SIGINT)
        await until((tmp_path / "deaf_memory.ignored").exists, by=process)
        process.send_signal(signal.SIGINT)
        _, error = await process.communicate()
    assert process.returncode == 130 and "ended hard by Ctrl-C" in error.decode()


async def ended_by(number: signal.Signals, process: Process) -> bytes:
    """What it says at its end, to a signal that is given until it comes: of two that come at once a
    thread that is busy may see one."""
    ending = asyncio.create_task(process.communicate())
    while not ending.done():
        with suppress(ProcessLookupError):
            process.send_signal(number)
        await asyncio.wait([ending], timeout=0.2)
    _, error = ending.result()
    return error


async def test_a_second_signal_ends_a_server_whose_part_loops_for_ever(tmp_path: Path) -> None:
    (tmp_path / "stuck_installed.py").write_text(LOOPS)
    write_metadata(
        tmp_path, "stuck_installed", "[whoknew.memories]\nstuck = stuck_installed:LastEntry\n"
    )
    asked = {"plan": 'world = "flatmates"\n[agents.everyone]\nmemory = "stuck"\n'}
    words = ("serve", "--new", "--log", "l.db", "--port", "0")
    async with (
        command(*words, folder=tmp_path, program=SOON, PYTHONPATH=str(tmp_path)) as process,
        ClientSession() as client,
    ):
        line = await line_with(process.stdout, "http://")
        url = next(word for word in line.split() if word.startswith("http://")).rstrip("/")
        begun = asyncio.create_task(client.post(f"{url}/api/v1/runs", json=asked))
        await until((tmp_path / "stuck_installed.loops").exists, by=process)
        process.send_signal(signal.SIGTERM)
        error = await ended_by(signal.SIGTERM, process)
        begun.cancel()
        await asyncio.gather(begun, return_exceptions=True)
    assert process.returncode == 130
    assert "ended hard by SIGTERM: stuck_installed, line " in error.decode()
