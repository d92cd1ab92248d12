"""A person's seat in a run that a server plays."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from served_runs import PLAN, heard, post, sit, turn, until
from whoknew_server import Served, served

from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Log, open_log
from whoknew.eventlog.kinds import Acted, Failed
from whoknew.worlds import shelf


@pytest_asyncio.fixture(loop_scope="session")
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(tmp_path / "r.db") as log:
        yield log


async def test_a_person_acts_for_a_character_and_can_come_back(server: Served, log: Log) -> None:
    run = await post(server, "/api/v1/runs", {"world": "midnight-diner", "seats": ["Vera"]})
    assert run["seats"] == ["Vera"]
    socket = await sit(server, "midnight-diner", "Vera")
    asked = await turn(socket)
    assert asked["type"] == "turn"
    assert asked["character"] == "Vera"
    await socket.send_str('{"act": "speak", "text": "x", "to": ["Nobody"]}')
    assert "Nobody" in (await turn(socket))["why"]
    await socket.send_str("{")
    assert "no action: it is not JSON: it ends in the middle" in (await turn(socket))["why"]
    await socket.send_str('{"offer": {"Vera": {"pie": "2"}}}')
    assert 'offer.Vera.pie: must be a whole number, got "2"' in (await turn(socket))["why"]
    await socket.send_str('{"offer": {"Vera": {"pie": 2}, "Vera": {"pie": 1}}}')
    assert "the key 'Vera' stands there twice" in (await turn(socket))["why"]
    await socket.send_str('{"text": "Only to you.", "too": ["Emil"]}')  # else all would hear it
    assert "'too', which is not known here: did you mean 'to'?" in (await turn(socket))["why"]
    await socket.send_str('{"offer": {"Vera": {"pie": 2}}}')
    assert "there is nothing to divide here" in (await turn(socket))["why"]
    await socket.send_str('{"agrees": true}')
    assert "there is no offer to agree to" in (await turn(socket))["why"]
    await socket.send_bytes(b"\xff")
    assert "it is not UTF-8" in (await turn(socket))["why"]
    await socket.close()  # a person who is dropped can come back
    socket = await sit(server, "midnight-diner", "Vera")
    assert (await turn(socket))["type"] == "turn"
    await socket.send_str('{"act": "speak", "text": "I am a person."}')
    assert (await turn(socket))["type"] == "taken"
    await turn(socket)
    said = [one async for one in log.read("midnight-diner") if isinstance(one.body, Acted)]
    assert ("Vera", "I am a person.") in [(one.actor, one.body.text) for one in said]
    stopped = await post(server, "/api/v1/runs/1/stop")
    assert stopped["state"] == "stopped"
    await socket.close()
    assert (await rerun(log, "midnight-diner")).agrees


async def test_a_person_says_shows_and_does_nothing_without_words(server: Served) -> None:
    await post(server, "/api/v1/runs", {"world": "midnight-diner", "seats": ["Vera"]})
    socket = await sit(server, "midnight-diner", "Vera")
    assert (await turn(socket))["type"] == "turn"
    for act, words in (("speak", " "), ("action", ""), ("non-verbal", " \n")):
        await socket.send_json({"act": act, "text": words})
        assert "`text` is empty" in (await turn(socket))["why"]
    await socket.send_json({"act": "none"})
    assert (await turn(socket))["type"] == "taken"
    await post(server, "/api/v1/runs/1/stop")
    await socket.close()


async def test_one_who_only_looks_cannot_act(log: Log) -> None:
    async with served(log, control="c" * 20, read="r" * 20) as server:
        headers = {"Authorization": f"Bearer {'c' * 20}"}
        body = {"world": "midnight-diner", "seats": ["Vera"]}
        async with server.client.post("/api/v1/runs", json=body, headers=headers) as response:
            assert response.status == 200
        reading = {"Authorization": f"Bearer {'r' * 20}"}
        async with server.client.ws_connect(
            "/api/v1/worlds/midnight-diner/stream?as=Vera", headers=reading
        ) as socket:
            await socket.send_str('{"act": "none"}')
            assert "you only look" in (await turn(socket))["why"]
        async with server.client.post("/api/v1/runs/1/stop", headers=headers) as response:
            assert response.status == 200


async def test_whoever_is_to_act_no_more_is_told_so(server: Served) -> None:
    """In one window, where it acted in another; and in both, where its run is stopped."""
    await post(server, "/api/v1/runs", {"world": "midnight-diner", "seats": ["Vera"]})
    sockets = [await sit(server, "midnight-diner", "Vera") for _ in range(2)]
    for socket in sockets:
        assert (await turn(socket))["type"] == "turn"
    await sockets[0].send_str('{"act": "speak", "text": "I am a person."}')
    assert (await heard(sockets[1], "over", "turn"))["type"] == "over"
    assert (await turn(sockets[1]))["type"] == "turn"
    await post(server, "/api/v1/runs/1/stop")
    assert (await heard(sockets[1], "over", "turn"))["type"] == "over"
    for socket in sockets:
        await socket.close()


async def test_nobody_is_waited_for_longer_than_the_plan_says(server: Served, log: Log) -> None:
    plan = PLAN + '[agents.Ines]\nagent = "human"\npatience = 0.05\n'
    who = shelf.find("flatmates").characters[0].name
    await post(server, "/api/v1/runs", {"plan": plan.replace("Ines", who)})
    run = await until(server, "finished", "failed")
    assert run["state"] == "finished"
    failed = [one async for one in log.read("flat") if isinstance(one.body, Failed)]
    assert failed
    assert all(one.actor == who and "within 0.05 s" in one.body.error for one in failed)


async def test_an_offer_to_who_is_not_there_costs_no_turn(server: Served) -> None:
    await post(server, "/api/v1/runs", {"world": "flatmates", "seats": ["Hester"]})
    socket = await sit(server, "flatmates", "Hester")
    assert (await turn(socket))["present"] == ["Amadou"]
    await socket.send_json({"offer": {"Petra": {"records": 3, "pans": 3, "books": 2}}})
    assert "Petra is not here to be given anything" in (await turn(socket))["why"]
    await post(server, "/api/v1/runs/1/stop")
    await socket.close()
