"""Tellings that are looked for over HTTP: by whom, how long one waits for it, and what else may go on
meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio
from small_worlds import opened, said
from whoknew_server import Served, served

from whoknew.engine.server import lookings
from whoknew.eventlog import Log, open_log
from whoknew.eventlog.kinds import TellingFound

SECRET = "Corvin buried forty silver candlesticks beneath the chapel of Saint Brannoc."
SMALL = ("rain again", "pass the salt", "it is late", "good soup tonight", "mind the step")
ROUTE = "/api/v1/worlds/w/tellings"


@pytest_asyncio.fixture(loop_scope="session")
async def log() -> AsyncIterator[Log]:
    """Ann tells Bob a secret, and he tells Cid."""
    async with open_log(":memory:") as log:
        await log.append("w", opened("Ann", "Bob", "Cid"))
        talk = [said("Cid", SMALL[number % 5], "Ann", "Bob") for number in range(20)]
        await log.append("w", [*talk, said("Ann", SECRET, "Bob"), *talk])
        await log.append("w", [said("Bob", f"Listen: {SECRET}", "Cid")])
        yield log


async def ask(
    server: Served,
    method: str = "GET",
    status: int = 200,
    token: str | None = None,
    path: str = ROUTE,
    **values: Any,
) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    asking = server.client.request(method, path, headers=headers, params=values)
    async with asking as response:
        found = await response.json()
        assert response.status == status, found
        return found


@asynccontextmanager
async def held(server: Served, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Nobody gets on with looking, and nobody waits for it."""
    with monkeypatch.context() as impatient:
        impatient.setattr(lookings, "PATIENCE", 0)
        async with server.server.lookings.one_by_one:
            yield


async def test_they_are_looked_for_once_and_then_on_record_for_all_who_may_read(log: Log) -> None:
    async with served(log) as server:
        before = await ask(server)
        assert (before["looking"], before["reached"], before["report"]["total"]) == (False, 0, 0)
        found = await ask(server, "POST")
        report = found["report"]
        assert (found["looking"], report["found"], report["looked"]) == (False, 1, 46)
        [row] = report["rows"]
        assert (row["speech"]["seq"], row["fact"]["seq"], row["hearers"]) == (46, 25, ["Cid"])
        assert (await ask(server))["report"]["rows"] == report["rows"]
        assert (await ask(server, "POST"))["report"]["looked"] == 0
        sure = row["score"] + 0.001
        less = (await ask(server, sure=sure))["report"]
        assert (less["total"], less["less_sure"]) == (0, 1)
        assert (await ask(server, skip=1))["report"]["rows"] == []


async def test_a_long_look_is_told_how_far_it_is_and_joined_by_whoever_asks_again(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(log) as server:
        async with held(server, monkeypatch):
            begun = await ask(server, "POST")
        assert (begun["looking"], begun["reached"], begun["head"]) == (True, 0, 46)
        assert (await ask(server, "POST"))["looking"] is False
        assert (await ask(server))["report"]["total"] == 1
    found = [event async for event in log.read("w") if isinstance(event.body, TellingFound)]
    assert len(found) == 1


async def test_reading_is_no_right_to_look_for_them_and_a_character_may_neither(log: Log) -> None:
    async with served(log, control="c" * 20, read="r" * 20) as server:
        view = (await server.access.tokens.give("w", "Cid")).token
        for method in ("GET", "POST"):
            await ask(server, method, 403, view)
            await ask(server, method, 401)
        await ask(server, token="r" * 20)
        await ask(server, "POST", 403, "r" * 20)
        assert (await ask(server, "POST", token="c" * 20))["report"]["found"] == 1


async def test_where_another_process_writes_the_log_they_are_only_read(log: Log) -> None:
    async with served(log, writable=False) as server:
        assert "another process" in (await ask(server, "POST", 403))["error"]
        await ask(server)


async def test_what_cannot_be_is_told(log: Log) -> None:
    async with served(log) as server:
        for method in ("GET", "POST"):
            assert (await ask(server, method, 404, path="/api/v1/worlds/x/tellings"))["error"]
            assert (await ask(server, method, 400, sure=2))["error"]
            assert (await ask(server, method, 400, limit=1001))["error"]


async def test_a_world_is_not_played_while_it_is_looked_through_and_the_other_way_round(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(log) as server:
        plan = {"world": "harbour", "seats": ["Tobias"]}
        async with server.client.post("/api/v1/runs", json=plan) as response:
            run = await response.json()
            assert response.status == 200, run
        (name,) = run["worlds"]
        path = f"/api/v1/worlds/{name}/tellings"
        assert "is being played" in (await ask(server, "POST", 409, path=path))["error"]
        await ask(server, "POST", path=f"/api/v1/runs/{run['id']}/stop")
        async with held(server, monkeypatch):
            assert (await ask(server, "POST", path=path))["looking"]
            refused = await ask(server, "POST", 409, path=f"/api/v1/runs/{run['id']}/resume")
        assert "tellings are being looked for" in refused["error"]
        assert (await ask(server, "POST", path=path))["looking"] is False


async def test_a_server_that_stops_ends_the_look_and_the_next_one_goes_on(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(log) as server, held(server, monkeypatch):
        assert (await ask(server, "POST"))["looking"]
        await server.server.lookings.close()
        assert (await ask(server))["looking"] is False
    async with served(log) as server:
        assert (await ask(server, "POST"))["report"]["found"] == 1
