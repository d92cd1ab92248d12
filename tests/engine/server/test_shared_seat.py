"""Seats of a log that several servers show: taken at any of them, whoever plays the world."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import ClientSession, CookieJar
from child_process import started
from msgspec.structs import replace
from waiting import PATIENCE, line_with, until
from whoknew_server import Served, begun, served

from whoknew.agents.agent import Action, Moment
from whoknew.engine.errors import Suspended
from whoknew.engine.running import free_chains, workers
from whoknew.engine.server import runs
from whoknew.engine.server.run_requests import check_free
from whoknew.engine.server.shared_seat import SeatsOfAll, SharedSeat
from whoknew.eventlog import Log, open_log
from whoknew.eventlog.errors import LeaseLost
from whoknew.eventlog.kinds import Acted, Planned
from whoknew.eventlog.stores.leases import Leases

SERVER = Path(__file__).parents[2] / "adversity" / "server_beside.py"
PEOPLE = ["Emil", "Vera"]
BEGIN = {"world": "midnight-diner", "name": "mine", "seats": PEOPLE}


@pytest_asyncio.fixture(loop_scope="session")
async def logs(database: str) -> AsyncIterator[tuple[Log, Log]]:
    """One log, as two servers have it open."""
    async with open_log(database) as one, open_log(database) as other:
        yield one, other


@pytest_asyncio.fixture(loop_scope="session")
async def servers(
    logs: tuple[Log, Log], database: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Served, Served]]:
    monkeypatch.setattr(workers, "EVERY", 0.1)
    one, other = logs
    async with served(one, address=database) as first, served(other, address=database) as second:
        yield first, second


def person(url: str) -> ClientSession:
    return ClientSession(url, cookie_jar=CookieJar(unsafe=True))


async def said(
    client: ClientSession, method: str, path: str, status: int = 200, **body: Any
) -> Any:
    sent = body if method == "POST" else None
    async with client.request(method, f"/api/v1/{path}", json=sent) as response:
        found = await response.json()
        assert response.status == status, found
        return found


async def until_said(client: ClientSession, path: str, holds: Any) -> Any:
    async with asyncio.timeout(PATIENCE):
        while not holds(found := await said(client, "GET", path)):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        return found


async def waits(client: ClientSession, who: str = "Emil") -> Any:
    """The seats of the world, once one of them is waited for."""
    return await until_said(
        client,
        "worlds/mine/seats",
        lambda found: who in {one["character"] for one in found["seats"] if one["waits"]},
    )


class AtSeat:
    """A person at a server, by the stream of its seat."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket

    async def heard(self, kind: str, *others: str) -> Any:
        """The next message of a kind, or of others."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = json.loads(await self._socket.receive_str())
                if message["type"] in (kind, *others):
                    return message

    async def does(self, text: str, **more: Any) -> Any:
        await self._socket.send_str(json.dumps({"text": text, **more}))
        return await self.heard("taken", "refused")


@asynccontextmanager
async def seated(url: str, who: str = "Emil") -> AsyncIterator[tuple[ClientSession, AtSeat]]:
    async with person(url) as client:
        sat = await said(client, "POST", "worlds/mine/seats", character=who)
        assert sat["character"] == who
        async with client.ws_connect(f"/api/v1/worlds/mine/stream?as={who}") as socket:
            yield client, AtSeat(socket)


async def spoken(log: Log, text: str) -> int:
    events = [event async for event in log.read("mine")]
    return sum(isinstance(one.body, Acted) and one.body.text == text for one in events)


async def until_spoken(log: Log, text: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await spoken(log, text):  # noqa: ASYNC110  (the database knows)
            await asyncio.sleep(0.05)


async def test_a_seat_is_found_taken_and_played_at_another_server_than_plays(
    servers: tuple[Served, Served], logs: tuple[Log, Log]
) -> None:
    plays, other = servers
    await said(plays.client, "POST", "runs", **BEGIN)
    found = await waits(other.client)
    assert found["playing"] and {one["character"] for one in found["seats"]} == set(PEOPLE)
    async with seated(other.url) as (emil, seat):
        turn = await seat.heard("turn")
        assert turn["character"] == "Emil" and turn["number"] > 0
        assert (await said(emil, "GET", "worlds/mine"))["character"] == "Emil"
        await said(emil, "GET", "worlds/mine/events?as=Vera", 403)
        assert (await seat.does("Late.", number=turn["number"] - 1))["type"] == "refused"
        assert (await seat.does("Nobody.", to=["Nobody"]))["type"] == "refused"
        assert (await seat.does("Here I am.", number=turn["number"]))["type"] == "taken"
        again = await seat.does("Here I am.", number=turn["number"])
        assert again["type"] == "refused", "an action is taken once"
        await until_spoken(logs[1], "Here I am.")
        assert await spoken(logs[1], "Here I am.") == 1
        taken = await said(plays.client, "GET", "worlds/mine/seats")
        assert {one["character"]: one["taken"] for one in taken["seats"]}["Emil"]
        async with person(plays.url) as late:
            await said(late, "POST", "worlds/mine/seats", 409, character="Emil")


async def test_of_two_who_act_for_one_turn_at_two_servers_one_is_taken(
    servers: tuple[Served, Served], logs: tuple[Log, Log]
) -> None:
    await said(servers[0].client, "POST", "runs", **BEGIN)
    for one in servers:
        await waits(one.client)
    given = await servers[0].access.tokens.give("mine", "Emil")
    path = f"/api/v1/worlds/mine/stream?as=Emil&token={given.token}"
    async with (
        servers[0].client.ws_connect(path) as first,
        servers[1].client.ws_connect(path) as second,
    ):
        both = [AtSeat(first), AtSeat(second)]
        for seat in both:
            await seat.heard("turn")
        told = await asyncio.gather(*(seat.does(f"I am {n}.") for n, seat in enumerate(both)))
        assert sorted(one["type"] for one in told) == ["refused", "taken"]
        won = [one["type"] for one in told].index("taken")
        await until_spoken(logs[0], f"I am {won}.")
        assert not await spoken(logs[0], f"I am {1 - won}.")


async def test_of_two_servers_that_begin_a_world_of_one_name_at_once_one_is_told(
    servers: tuple[Served, Served], logs: tuple[Log, Log], monkeypatch: pytest.MonkeyPatch
) -> None:
    found_free = asyncio.Barrier(2)

    async def check(log: Log, worlds: Iterable[str]) -> None:
        await check_free(log, worlds)
        await found_free.wait()

    monkeypatch.setattr(runs, "check_free", check)

    async def begins(one: Served, who: str) -> tuple[int, Any]:
        body = {**BEGIN, "seats": [who]}
        async with one.client.post("/api/v1/runs", json=body) as response:
            return response.status, await response.json()

    told = dict(await asyncio.gather(*map(begins, servers, PEOPLE)))
    assert set(told) == {200, 409}, told
    assert "has a world 'mine' already" in told[409]["error"]
    found = await waits(servers[0].client, told[200]["seats"][0])
    assert [one["character"] for one in found["seats"]] == told[200]["seats"]
    assert len([one async for one in logs[0].read("mine") if isinstance(one.body, Planned)]) == 1


async def test_a_seat_that_another_process_plays_may_be_a_persons_at_its_terminal(
    servers: tuple[Served, Served], logs: tuple[Log, Log]
) -> None:
    await begun(logs[1], "mine")
    assert logs[1].store.leases is not None
    others = logs[1].store.leases.workers
    await others.say("1", "process 1 on ada", "0", plan="mine", worlds=["mine"], figures=[])
    refused = await said(servers[0].client, "POST", "worlds/mine/seats", 409, character="Ann")
    assert "at the terminal of another process" in refused["error"]


async def test_a_run_is_listed_paused_gone_on_with_and_stopped_at_another_server(
    servers: tuple[Served, Served],
) -> None:
    plays, other = servers
    await said(plays.client, "POST", "runs", **BEGIN)
    (line,) = await until_said(other.client, "workers", bool)
    assert (line["worlds"], line["seats"], line["paused"]) == (["mine"], PEOPLE, False)
    (paused,) = await said(other.client, "POST", "workers/pause", world="mine")
    assert paused["paused"]
    (going,) = await said(other.client, "POST", "workers/resume", world=line["plan"])
    assert not going["paused"]
    await said(other.client, "POST", "workers/stop", 404, world="nothing")
    await said(other.client, "POST", "workers/stop", world=line["name"])
    await until_said(plays.client, "runs", lambda rows: rows[0]["state"] == "paused")
    await until_said(other.client, "workers", lambda rows: rows == [])
    async with person(other.url) as emil:
        refused = await said(emil, "POST", "worlds/mine/seats", 409, character="Emil")
    assert "nobody plays" in json.dumps(refused)


async def test_who_pauses_lets_the_turn_in_flight_end_and_no_other_begin(
    servers: tuple[Served, Served], logs: tuple[Log, Log], database: str
) -> None:
    plays, other = servers
    await said(plays.client, "POST", "runs", **{**BEGIN, "seats": ["Emil"]})
    await waits(other.client)
    await said(other.client, "POST", "workers/pause", all=True)
    (run,) = plays.server._runs._runs.values()
    await until(lambda: run._run is not None and run._run.control.paused)
    async with seated(other.url) as (_, seat):
        await seat.heard("turn")
        assert (await seat.does("My last word for now."))["type"] == "taken"
        await until_spoken(logs[1], "My last word for now.")
        head = (await logs[1].head("mine")).seq
        await asyncio.sleep(3 * 0.2)
        assert (await logs[1].head("mine")).seq == head
        await said(plays.client, "POST", "workers/resume", 200, all=True)
        await seat.heard("turn")
        assert (await logs[1].head("mine")).seq > head


async def test_a_seat_can_be_left_while_all_who_play_its_world_are_paused(
    servers: tuple[Served, Served],
) -> None:
    plays, other = servers
    await said(plays.client, "POST", "runs", **{**BEGIN, "seats": ["Emil"]})
    await waits(other.client)
    async with seated(other.url) as (emil, _):
        refused = await said(emil, "DELETE", "worlds/mine/seats", 409)
        assert refused["error"].endswith("or while its run is paused")
        await said(emil, "POST", "workers/pause", world="mine")
        assert (await said(emil, "DELETE", "worlds/mine/seats"))["character"] == "Emil"
        await said(emil, "POST", "workers/resume", world="mine")
    async with seated(plays.url) as (_, seat):  # whoever sits down next goes on
        assert (await seat.heard("turn"))["character"] == "Emil"


@asynccontextmanager
async def killable(database: str, heartbeat: float) -> AsyncIterator[tuple[Process, str]]:
    command = sys.executable, SERVER, database, heartbeat
    async with started(*command, stdout=PIPE) as process:
        line = await line_with(process.stdout, "serving")
        yield process, line.split()[-1]


async def test_what_was_accepted_for_a_server_that_dies_is_done_by_the_one_that_goes_on(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heartbeat = 4.0
    monkeypatch.setattr(free_chains, "HEARTBEAT", heartbeat)
    async with (
        killable(database, heartbeat) as (process, url),
        open_log(database) as log,
        served(log, address=database) as other,
        person(url) as client,
    ):
        await said(client, "POST", "runs", **BEGIN)
        await waits(other.client)
        async with seated(other.url) as (emil, seat):
            turn = await seat.heard("turn")
            process.send_signal(signal.SIGSTOP)  # it takes nothing any more
            assert (await seat.does("I said so."))["type"] == "taken"
            assert not await spoken(log, "I said so.")
            process.kill()
            await process.wait()
            await said(other.client, "POST", "runs", go_on="mine", seats=PEOPLE)
            await until_spoken(log, "I said so.")
            assert await spoken(log, "I said so.") == 1
            assert (await seat.does("Again.", number=turn["number"]))["type"] == "refused"
            assert (await said(emil, "GET", "worlds/mine"))["character"] == "Emil"


async def test_nothing_is_accepted_for_a_world_that_nobody_plays_any_more(
    database: str,
) -> None:
    heartbeat = 0.5
    async with (
        killable(database, heartbeat) as (process, url),
        open_log(database) as log,
        served(log, address=database) as other,
        person(url) as client,
    ):
        await said(client, "POST", "runs", **BEGIN)
        await waits(other.client)
        async with seated(other.url) as (_, seat):
            await seat.heard("turn")
            process.kill()
            await process.wait()
            assert log.store.leases is not None
            async with asyncio.timeout(PATIENCE):
                while any(one.seconds > 0 for one in await log.store.leases.all()):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            assert (await seat.does("Is anybody there?"))["type"] == "refused"


@pytest_asyncio.fixture(loop_scope="session")
async def asked(logs: tuple[Log, Log]) -> tuple[SeatsOfAll, Leases, Moment]:
    """Seats at the server that plays, and a moment in which Ann is to act."""
    log = logs[0]
    await begun(log, "w", ("Ann", "Bob"))
    leases = log.store.leases
    assert leases is not None
    await leases.claim(["w"], "me", 600)
    moment = Moment(who="Ann", view=await log.view("w", "Ann"), begins=0)
    return SeatsOfAll(log, leases), leases, moment


async def waited_for(seats: SeatsOfAll, moment: Moment) -> tuple[SharedSeat, asyncio.Task[Action]]:
    """Ann's seat, and her turn, for which a person is waited for."""
    seat = seats.person("w", "Ann", None)
    assert isinstance(seat, SharedSeat)
    acting = asyncio.create_task(seat.act(moment))
    await until(lambda: seat.moment is not None)
    return seat, acting


