"""`whoknew serve` as a process: it starts, plays, is stopped by a signal, and can go on."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from aiohttp import ClientError, ClientSession
from child_process import started
from command_runner import COMMAND, ENVIRONMENT, answer, refused, run
from diner_world import WORLD, nights
from kitchen_runs import program
from model_servers import Doing, serving
from waiting import PATIENCE

from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import open_log, verify
from whoknew.eventlog.kinds import Called, Probed

PLAN = 'world = "flatmates"\n[agents.everyone]\nmodel = "{model}"\n'


@asynccontextmanager
async def served(
    file: Path, *options: str, command: Sequence[str] = COMMAND
) -> AsyncIterator[tuple[str, Process]]:
    serving = ("serve", "--log", file, "--port", 0, *options)
    environment = {**ENVIRONMENT, "PYTHONUNBUFFERED": "1"}
    async with started(*command, *serving, stdout=PIPE, stderr=PIPE, env=environment) as process:
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        found = re.search(r"http://\S+", line)
        assert found, line
        yield found.group(), process


async def test_a_server_logs_who_waits_for_a_model_and_why(tmp_path: Path) -> None:
    busy = Doing("slow down", 429, {"Retry-After": "0"})
    async with serving("openai", [busy]) as models:
        plan = PLAN.format(model=f"{models.url}#m")
        async with served(tmp_path / "s.db", "--new") as (url, process):
            async with (
                ClientSession(url) as client,
                client.post("/api/v1/runs", json={"plan": plan}) as response,
            ):
                assert response.status == 200, await response.text()
            assert process.stderr is not None
            started, retried = [json.loads(await process.stderr.readline()) for _ in range(2)]
    assert (started["event"], started["chains"]) == ("run.started", 1)
    assert (retried["event"], retried["model"]) == ("call.retried", f"{models.url}#m")
    assert (retried["world"], retried["episode"], retried["turn"]) == ("flatmates", 1, 1)
    assert retried["character"] == "Hester"
    assert "slow down" in retried["why"] and retried["seconds"] > 0


async def test_a_signal_suspends_its_runs_in_order_and_they_can_go_on(tmp_path: Path) -> None:
    file = tmp_path / "s.db"
    async with serving("openai", after=Doing(wait=0.05)) as models:
        plan = PLAN.format(model=f"{models.url}#m")
        async with served(file, "--new") as (url, process):
            async with ClientSession(url) as client:
                async with client.post("/api/v1/runs", json={"plan": plan}) as response:
                    assert response.status == 200, await response.text()
                socket = await client.ws_connect("/api/v1/worlds/flatmates/stream")
                await models.until_asked(5, by=process)
                process.send_signal(signal.SIGTERM)
                said = [message.json()["type"] async for message in socket]
                assert "bye" in said
            assert await process.wait() == 0
            assert process.stderr is not None
            logged = list(map(json.loads, (await process.stderr.read()).splitlines()))
            assert [line["event"] for line in logged] == ["run.started", "run.ended"]
        async with open_log(file, read_only=True) as log:
            assert (await verify(log)).faults == ()
            assert (await rerun(log, "flatmates")).agrees
            stood = (await log.lineage.find("flatmates")).head
        async with served(file) as (url, _), ClientSession(url) as client:
            async with client.post("/api/v1/runs", json={"go_on": "flatmates"}) as response:
                assert response.status == 200, await response.text()
            async with asyncio.timeout(PATIENCE):
                while True:
                    async with client.get("/api/v1/worlds/flatmates") as response:
                        if (await response.json())["head"] > stood + 3:
                            break
                    await asyncio.sleep(0.05)


async def test_what_never_ends_is_dropped_when_the_server_stops_and_written_down(
    tmp_path: Path,
) -> None:
    """A call of a run, a question, and half a body: none of them keeps the server from stopping."""
    file = tmp_path / "s.db"
    hangs = Doing(wait=600)
    async with serving("openai", [hangs]) as models, serving("openai", after=hangs) as other:
        plan = PLAN.format(model=f"{models.url}#m") + "[episodes]\nturns = 2\n"
        impatient = served(file, "--new", command=program("engine.server.app", GRACE=0.3))
        async with impatient as (url, process), ClientSession(url) as client:
            async with client.post("/api/v1/runs", json={"plan": plan}) as response:
                assert response.status == 200, await response.text()
            question = {"character": "Mina", "question": "?", "model": f"{other.url}#m"}
            path = "/api/v1/worlds/flatmates"
            async with client.get(path) as response:
                question["character"] = (await response.json())["characters"][0]
            asking = asyncio.ensure_future(client.post(f"{path}/ask", json=question))
            host, port = url.removeprefix("http://").split(":")
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(
                b"POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"
            )
            await models.until_asked(1, by=process)
            await other.until_asked(1, by=process)
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0
            assert process.stderr is not None
            logged = list(map(json.loads, (await process.stderr.read()).splitlines()))
            assert {line["event"] for line in logged} == {"run.started", "run.ended"}
            with pytest.raises(ClientError):
                await asking
            writer.close()
        async with open_log(file) as log:
            assert (await verify(log)).faults == ()
            events = await (await log.director("flatmates")).events()
            calls = [event for event in events if isinstance(event.body, Called)]
            asked = [event for event in events if isinstance(event.body, Probed)]
            assert [(one.body.error or "").partition(":")[0] for one in calls] == ["dropped"] * 2
            assert [one.body.question for one in asked] == ["?"]
            assert {one.cause for one in calls} == {None, asked[0].seq}
        async with served(file) as (url, _), ClientSession(url) as client:
            async with client.post("/api/v1/runs", json={"go_on": "flatmates"}) as response:
                assert response.status == 200, await response.text()
            async with asyncio.timeout(PATIENCE):
                while True:
                    async with client.get("/api/v1/runs") as response:
                        if (await response.json())[0]["state"] == "finished":
                            break
                    await asyncio.sleep(0.05)
        async with open_log(file, read_only=True) as log:
            assert (await rerun(log, "flatmates")).agrees


async def test_a_log_that_another_process_writes_is_only_looked_at(tmp_path: Path) -> None:
    file = nights(tmp_path)
    async with open_log(file), served(file) as (url, process), ClientSession(url) as client:
        assert process.stdout is not None
        assert b"only be looked at" in await process.stdout.readline()
        async with client.get("/api/v1/version") as response:
            assert not (await response.json())["writable"]


def test_a_log_that_is_not_there_is_not_begun_by_a_mistyped_name(tmp_path: Path) -> None:
    message = refused("serve", "--log", tmp_path / "typo.db", "--port", "0")
    assert "there is no such file" in message
    assert "whoknew serve --new" in message
    assert list(tmp_path.iterdir()) == []


async def test_commands_that_write_are_told_where_their_log_is_served(tmp_path: Path) -> None:
    file = nights(tmp_path)
    async with served(file) as (url, process):

        async def told(*words: str) -> str:
            command = (*COMMAND, *words, "--log", file)
            async with started(*command, stderr=PIPE, env=ENVIRONMENT) as process:
                _, error = await process.communicate()
            assert process.returncode == 1
            return error.decode()

        for words in (
            ("fork", WORLD, "--at", "E1"),
            ("mark", WORLD, "the end", "--at", "E1"),
            ("run", "--world", WORLD),
        ):
            message = await told(*words)
            assert f"{file} is served at {url} (process {process.pid})" in message, words
            assert "POST /api/v1/worlds/WORLD/forks" in message
        asked = await asyncio.to_thread(answer, "ask", WORLD, "Dorte", "Who?", "--log", file)
        assert url in asked["unkept"]
        assert "is going on here" in await told("stop", "--all")
    await asyncio.to_thread(run, "mark", WORLD, "the end", "--at", "E1", "--log", file)


def test_it_listens_to_others_only_with_a_token(tmp_path: Path) -> None:
    message = refused("serve", "--host", "0.0.0.0", "--log", tmp_path / "s.db")
    assert "can be reached by others: give --token" in message


def test_what_cannot_be_served_is_told(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no log")
    assert "text" in refused("serve", "--log", tmp_path / "text", "--port", "0")
    assert "--port" in run("serve", "--port", "99999", rc=2).stderr


async def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    file = nights(tmp_path)
    async with served(file) as (url, _):
        port = url.rsplit(":", 1)[1]
        message = await asyncio.to_thread(
            refused, "serve", "--new", "--log", tmp_path / "other.db", "--port", port
        )
    assert "is in use by another program: give --port with another" in message


async def test_the_requests_in_the_docs_are_answered(tmp_path: Path) -> None:
    """Each `curl` of docs/server.md, made as curl would make it."""
    text = (Path(__file__).parents[3] / "docs/server.md").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("curl ")]
    assert len(lines) >= 5
    async with served(nights(tmp_path)) as (url, _), ClientSession() as client:
        for line in lines:
            words = shlex.split(line)
            target = next(word for word in words if word.startswith("localhost:8420"))
            method = words[words.index("-X") + 1] if "-X" in words else "GET"
            data = words[words.index("-d") + 1] if "-d" in words else None
            path = target.removeprefix("localhost:8420")
            given = [after for word, after in pairwise(words) if word == "-H"]
            headers = dict(one.split(": ", 1) for one in given)
            async with client.request(method, url + path, data=data, headers=headers) as response:
                assert response.status == 200, (line, await response.text())
