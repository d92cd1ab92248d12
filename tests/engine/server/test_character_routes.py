"""What a character's token reaches: every route and stream, as every character of several worlds,
each value beside what a fold of the raw events, written here anew, allows."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web
from allowed_to_character import TOLD, Allowed, Raw
from perceived_worlds import arras, world
from waiting import PATIENCE
from whoknew_server import Served, served

from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import (
    Acted,
)

CONTROL = "c" * 20
WORLDS = ("midnight-diner", "flatmates", "the-lamp-room", "arras", "hamlet")


async def raw(log: Log, name: str) -> list[Raw]:
    return [msgspec.json.decode(msgspec.json.encode(one)) async for one in log.read(name)]


def filled(route: web.AbstractRoute, world: str) -> str:
    """A path of a route: with a world that is there, and something for all else that it names."""
    assert route.resource is not None
    path = route.resource.canonical.replace("{world}", world).replace("{run}", "1")
    return re.sub(r"\{\w+\}", "x", path)


async def ask(server: Served, path: str, token: str, method: str = "GET", **values: Any) -> Any:
    headers = {"Authorization": f"Bearer {token}"}
    async with server.client.request(method, path, params=values, headers=headers) as response:
        return response.status, await response.read()


async def told(server: Served, path: str, token: str, **values: Any) -> Any:
    status, body = await ask(server, path, token, **values)
    assert status == 200, body
    return msgspec.json.decode(body)


# the walk


@pytest.mark.parametrize("name", WORLDS)
async def test_a_character_is_told_what_it_perceived_on_every_route_and_stream(
    name: str, tmp_path: Path
) -> None:
    async with world(name, tmp_path) as log, served(log, control=CONTROL) as server:
        (found,) = [one.name for one in await log.worlds()]
        events = await raw(log, found)
        people = (await log.knowledge(found)).characters
        for who in people:
            token = (await server.access.tokens.give(found, who)).token
            allowed = Allowed(events, who)
            other = next(one for one in people if one != who)
            await check_routes(server, found, allowed, other, token)
            await check_stream(server, found, allowed, token)


async def check_routes(server: Served, name: str, allowed: Allowed, other: str, token: str) -> None:
    one, who, count = f"/api/v1/worlds/{name}", allowed.who, len(allowed.seen)
    checks = {
        f"GET {one}": check_world,
        f"GET {one}/events": check_events,
        f"GET {one}/cursor": check_cursors,
        f"GET {one}/recall": check_recall,
        f"GET {one}/story": check_story,
        f"GET {one}/self": check_self,
        f"GET {one}/seats": check_seats,
    }
    public = {
        "GET /api/v1/health": {"state": "ok"},
        "GET /api/v1/version": None,
        "GET /api/v1/openapi.json": None,
        "GET /x": None,
    }
    left = set(checks)
    for route in server.server.app.router.routes():
        path = filled(route, name)
        what = f"{route.method} {path}"
        if route.method == "HEAD" or path.endswith("/stream"):
            continue
        if what in checks:
            left.discard(what)
            await checks[what](server, path, allowed, token)
            assert (await ask(server, path, token, **{"as": other}))[0] == 403
            for elsewhere in (f"{name}x", "nope"):
                hidden = path.replace(name, elsewhere)
                assert (await ask(server, hidden, token))[0] == 403
        elif what in public:
            answer = await ask(server, path, token)
            assert answer[0] == 200
            if wanted := public[what]:
                assert msgspec.json.decode(answer[1]) == wanted
        elif route.method == "*":  # whatever is none of the others
            assert (await ask(server, path, token))[0] == 404
        else:
            status, body = await ask(server, path, token, route.method)
            assert status == 403, (what, body)
            assert name not in ("hamlet",) or str(len(allowed.visible)) not in body.decode()
    assert not left
    version = await told(server, "/api/v1/version", token)
    assert (version["right"], version["world"], version["character"]) == ("view", name, who)
    assert count == (await told(server, one, token))["events"]


async def check_world(server: Served, path: str, allowed: Allowed, token: str) -> None:
    found = await told(server, path, token)
    assert set(found) == {"name", "character", "events", "episodes", "total"}
    assert (found["character"], found["events"]) == (allowed.who, len(allowed.seen))
    assert len(found["episodes"]) == found["total"] == allowed.episodes
    for number, episode in enumerate(found["episodes"], start=1):
        own = [n for n, lived in enumerate(allowed.lived, start=1) if lived[0] == number]
        opened = allowed.seen[own[0] - 1]
        assert set(episode) == {"number", "scenario", "place", "at", "first", "last"}
        assert (episode["number"], episode["first"]) == (number, own[0])
        assert episode["last"] in (own[-1], None)
        assert episode["last"] or number == allowed.episodes
        assert episode["scenario"] == opened["body"].get("scenario", "")
        assert (episode["at"], episode["place"]) == (opened["at"], opened.get("place"))


async def check_seats(server: Served, path: str, allowed: Allowed, token: str) -> None:
    """Whether it is played; and whose seats are for people is not told."""
    assert await told(server, path, token) == {"playing": False, "seats": [], "characters": []}


async def check_self(server: Served, path: str, allowed: Allowed, token: str) -> None:
    found = await told(server, path, token)
    seen = [
        (one["body"], lived[0], one) for one, lived in zip(allowed.seen, allowed.lived, strict=True)
    ]
    added = [body for body, _, _ in seen if body["kind"] == "world.character"]
    mine = [body for body in added if body["name"] == allowed.who]
    newest = [(body, one) for body, number, one in seen if number and number == allowed.episodes]
    goals = [body["goal"] for body, _ in newest if body["kind"] == "episode.goal"]
    assert found["character"] == allowed.who and found["episode"] == allowed.episodes
    assert found["about"] == (mine[-1].get("description", "") if mine else "")
    assert found["goal"] == (goals[-1] if goals else "")
    met = {name for _, one in newest for name in (*one["witnesses"], one.get("actor"))}
    assert {one["name"] for one in found["present"]} <= met - {allowed.who}


async def check_events(server: Served, path: str, allowed: Allowed, token: str) -> None:
    whole: list[Raw] = []
    count = len(allowed.seen)
    for after in range(0, count, 300):
        page = await told(server, path, token, after=after, limit=300, **{"as": allowed.who})
        assert set(page) == {"events", "before"}
        assert page["before"] == after
        whole += page["events"]
    for one in whole:
        allowed.check(one)
    kinds = [n for n, one in enumerate(allowed.seen, 1) if one["body"]["kind"] in TOLD]
    assert [one["number"] for one in whole] == kinds
    newest = await told(server, path, token, limit=5)
    assert newest == {
        "events": [one for one in whole if one["number"] > count - 5],
        "before": max(0, count - 5),
    }
    beyond = await told(server, path, token, upto=10**9, after=10**9)
    assert beyond == {"events": [], "before": count}


async def check_cursors(server: Served, path: str, allowed: Allowed, token: str) -> None:
    count = len(allowed.seen)
    assert await told(server, path, token, at="end") == {"cursor": count}
    assert await told(server, path, token, at=f"#{count}") == {"cursor": count}
    for episode in range(1, allowed.episodes + 1):
        own = [n for n, lived in enumerate(allowed.lived, start=1) if lived[0] == episode]
        assert (await told(server, path, token, at=f"E{episode}"))["cursor"] == own[-1]
        turns = allowed.lived[own[-1] - 1][1]
        for turn in {turns, turns // 2, 0}:
            wanted = max((n for n in own if allowed.lived[n - 1][1] <= turn), default=own[0] - 1)
            found = await told(server, path, token, at=f"E{episode}.T{turn}")
            assert found == {"cursor": wanted}, (episode, turn)
        assert (await ask(server, path, token, at=f"E{episode}.T{turns + 1}"))[0] == 404
    for at in (f"#{count + 1}", "#999999", f"E{allowed.episodes + 1}", "E0"):
        status, body = await ask(server, path, token, at=at)
        assert status == 404, (at, body)
    for at in ("who did it", "recorded:2020-01-01T00:00"):
        assert (await ask(server, path, token, at=at))[0] == 403
    if count:
        last = allowed.seen[-1]["at"]
        assert await told(server, path, token, at=f"@{last}") == {"cursor": count}
    assert await told(server, path, token, at="@0001-01-01T00:00") == {"cursor": 0}


async def check_recall(server: Served, path: str, allowed: Allowed, token: str) -> None:
    words = "alone king cannot taste good night rent lamp"
    values = {"as": allowed.who, "words": words, "k": 100}
    found = await told(server, path, token, **values)
    assert set(found) == {"character", "cursor", "words", "found"}
    assert (found["character"], found["cursor"]) == (allowed.who, len(allowed.seen))
    for one in found["found"]:
        assert set(one) == {"number", "score", "text"}
        raw = allowed.seen[one["number"] - 1]
        assert raw["body"].get("text", "") in one["text"]
    early = await told(server, path, token, at="#1", **values)
    assert early["cursor"] == 1 and all(one["number"] == 1 for one in early["found"])


async def check_story(server: Served, path: str, allowed: Allowed, token: str) -> None:
    count = len(allowed.seen)
    found = (await told(server, path, token, width=800, columns=400))["story"]
    assert (found["character"], found["cursor"], found["upto"]) == (allowed.who, count, count)
    assert len(found["episodes"]) <= allowed.episodes
    met = {allowed.who}
    for one in allowed.seen:
        seen = set(one["witnesses"]) & allowed.visible[one["seq"]]
        present = seen | {one.get("actor")} & set(one["witnesses"])
        met |= present | ({one["actor"]} if one.get("actor") else set())
    people = {
        name for column in found["lines"]["columns"] for g in column["together"] for name in g[1]
    }
    assert people <= set(found["lines"]["people"]) <= met
    assert set(found["characters"]) <= met
    for line in found["happenings"]:
        raw = allowed.seen[line["seq"] - 1]
        there = set(raw["witnesses"]) & allowed.visible[raw["seq"]]
        assert set(line["witnesses"]) <= there | {allowed.who, raw.get("actor")}
        about = [allowed.numbers[seq] for seq in raw.get("about", ()) if seq in allowed.numbers]
        assert line.get("about", []) == about
    status, _ = await ask(server, path, token, about=f"#{count + 1}")
    assert status == 403


async def check_stream(server: Served, name: str, allowed: Allowed, token: str) -> None:
    count = len(allowed.seen)
    for begins in (0, count // 2):
        path = f"/api/v1/worlds/{name}/stream?token={token}&from=%23{begins}"
        heard: list[int] = []
        async with (
            server.client.ws_connect(path, max_msg_size=0) as socket,
            asyncio.timeout(PATIENCE),
        ):
            hello = await socket.receive_json()
            assert hello == {"type": "hello", "world": name, "after": begins, "who": allowed.who}
            frames = 0
            while (message := await socket.receive_json())["type"] == "events":
                frames += 1
                assert set(message) == {"type", "events", "upto"}
                heard += [one["number"] for one in message["events"]]
                for one in message["events"]:
                    allowed.check(one)
                assert message["upto"] == min(count, begins + 500 * frames)
            assert message == {"type": "live", "upto": count}
        kinds = [n for n, one in enumerate(allowed.seen, 1) if one["body"]["kind"] in TOLD]
        assert heard == [n for n in kinds if n > begins]


# nothing that is answered depends on what was not seen


async def answers(unseen: bool) -> list[Any]:
    """All that Ann is ever answered, byte for byte."""
    found: list[Any] = []
    async with open_log(":memory:") as log, served(log, control=CONTROL) as server:
        await log.append("arras", arras(unseen))
        token = (await server.access.tokens.give("arras", "Ann")).token
        queries: list[dict[str, Any]] = [{}, {"as": "Bob"}, {"upto": 3}, {"after": 7, "limit": 2}]
        moments = ["end", "0", "#3", "#18", "#25", "#40", "E1", "E2", "E3", "E4", "who did it"]
        moments += [f"E{e}.T{t}" for e in (1, 2, 3) for t in range(5)] + ["@2000-01-01T12:00"]
        queries += [{"at": at} for at in moments]
        queries += [{"at": at, "as": "Ann", "words": "alone"} for at in moments]
        queries += [{"about": "alone"}, {"event": 9, "character": "Ann", "at": "end"}]
        queries += [{"who": "Ann,Bob"}, {"at": "E3.T1", "who": "Pol"}]
        for route in server.server.app.router.routes():
            path = filled(route, "arras")
            found += [
                (path, query, await ask(server, path, token, route.method, **query))
                for query in (queries if path.startswith("/api/v1/worlds/") else [{}])
            ]
        for at in moments:
            path = "/api/v1/worlds/arras/stream"
            headers = {"Authorization": f"Bearer {token}"}
            async with server.client.get(path, params={"from": at}, headers=headers) as response:
                if response.status in (403, 404):
                    found.append((at, await response.text()))
                    continue
            params = {"from": at, "token": token}
            async with server.client.ws_connect(path, params=params) as socket:
                while True:
                    message = await socket.receive()
                    found.append((at, message.data))
                    if '"live"' in message.data:
                        break
    return found


async def test_no_answer_to_a_character_depends_on_what_it_did_not_see() -> None:
    for without, beside in zip(await answers(False), await answers(True), strict=True):
        assert without == beside


async def test_a_hidden_listener_stays_hidden_from_those_who_are_listened_to() -> None:
    async with open_log(":memory:") as log, served(log, control=CONTROL) as server:
        await log.append("arras", arras(unseen=True))

        async def present(who: str) -> set[str]:
            token = (await server.access.tokens.give("arras", who)).token
            page = await told(server, "/api/v1/worlds/arras/events", token)
            return {name for one in page["events"] for name in one.get("present", ())}

        assert await present("Ann") == {"Bob"}
        assert await present("Pol") == {"Ann", "Bob"}


async def test_what_happens_unseen_moves_nothing_on_a_characters_stream() -> None:
    async with open_log(":memory:") as log, served(log, control=CONTROL) as server:
        await log.append("arras", arras(unseen=True))
        token = (await server.access.tokens.give("arras", "Ann")).token
        count = len(await log.view("arras", "Ann"))
        path = f"/api/v1/worlds/arras/stream?token={token}&from=%23{count}"
        async with server.client.ws_connect(path) as socket, asyncio.timeout(PATIENCE):
            assert (await socket.receive_json())["type"] == "hello"
            assert await socket.receive_json() == {"type": "live", "upto": count}
            for number in range(5):
                await log.append(
                    "arras",
                    [
                        Draft(
                            Acted(f"{number}"),
                            at=None,
                            episode=9,
                            turn=1,
                            actor="Pol",
                            place=None,
                            witnesses=("Pol",),
                        )
                    ],
                )
            await log.append(
                "arras",
                [
                    Draft(
                        Acted("Ho!"),
                        at=None,
                        episode=9,
                        turn=4,
                        actor="Ann",
                        place=None,
                        witnesses=("Ann", "Pol"),
                    )
                ],
            )
            message = await socket.receive_json()
            assert message["upto"] == count + 1
            (one,) = message["events"]
            assert (one["number"], one["episode"], one["turn"]) == (count + 1, 3, 1)
            assert "present" not in one
