"""`whoknew run` as a process of its own: stopped, limited, cut off, and gone on with."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import signal
import socket
import sys
from asyncio.subprocess import PIPE, STDOUT
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from child_process import started
from command_runner import COMMAND, answer, run
from kitchen_runs import calls, command, plan, said, slowly
from model_servers import Doing, by_digest, digest_of_asked, serving
from postgres_server import Cluster, NoPostgres
from waiting import PATIENCE, line_with

from whoknew.engine.playing.ledger import DROPPED
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called
from whoknew.worlds import shelf


async def test_ctrl_c_finishes_the_turn_and_the_same_command_goes_on(tmp_path: Path) -> None:
    async with serving("openai", after=slowly) as server:
        path = plan(tmp_path, f"{server.url}#m")
        async with command("run", path, folder=tmp_path) as process:
            await server.until_asked(3, by=process)
            process.send_signal(signal.SIGINT)
            out, error = await process.communicate()
        assert process.returncode == 3, out + error
        assert b"stopped by Ctrl-C" in out
        assert f"To go on: whoknew run {path}".encode() in out
        assert "1 to go on with" in await said("run", path, folder=tmp_path)
        assert "1 done already" in await said("run", path, folder=tmp_path)
        made = Counter(map(digest_of_asked, server.asked))
    assert made.total() == len(made)


async def test_a_restart_of_postgresql_is_one_line_and_the_run_goes_on(tmp_path: Path) -> None:
    pytest.importorskip("asyncpg")
    try:
        cluster = Cluster()
    except NoPostgres as missing:
        pytest.skip(str(missing))
    with cluster, cluster.database() as url:
        async with serving("openai", after=slowly) as server:
            path = plan(tmp_path, f"{server.url}#m", "chains = 20")
            async with command("run", path, "--log", url, folder=tmp_path) as process:
                await server.until_asked(30, by=process)
                server.going.clear()
                await asyncio.to_thread(cluster.go_down)
                server.going.set()
                lost = await line_with(process.stderr, "postgres.lost")
                await asyncio.to_thread(cluster.come_up)
                out, error = await process.communicate()
    told = error.decode()
    assert process.returncode == 0, told
    assert b"20 chains finished" in out
    how_far = ("20 chains: ", "chains ")  # where a machine is slow, that is said now and then
    assert all(line.startswith(how_far) for line in told.splitlines()), told
    assert "tried_for='60 minutes, or until it is to stop'" in lost


@pytest.mark.parametrize(
    ("scope", "calls", "told"),
    [
        ("episode", 2, "limits.episode was reached: 10 episodes ended at it"),
        ("character", 3, "limits.character was reached: [0-9]+ turns passed over"),
    ],
)
def test_a_limit_at_which_a_story_goes_on_is_named_in_its_report(
    tmp_path: Path, scope: str, calls: int, told: str
) -> None:
    plan = tmp_path / "plan.toml"
    limit = f"[limits.{scope}]\ncalls = {calls}\n"
    plan.write_text(f'world = "flatmates"\nlog = "{tmp_path}/log.db"\n{limit}')
    shown = run("run", plan).stdout
    assert re.search(told, shown)
    assert shown.count("was reached") == 1
    again = answer("run", plan)
    assert again["chains"][0]["at_limits"].keys() == {scope}


def test_a_person_is_in_one_chain(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(
        f'world = "flatmates"\nlog = "{tmp_path}/log.db"\n[agents.Hester]\nagent = "human"\n'
    )
    told = run("run", path, "--chains", "2", rc=1).stderr
    assert "a person cannot play in 2 chains at once: leave out --chains" in told
    assert not (tmp_path / "log.db").exists()


async def test_what_a_person_is_shown_stands_in_no_json(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    seat = '[agents.Hester]\nagent = "human"\n'
    path.write_text(f'world = "flatmates"\nlog = "{tmp_path}/log.db"\n{seat}')
    async with command("run", path, "--json", folder=tmp_path) as process:
        out, error = await process.communicate()
    assert json.loads(out)["chains"][0]["state"] == "suspended"
    assert b"You are Hester. A tall woman" in error


async def test_a_second_ctrl_c_stops_at_once_and_loses_nothing(tmp_path: Path) -> None:
    async with (
        serving("openai", after=Doing(wait=600)) as server,
        command("run", plan(tmp_path, f"{server.url}#m"), folder=tmp_path) as process,
    ):
        await server.until_asked(1, by=process)
        process.send_signal(signal.SIGINT)
        await line_with(process.stderr, "the turns in flight finish")
        process.send_signal(signal.SIGINT)
        _, error = await process.communicate()
    assert process.returncode == 130
    assert b"nothing that was answered is lost" in error
    assert [one.error for one in await calls(tmp_path)] == [DROPPED]
    async with serving("openai", after=by_digest) as server:
        await said("run", plan(tmp_path, f"{server.url}#m"), folder=tmp_path)


@pytest.mark.parametrize(
    ("limit", "why"),
    [
        (
            "[limits.run]\ncalls = 5",
            "limit of the run is reached: 5 of 5 calls made; raise limits.run to go on",
        ),
        ("[limits.run]\ntokens = 60", "tokens used"),
        (
            "[limits.chain]\ncalls = 5",
            "limit of a chain is reached: 5 of 5 calls made; raise limits.chain to go on",
        ),
        ("[limits.run]\nmoney = 0.0001", "$0.00 of $0.0001 spent"),
    ],
)
async def test_a_run_at_its_limit_suspends_itself_and_goes_on_with_a_higher_one(
    tmp_path: Path, limit: str, why: str
) -> None:
    async with serving("openai", after=by_digest) as server:
        model = f"{server.url}#m"
        prices = f'[models."{model}"]\nattempts = 2\nprice_in = 1.0\nprice_out = 2.0\n'
        path = plan(tmp_path, model)
        text = path.read_text().partition("[models.")[0]
        path.write_text(f"{text}{prices}{limit}\n")
        told = await said("run", path, folder=tmp_path, rc=3)
        assert why in told
        assert server.calls <= 6
        path.write_text(f"{text}{prices}")
        await said("run", path, folder=tmp_path)
        made = Counter(map(digest_of_asked, server.asked))
    assert made.total() == len(made)


async def test_a_limit_in_money_without_a_price_is_refused_before_anything_runs(
    tmp_path: Path,
) -> None:
    async with serving("openai") as server:
        path = plan(tmp_path, f"{server.url}#m")
        path.write_text(path.read_text() + "[limits.run]\nmoney = 1.0\n")
        told = await said("run", path, folder=tmp_path, rc=1)
        assert "the price of" in told
        assert server.calls == 0


async def test_a_server_that_is_gone_suspends_the_run_and_says_why(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        path = plan(tmp_path, f"http://127.0.0.1:{port}/v1#m")
        told = await said("run", path, folder=tmp_path, rc=3)
    assert "was not reached" in told
    assert "check the address, and that its server runs" in told
    async with open_log(tmp_path / "k.db") as log:
        events = await (await log.director("kitchen")).events()
    assert [one.body.error is None for one in events if isinstance(one.body, Called)] == [False]
    assert "suspended" in await said("ls", "--log", "k.db", folder=tmp_path)


async def test_a_key_that_is_refused_suspends_the_run_and_is_not_shown(tmp_path: Path) -> None:
    async with serving("openai", after=Doing("bad key", 401)) as server:
        path = plan(tmp_path, f"{server.url}#m")
        told = await said("run", path, folder=tmp_path, rc=3, WHOKNEW_HTTP_KEY="sk-hidden")
        assert server.calls == 1
    assert "answered 401" in told
    assert "sk-hidden" not in told
    assert b"sk-hidden" not in (tmp_path / "k.db").read_bytes()


async def test_answers_that_make_no_sense_are_failed_turns(tmp_path: Path) -> None:
    async with serving("openai", after=Doing("I will not.")) as server:
        path = plan(tmp_path, f"{server.url}#m", "may_fail = 1.0")
        told = await said("run", path, folder=tmp_path)
    assert "failed: 12 turns" in told
    shown = await said("show", "kitchen", "--log", "k.db", folder=tmp_path)
    assert shown.count("turn failed: there is no JSON object") == 12


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")
async def test_a_full_disk_suspends_the_run_and_nothing_is_lost(tmp_path: Path) -> None:
    program = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000));"
        "from whoknew.cli import main; sys.argv = ['whoknew', *sys.argv[1:]]; main()"
    )
    words = (sys.executable, "-c", program, "run", "midnight-diner", "--chains", 4)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    pipes: dict[str, Any] = {"stdout": PIPE, "stderr": STDOUT}
    async with started(*words, cwd=tmp_path, env=environment, **pipes) as process:
        out, _ = await process.communicate()
    assert process.returncode == 3, out.decode()
    assert b"It stopped:" in out
    told = await said("run", "midnight-diner", "--chains", "4", folder=tmp_path)
    assert "4 chains finished" in told
    assert "as they were written" in await said(
        "log", "verify", "midnight-diner.db", folder=tmp_path
    )


async def test_the_forecast_learns_from_the_log(tmp_path: Path) -> None:
    async with serving("openai", after=by_digest) as server:
        path = plan(tmp_path, f"{server.url}#m")
        told = await said("run", path, "--dry-run", folder=tmp_path)
        assert "1 to begin" in told
        assert "of an offline rehearsal, whose replies are short" in told
        assert server.calls == 0
        assert not (tmp_path / "k.db").exists()
        await said("run", path, folder=tmp_path)
        found = json.loads(
            await said("run", path, "--chains", "3", "--dry-run", "--json", folder=tmp_path)
        )
    assert (found["worlds"], found["new"], found["turns_left"]) == (3, 2, 24)
    (model,) = found["models"]
    assert model["tokens"] > 0
    assert model["money"] is None


async def test_on_a_terminal_the_figures_stand_on_one_line(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "XDG_RUNTIME_DIR": str(tmp_path)}
    pipes: dict[str, Any] = {"stdout": PIPE, "stderr": follower}
    async with started(
        *COMMAND, "run", "harbour", cwd=tmp_path, env=environment, **pipes
    ) as process:
        os.close(follower)
        await process.communicate()
    shown = os.read(leader, 100_000).decode()
    assert re.search(r"chains 0/1  episodes \d/6  turns", shown)


async def test_a_plan_for_each_bundled_world_runs_as_it_is_written(tmp_path: Path) -> None:
    for world in shelf.bundled():
        await said("new", f"{world}.toml", "--world", world, folder=tmp_path)
        assert "1 chain finished" in await said("run", f"{world}.toml", folder=tmp_path)


async def test_ctrl_c_waits_for_no_person_to_write_a_line(tmp_path: Path) -> None:
    path = plan(tmp_path, "offline:")
    text = path.read_text().partition("[models.")[0]
    path.write_text(f'{text}[agents.Oda]\nagent = "human"\n')
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    pipes: dict[str, Any] = {"stdin": PIPE, "stdout": PIPE, "stderr": STDOUT}
    async with started(*COMMAND, "run", path, cwd=tmp_path, env=environment, **pipes) as process:
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            await process.stdout.readuntil(b"Oda> ")
            process.send_signal(signal.SIGINT)
            out = await process.stdout.read()
            assert await process.wait() == 3
    assert b"It stopped: stopped by Ctrl-C" in out


async def test_a_person_is_told_that_somebody_plays_elsewhere(
    tmp_path: Path, database: str
) -> None:
    path = plan(tmp_path, "offline:")
    text = path.read_text().partition("[models.")[0]
    path.write_text(f'{text}[agents.Oda]\nagent = "human"\n')
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    given: dict[str, Any] = {"stdin": PIPE, "stdout": PIPE, "stderr": STDOUT, "env": environment}
    playing = (*COMMAND, "run", path, "--log", database)
    async with started(*playing, **given) as first, asyncio.timeout(PATIENCE):
        assert first.stdout is not None
        await first.stdout.readuntil(b"Oda> ")
        async with started(*playing, **given) as second:
            await line_with(second.stdout, "waits for 1 chain that others play")


async def test_a_person_plays_at_the_terminal(tmp_path: Path) -> None:
    path = plan(tmp_path, "offline:")
    text = path.read_text().partition("[models.")[0]
    path.write_text(f'{text}[agents.Oda]\nagent = "human"\n')
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    pipes: dict[str, Any] = {"stdin": PIPE, "stdout": PIPE, "stderr": STDOUT}
    lines = ["/help", "Is there soup?", "/wisper Bram: psst", "/whisper bram: psst", "/leave"]
    async with started(*COMMAND, "run", path, cwd=tmp_path, env=environment, **pipes) as process:
        out, _ = await process.communicate("\n".join(lines).encode() + b"\n")
    told = out.decode()
    assert process.returncode == 3, told
    assert "You are Oda" in told
    assert "'wisper' is no command: did you mean 'whisper'?" in told
    assert "nobody is at the terminal any more" in " ".join(told.split())
    shown = await said("show", "kitchen", "--log", "k.db", folder=tmp_path)
    assert "Oda: Is there soup?" in shown
    assert "Oda whispers to Bram: psst" in shown


def test_every_mistake_of_a_plan_has_a_line_of_its_own(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('world = "harbour"\nchians = 2\n[limits.run]\nmony = 1\n', "utf-8")
    told = run("run", plan, rc=1).stderr
    assert "2 mistakes" in told
    assert told.count("\n") == 3


def test_what_is_logged_goes_into_a_file_as_json_where_that_is_asked_for(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    (tmp_path / "whoknew").write_text("in the way of what says that this runs")
    done = run(
        "run",
        "flatmates",
        "--log",
        tmp_path / "f.db",
        "--trace",
        trace,
        environment={"XDG_RUNTIME_DIR": str(tmp_path)},
    )
    logged = [json.loads(line) for line in trace.read_text().splitlines()]
    assert [line["event"] for line in logged] == ["presence.hidden", "run.started", "run.ended"]
    assert logged[0]["level"] == "warning"
    assert "presence" not in done.stderr