async def test_what_was_accepted_for_an_earlier_turn_answers_no_other(
    asked: tuple[SeatsOfAll, Leases, Moment],
) -> None:
    seats, leases, moment = asked
    seat, acting = await waited_for(seats, moment)
    (turn,) = await leases.turns.waiting()
    await seat.see(replace(turn, number=turn.number - 1, action=b'{"text":"Before."}'))
    assert not acting.done()
    assert await leases.turns.offer(turn, b'{"text":"Now."}')
    await seats.look()
    assert (await acting).text == "Now."
    await seats.close()


async def test_a_run_that_is_stopped_while_it_asks_waits_for_nobody(
    asked: tuple[SeatsOfAll, Leases, Moment], monkeypatch: pytest.MonkeyPatch
) -> None:
    seats, leases, moment = asked
    seat = seats.person("w", "Ann", None)
    ask = leases.turns.ask

    async def stopped(*given: Any, **named: Any) -> bytes | None:
        seat.release("it is stopped")
        return await ask(*given, **named)

    monkeypatch.setattr(leases.turns, "ask", stopped)
    with pytest.raises(Suspended, match="it is stopped"):
        await seat.act(moment)
    assert await leases.turns.waiting() == []
    await seats.close()


async def test_who_waits_for_a_person_hears_that_another_process_plays(
    asked: tuple[SeatsOfAll, Leases, Moment], logs: tuple[Log, Log]
) -> None:
    seats, leases, moment = asked
    _, acting = await waited_for(seats, moment)
    other = logs[1].store.leases
    assert other is not None
    await leases._fetch("UPDATE whoknew.leases SET runs_out = clock_timestamp()")
    assert await other.claim(["w"], "other", 600)
    await seats.look()
    with pytest.raises(LeaseLost):
        await acting
    await seats.close()


async def test_all_processes_are_stopped_only_where_that_is_said(
    servers: tuple[Served, Served],
) -> None:
    for body in ({}, {"world": "mine", "all": True}):
        told = await said(servers[0].client, "POST", "workers/stop", 400, **body)
        assert "one of the two" in told["error"]
