"""Runs that a server plays."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from subprocess import PIPE
from threading import current_thread, main_thread
from typing import Any

import pytest
import pytest_asyncio
from announced_runs import announced_elsewhere
from child_process import started
from command_runner import COMMAND, ENVIRONMENT
from model_servers import Doing, serving
from served_runs import PLAN, post, sit, turn, until
from waiting import PATIENCE
from waiting import until as until_true
from whoknew_server import Served, served

from whoknew.engine.logs.ls import roster
from whoknew.engine.plan.document import parse_plan
from whoknew.engine.plan.plan import Episodes, Loaded, Plan
from whoknew.engine.running import free_chains
from whoknew.engine.running.run import play
from whoknew.engine.running.stop import running
from whoknew.engine.server import run_requests
from whoknew.engine.server.run_requests import Begin
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Log, open_log
from whoknew.eventlog.kinds import Called, Planned
from whoknew.worlds import shelf


@pytest_asyncio.fixture(loop_scope="session")
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(tmp_path / "r.db") as log:
        yield log


async def test_a_bundled_world_is_played_to_its_end(server: Served, log: Log) -> None:
    begun = await post(server, "/api/v1/runs", {"world": "flatmates", "name": "ours"})
    assert begun["worlds"] == ["ours"]
    run = await until(server, "finished", "failed")
    assert run["state"] == "finished"
    assert run["episodes_done"] == run["episodes"] == 10
    assert (await rerun(log, "ours")).agrees


async def test_a_run_is_paused_and_gone_on_with(server: Served, log: Log) -> None:
    async with serving("openai", after=Doing(wait=0.03)) as models:
        plan = PLAN + f'[agents.everyone]\nmodel = "{models.url}#m"\n'
        await post(server, "/api/v1/runs", {"plan": plan})
        await models.until_asked(2)
        paused = await post(server, "/api/v1/runs/1/pause")
        assert (paused["state"], paused["reason"]) == ("paused", "paused on the page")
        asked = models.calls
        await post(server, "/api/v1/runs/1/resume")
        await models.until_asked(asked + 1)
        assert (await post(server, "/api/v1/runs/1/stop"))["state"] == "stopped"
        assert (await until(server, "stopped"))["turns"] > 0


async def test_worlds_that_a_run_did_not_come_to_are_gone_on_with_by_another_server(
    log: Log,
) -> None:
    async with serving("openai", after=Doing(wait=0.05)) as models:
        plan = PLAN.replace("[episodes]", "chains = 3\nat_once = 1\n[episodes]")
        plan += f'[agents.everyone]\nmodel = "{models.url}#m"\n'
        async with served(log) as first:
            await post(first, "/api/v1/runs", {"plan": plan})
            await post(first, "/api/v1/runs/1/stop")
    for world in ("flat-2", "flat-3"):
        kinds = [type(one.body) async for one in log.read(world)]
        assert kinds.count(Planned) == 1
    async with served(log) as again:
        run = await post(again, "/api/v1/runs", {"go_on": "flat-3"})
        assert run["worlds"] == ["flat-3"]
        await post(again, "/api/v1/runs/1/stop")


async def test_a_pause_lets_calls_in_flight_finish_while_a_person_is_waited_for(
    server: Served, log: Log
) -> None:
    who = shelf.find("flatmates").characters[0].name
    asked = asyncio.Event()

    def answer(_: Any) -> Doing:
        asked.set()
        return Doing()

    async with serving("openai", after=answer) as models:
        models.going.clear()
        plan = PLAN.replace("turns = 4", 'turns = 4\norder = "simultaneous"')
        plan += f'[agents.everyone]\nmodel = "{models.url}#m"\n'
        await post(server, "/api/v1/runs", {"plan": plan, "seats": [who]})
        await asked.wait()
        pausing = asyncio.create_task(post(server, "/api/v1/runs/1/pause"))
        await until(server, "pausing")
        models.going.set()
        paused = await pausing
        assert (paused["state"], paused["reason"]) == ("paused", "paused on the page")
        calls = [one.body async for one in log.read("flat") if isinstance(one.body, Called)]
        assert [one.error for one in calls] == [None] * models.calls
        assert paused["failures"] == 0
        made = models.calls
        await post(server, "/api/v1/runs/1/resume")
        socket = await sit(server, "flat", who)
        assert (await turn(socket))["type"] == "turn", "it is asked again"
        await post(server, "/api/v1/runs/1/stop")
        await socket.close()
        assert models.calls == made, "nobody else is"


async def test_what_a_server_plays_other_commands_see_and_leave_alone(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(free_chains, "HEARTBEAT", PATIENCE)  # no lease runs out on a slow machine
    environment = {**ENVIRONMENT, "XDG_RUNTIME_DIR": str(tmp_path)}

    async def refused(*arguments: str) -> str:
        async with started(*COMMAND, *arguments, env=environment, stderr=PIPE) as process:
            _, error = await process.communicate()
        assert process.returncode == 1
        return " ".join(error.decode().split())

    async def waits_and_is_stopped(*arguments: str) -> None:
        """It plays nothing, as long as the server does."""
        async with started(*COMMAND, *arguments, env=environment, stderr=PIPE) as process:
            await until_true(lambda: process.pid in [one.pid for one in running()], by=process)
            process.send_signal(signal.SIGINT)
            await process.communicate()

    async def state() -> str:
        return (await roster(database))[0].state

    plan = tmp_path / "p.toml"
    async with serving("openai") as models, open_log(database) as log:
        models.going.clear()
        plan.write_text(f'{PLAN}[agents.everyone]\nmodel = "{models.url}#m"\n')
        async with served(log, address=database) as server:
            await post(server, "/api/v1/runs", {"plan": plan.read_text()})
            assert await state() == "running"
            await models.until_asked(1)
            await waits_and_is_stopped("run", str(plan), "--log", database)
            assert models.calls == 1 and await state() == "running"
            assert "on the page of its server" in await refused("stop", "flat")
            models.going.set()
            await post(server, "/api/v1/runs/1/stop")
            assert await state() == "suspended"
        with announced_elsewhere(database, "flat"):
            async with served(log, address=database) as server:
                told = await post(server, "/api/v1/runs", {"go_on": "flat"})
                assert told["state"] == "playing", "it goes on when whoever plays it has ended"
                await post(server, "/api/v1/runs/1/stop")


async def test_what_a_command_plays_into_a_file_a_server_of_it_does_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    file = str(tmp_path / "w.db")
    async with open_log(file) as log, served(log, address=file) as server:
        body = {"world": "midnight-diner", "name": "mine"}
        with announced_elsewhere(file, "mine"):
            told = await post(server, "/api/v1/runs", body, status=400)
        assert "'mine' is being played already" in str(told)


async def test_what_cannot_be_played_is_told(server: Served) -> None:
    for body, what in (
        ({}, "give one of"),
        ({"world": "flatmates", "plan": "x"}, "give one of"),
        ({"world": "flatmate"}, "flatmates"),
        ({"plan": "world = 'flatmates'\nchain = 3"}, "chains"),
        ({"plan": "world = 'flatmates'\nchains = 3000"}, "whoknew run PLAN"),
        ({"plan": "world = 'flatmates'\n[episodes]\nrepeat = 3000"}, "begins 10,000"),
        ({"plan": "world = '/etc/passwd'"}, "no world that comes with Whoknew is called"),
        ({"plan": "world = '../x.toml'"}, "no world that comes with Whoknew is called"),
        ({"plan": "]["}, "the plan"),
        ({"go_on": "nope"}, "no world"),
    ):
        async with server.client.post("/api/v1/runs", json=body) as response:
            assert response.status in (400, 404), body
            assert what in (await response.json())["error"]
    for number in ("9", "x", "-1"):
        await post(server, f"/api/v1/runs/{number}/pause", status=404)


async def test_one_world_is_not_played_twice_at_once(server: Served) -> None:
    async with serving("openai") as models:
        models.going.clear()
        plan = PLAN + f'[agents.everyone]\nmodel = "{models.url}#m"\n'
        await post(server, "/api/v1/runs", {"plan": plan})
        assert (
            "played already" in (await post(server, "/api/v1/runs", {"plan": plan}, 409))["error"]
        )
        models.going.set()
        await post(server, "/api/v1/runs/1/stop")


async def test_a_mistyped_seat_is_refused_and_nothing_is_played(server: Served, log: Log) -> None:
    for seats, hint in ((["Nobody"], "'Vera'"), (["Vera", "Dort"], "did you mean 'Dorte'")):
        body = {"world": "midnight-diner", "seats": seats}
        assert hint in (await post(server, "/api/v1/runs", body, 400))["error"]
    plan = 'world = "midnight-diner"\nchains = 2\n'
    refused = await post(server, "/api/v1/runs", {"plan": plan, "seats": ["Vera"]}, 400)
    assert "set chains = 1" in refused["error"]
    assert await log.worlds() == []
    async with server.client.get("/api/v1/runs") as response:
        assert await response.json() == []


async def test_whoever_begins_a_run_finds_its_worlds(server: Served) -> None:
    async with serving("openai", after=Doing(wait=5)) as models:
        model = f'[agents.everyone]\nmodel = "{models.url}#m"\n'
        plan = PLAN.replace("[episodes]", "chains = 7\nat_once = 2\n[episodes]") + model
        run = await post(server, "/api/v1/runs", {"plan": plan})
        assert len(run["worlds"]) == 7
        for world in run["worlds"]:
            async with server.client.get(f"/api/v1/worlds/{world}") as response:
                assert response.status == 200, world


async def test_what_keeps_a_run_from_beginning_is_told_to_who_began_it(
    server: Served, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    plan = PLAN + '[agents.everyone]\nmodel = "openai:gpt-9"\n'
    assert "OPENAI_API_KEY" in (await post(server, "/api/v1/runs", {"plan": plan}, 400))["error"]
    plan = (
        PLAN + '[limits.run]\nmoney = 1.0\n[agents.everyone]\nmodel = "http://127.0.0.1:9/v1#m"\n'
    )
    assert "price_in" in (await post(server, "/api/v1/runs", {"plan": plan}, 400))["error"]
    assert await log.worlds() == []
    async with server.client.get("/api/v1/runs") as response:
        assert await response.json() == []


async def test_playing_under_a_name_that_exists_says_what_to_do(server: Served, log: Log) -> None:
    body = {"world": "flatmates", "name": "ours"}
    await post(server, "/api/v1/runs", body)
    await until(server, "finished")
    head = (await log.lineage.find("ours")).head
    refused = (await post(server, "/api/v1/runs", body, 409))["error"]
    assert "go_on: 'ours'" in refused
    assert "another name" in refused
    plan = PLAN.replace('"flat"', '"ours"')
    assert "already" in (await post(server, "/api/v1/runs", {"plan": plan}, 409))["error"]
    assert (await log.lineage.find("ours")).head == head
    await post(server, "/api/v1/runs", {"go_on": "ours", "name": "theirs"}, 400)
    await post(server, "/api/v1/runs", {"go_on": "ours"})


async def test_a_seat_in_a_world_that_is_finished_or_is_anothers_is_refused_with_what_to_do(
    server: Served, log: Log
) -> None:
    await post(server, "/api/v1/runs", {"world": "flatmates", "name": "ours"})
    await until(server, "finished")
    head = (await log.lineage.find("ours")).head
    body = {"go_on": "ours", "seats": ["Hester"]}
    refused = (await post(server, "/api/v1/runs", body, 400))["error"]
    assert "'ours' is finished: all of its 10 episodes are over" in refused
    assert "anew under another name" in refused
    plan = PLAN.replace('"flat"', '"short"')
    await post(server, "/api/v1/runs", {"plan": plan + "[limits.chain]\ncalls = 1\n"})
    await until(server, "paused")
    body = {"go_on": "short", "seats": ["Hester"]}
    refused = (await post(server, "/api/v1/runs", body, 400))["error"]
    assert "in 'short' Hester cannot be played by people from here on" in refused
    assert "Fork it" in refused
    assert (await log.lineage.find("ours")).head == head
    await log.fork("ours", "fork", "E1")
    await post(server, "/api/v1/runs", {"go_on": "fork", "seats": ["Hester"]})
    await post(server, "/api/v1/runs/3/stop")


async def test_a_run_whose_world_goes_on_in_another_is_listed_no_more(server: Served) -> None:
    for name in ("ours", "theirs"):
        await post(
            server, "/api/v1/runs", {"world": "flatmates", "name": name, "seats": ["Hester"]}
        )
    await post(server, "/api/v1/runs/1/pause")
    await post(server, "/api/v1/runs/2/pause")
    await post(server, "/api/v1/runs", {"go_on": "ours", "seats": ["Hester"]})
    async with server.client.get("/api/v1/runs") as response:
        lines = await response.json()
    assert [(one["id"], one["state"]) for one in lines] == [(2, "paused"), (3, "playing")]
    await post(server, "/api/v1/runs/1/resume", status=404)
    await post(server, "/api/v1/runs/3/stop")


async def test_a_stop_that_comes_while_a_run_begins_is_not_lost(server: Served) -> None:
    async with serving("openai", after=Doing(wait=0.05)) as models:
        plan = PLAN + f'[agents.everyone]\nmodel = "{models.url}#m"\n'
        runs = server.server._runs
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            group.create_task(runs.begin(Begin(plan=plan)))
            while not runs.all():  # noqa: ASYNC110  (the other task goes on meanwhile)
                await asyncio.sleep(0)
            assert (await runs.stop(1)).state == "stopped"
        assert len(models.asked) <= 1


async def test_a_plan_that_was_sent_opens_no_log_that_nobody_allowed(
    server: Served, tmp_path: Path
) -> None:
    for address in (f"{tmp_path}/secret.db", "postgresql://host/db"):
        for table in ("agents.everyone", 'judges.mine]\nby = "checklist"\n[agents.everyone'):
            plan = f'{PLAN}[{table}]\nmodel = "recorded:{address}"\n'
            refused = (await post(server, "/api/v1/runs", {"plan": plan}, 400))["error"]
            assert "whoknew serve --recorded LOG" in refused
    assert not (tmp_path / "secret.db").exists()


async def test_a_plan_that_was_sent_opens_no_file_of_prompts(
    server: Served, tmp_path: Path
) -> None:
    for told in (f'model = "cache:{tmp_path}"', f'recall = {{ embedder = "cache:{tmp_path}" }}'):
        plan = f'{PLAN}[agents.everyone]\nmemory = "recall"\n{told}\n'
        refused = (await post(server, "/api/v1/runs", {"plan": plan}, 400))["error"]
        assert "it reads no file of prompts" in refused


async def test_a_plan_that_was_sent_is_read_beside_the_requests(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def beside(text: str, source: str) -> Loaded:
        assert current_thread() is not main_thread()
        return parse_plan(text, source)

    monkeypatch.setattr(run_requests, "parse_plan", beside)
    await post(server, "/api/v1/runs", {"plan": PLAN})


async def test_the_answers_of_a_log_that_the_operator_allows_are_played(
    log: Log, tmp_path: Path
) -> None:
    address = str(tmp_path / "earlier.db")
    await play(Plan("flatmates", name="flat", episodes=Episodes(turns=4)), address)
    async with served(log, recorded=(address,)) as server:
        plan = f'{PLAN}[agents.everyone]\nmodel = "recorded:{address}"\n'
        await post(server, "/api/v1/runs", {"plan": plan})
        assert (await until(server, "finished", "failed"))["state"] == "finished"


async def test_what_the_server_says_of_itself_names_no_answer_twice(server: Served) -> None:
    async with server.client.get("/api/v1/openapi.json") as response:
        paths = (await response.json())["paths"]
    for operations in paths.values():
        for operation in operations.values():
            (content,) = operation["responses"]["200"]["content"].values()
            schema = content["schema"]
            either = schema.get("oneOf", [schema, None])
            assert len(either) == 2 and either[0] != either[1]


async def test_what_a_run_costs_is_unknown_where_no_price_is(server: Served) -> None:
    async with serving("openai") as models:
        model = f'[agents.everyone]\nmodel = "{models.url}#m"\n'
        await post(server, "/api/v1/runs", {"plan": PLAN + model})
        run = await until(server, "finished", "failed")
        assert run["calls"] > 0
        assert run["money"] is None
        async with server.client.get("/api/v1/worlds") as response:
            (line,) = await response.json()
        assert line["money"] is None
