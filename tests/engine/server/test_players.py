"""What people who play ask of a server: seats, who one is, which turn an action is for, what is forked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from diner_world import WORLD
from waiting import until
from whoknew_server import Served, begun, play_on, says

from whoknew.agents.errors import BadAction
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Acted, Entered, GoalGiven, Left, Planned

ONE = f"/api/v1/worlds/{WORLD}"


async def asked(server: Served, path: str, status: int = 200, token: str = "", **query: str) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with server.client.get(path, params=query, headers=headers) as response:
        assert response.status == status, await response.text()
        return await response.json()


async def test_who_one_is_follows_from_what_one_perceived_and_from_nothing_else(
    server: Served, log: Log
) -> None:
    await begun(log, "w", ("Ann", "Bob", "Cy"))
    everybody = ("Ann", "Bob", "Cy")
    goal = Draft(GoalGiven("Ann", "Find the key."), episode=1, witnesses=("Ann",))
    goes = Draft(Left(), episode=1, turn=1, actor="Bob", witnesses=everybody)
    await log.append("w", [goal, says("Here we are.", "Cy", everybody), goes])
    before = await asked(server, "/api/v1/worlds/w/self", **{"as": "Ann"})
    assert before["goal"] == "Find the key." and not before["resting"]
    assert [one["name"] for one in before["present"]] == ["Cy"]
    hides = Draft(Entered(hidden=True), episode=1, turn=2, actor="Bob", witnesses=("Bob",))
    theirs = Draft(GoalGiven("Cy", "Hide it."), episode=1, witnesses=("Cy",))
    whisper = Draft(
        Acted("Bob hides.", to=("Bob",)), None, 1, 2, actor="Cy", witnesses=("Bob", "Cy")
    )
    await log.append("w", [hides, theirs, whisper])
    assert await asked(server, "/api/v1/worlds/w/self", **{"as": "Ann"}) == before
    token = (await server.access.tokens.give("w", "Ann")).token
    assert await asked(server, "/api/v1/worlds/w/self", token=token) == before
    await asked(server, "/api/v1/worlds/w/self", 403, token, **{"as": "Cy"})


async def test_whom_people_play_by_the_plan_are_named_first_where_nobody_plays(
    server: Served,
) -> None:
    body = {"world": "midnight-diner", "name": "mine", "seats": ["Vera"]}
    async with server.client.post("/api/v1/runs", json=body) as response:
        assert response.status == 200
    seat = server.server.seats.at("mine", "Vera")
    await until(lambda: seat.moment)
    async with server.client.post("/api/v1/runs/1/stop") as response:
        assert response.status == 200
    found = await asked(server, "/api/v1/worlds/mine/seats")
    assert found["characters"][:3] == ["Vera", "Dorte", "Emil"]


async def test_a_plan_that_cannot_be_read_keeps_nobody_from_seeing_the_seats(
    server: Served, log: Log
) -> None:
    await begun(log, "w", ("Ann", "Bob"))
    await log.append("w", [Draft(Planned(b"no plan"))])
    found = await asked(server, "/api/v1/worlds/w/seats")
    assert found["characters"] == ["Ann", "Bob"] and not found["playing"]


async def test_seats_for_people_are_listed_with_who_is_waited_for(server: Served) -> None:
    body = {"world": "midnight-diner", "name": "mine", "seats": ["Vera", "Emil"]}
    async with server.client.post("/api/v1/runs", json=body) as response:
        assert response.status == 200
    seat = server.server.seats.at("mine", "Emil")
    await until(lambda: seat.moment)
    (line,) = await asked(server, "/api/v1/runs")
    assert set(line["free"]) == {"Vera", "Emil"}
    assert line["waits"] == [{"world": "mine", "character": "Emil"}]
    await server.access.tokens.give("mine", "Emil", seat=True)
    (line,) = await asked(server, "/api/v1/runs")
    assert (line["free"], line["waits"]) == (["Vera"], []), "of a closed world nothing is told"
    found = await asked(server, "/api/v1/worlds/mine/seats")
    taken = {one["character"]: one["taken"] for one in found["seats"]}
    assert taken == {"Vera": False, "Emil": True}
    assert found["characters"] == [] and found["seats"][0]["waits"] is None
    assert not (await asked(server, f"{ONE}/seats"))["playing"]
    vera = (await server.access.tokens.give("mine", "Vera")).token
    await asked(server, "/api/v1/worlds/mine/forks", 403, vera)
    only_that = {"playing": True, "seats": [], "characters": []}
    assert await asked(server, "/api/v1/worlds/mine/seats", token=vera) == only_that
    async with server.client.post("/api/v1/runs/1/stop") as response:
        assert response.status == 200
    assert not (await asked(server, "/api/v1/worlds/mine/seats", token=vera))["playing"]
    shelf = {one["name"]: one["characters"] for one in await asked(server, "/api/v1/shelf")}
    assert "Vera" in shelf["midnight-diner"]


async def test_an_action_is_taken_for_the_turn_that_it_is_meant_for(
    server: Served, log: Log
) -> None:
    await log.fork(WORLD, "again", "E9")
    await play_on(server, "again", "Vera")
    seat = server.server.seats.at("again", "Vera")
    number = seat.number
    assert number == len(await log.view("again", "Vera"))
    with pytest.raises(BadAction, match="an earlier turn"):
        await seat.take(json.dumps({"text": "Late.", "number": number - 1}))
    await seat.take(json.dumps({"text": "In time.", "number": number}))
    await until(lambda: seat.moment and seat.number != number)
    with pytest.raises(BadAction, match="an earlier turn"):
        await seat.take(json.dumps({"text": "In time.", "number": number}))
    said = [event.text for event in await (await log.view("again", "Vera")).events(number)]
    assert said.count("Vera: In time.") == 1


async def test_worlds_of_one_past_are_a_family(server: Served, log: Log) -> None:
    await begun(log, "other")
    await log.fork(WORLD, "copy", "E5")
    await log.fork("copy", "copy of it", "end")
    found = await asked(server, "/api/v1/worlds/copy of it/forks")
    assert [(one["name"], one["parent"]) for one in found["worlds"]] == [
        (WORLD, None),
        ("copy", WORLD),
        ("copy of it", "copy"),
    ]
    page = await asked(server, f"{ONE}/forks", limit="1", skip="1")
    assert page["total"] == 3 and [one["name"] for one in page["worlds"]] == ["copy"]
    assert (await asked(server, "/api/v1/worlds/other/forks"))["total"] == 1
