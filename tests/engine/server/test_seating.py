"""Seats in browsers: sitting down binds one; nobody without a token of its own sees more than the
public part meanwhile, whatever it drops, asks or follows."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

import pytest_asyncio
from aiohttp import ClientSession, CookieJar
from diner_world import WORLD
from served_runs import heard
from waiting import until
from whoknew_server import Served, begun, play_on, says, served
from yarl import URL

from whoknew.engine.server.connections import TimeOuts
from whoknew.engine.server.seating import COOKIE
from whoknew.eventlog import Log

ONE = f"/api/v1/worlds/{WORLD}"
CONTROL = "c" * 20
NONE: dict[str, str] = {}


class Browser:
    """One that keeps its cookies."""

    def __init__(self, server: Served) -> None:
        self.session = ClientSession(server.url, cookie_jar=CookieJar(unsafe=True))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.session.close()

    async def ask(self, path: str, status: int = 200, *, method: str = "GET", **given: Any) -> Any:
        async with self.session.request(method, path, **given) as response:
            found = await response.json()
            assert response.status == status, (path, found)
            return found

    async def seat(self, server: Served, who: str, world: str = WORLD) -> None:
        """The seat as this browser has it, that sat down while the world was played."""
        given = await server.access.tokens.give(world, who, seat=True)
        self.session.cookie_jar.update_cookies({COOKIE + given.id: given.token}, URL(server.url))

    async def sit(
        self, who: str, status: int = 200, world: str = WORLD, headers: dict[str, str] = NONE
    ) -> Any:
        path = f"/api/v1/worlds/{world}/seats"
        body = {"character": who}
        return await self.ask(path, status, method="POST", json=body, headers=headers)


@pytest_asyncio.fixture(loop_scope="session")
async def played(server: Served, log: Log) -> Served:
    """A world "mine" is played, and waits for Vera; Emil and Dorte are people, too."""
    await log.fork(WORLD, "mine", "E9")
    await play_on(server, "mine", "Vera", "Emil", "Dorte")
    return server


async def test_a_browser_that_sits_down_is_sent_what_its_character_perceives(
    server: Served, log: Log
) -> None:
    async with Browser(server) as vera:
        assert any("witnesses" in one for one in (await vera.ask(f"{ONE}/events"))["events"])
        await vera.seat(server, "Vera")
        hers = await vera.ask(ONE)
        assert (hers["character"], hers["events"]) == ("Vera", len(await log.view(WORLD, "Vera")))
        page = await vera.ask(f"{ONE}/events", params={"limit": 1000})
        assert all(one["body"].get("owner", "Vera") == "Vera" for one in page["events"])
        await vera.ask(f"{ONE}/events", 403, params={"as": "Emil"})
        for path in ("knowledge?about=1", "prompts?at=E2.T3", "compare?who=Vera,Emil", "scores"):
            await vera.ask(f"{ONE}/{path}", 403)
        asked = {"character": "Dorte", "question": "?", "save": False}
        await vera.ask(f"{ONE}/ask", 403, method="POST", json=asked)
        async with vera.session.ws_connect(f"/api/v1/worlds/{WORLD}/stream") as socket:
            assert (await socket.receive_json())["who"] == "Vera"


async def test_who_drops_its_cookie_is_sent_the_public_part_and_no_more_than_its_character(
    server: Served, log: Log
) -> None:
    async with Browser(server) as vera, Browser(server) as stripped:
        await vera.seat(server, "Vera")
        public = await stripped.ask(ONE)
        assert public["character"] is None
        page = await stripped.ask(f"{ONE}/events", params={"limit": 1000})
        events = await (await log.director(WORLD)).events()
        assert page["events"]
        public_kinds = ("opened", "entered", "left", "acted", "narrated", "closed")
        for one in page["events"]:
            family, _, kind = one["body"]["kind"].partition(".")
            assert family == "episode" and kind in public_kinds
            alike = [
                event
                for event in events
                if (event.at.isoformat(), event.actor) == (one["at"], one.get("actor"))
                and type(event.body).__struct_config__.tag == one["body"]["kind"]
                and getattr(event.body, "text", "") == one["body"].get("text", "")
            ]
            assert alike and all("Vera" in event.witnesses for event in alike)
            assert all(getattr(event.body, "act", "") != "none" for event in alike)
        for path in ("knowledge?about=1", "prompts?at=E2.T3", "recall?as=Vera&words=x", "scores"):
            await stripped.ask(f"{ONE}/{path}", 403)
        await stripped.ask(f"{ONE}/events", 403, params={"as": "Vera"})
        async with stripped.session.ws_connect(f"/api/v1/worlds/{WORLD}/stream") as socket:
            assert "head" not in await socket.receive_json()
            heard = (await socket.receive_json())["events"]
            assert heard == page["events"]


async def test_no_way_around_leads_to_a_world_whose_seat_is_taken(server: Served, log: Log) -> None:
    await log.fork(WORLD, "copy", "E5")
    await begun(log, "other")
    async with Browser(server) as vera, Browser(server) as hostile:
        await vera.seat(server, "Vera")
        for method, path, body in (
            ("POST", f"{ONE}/forks", {"at": "E5"}),
            ("POST", f"{ONE}/marks", {"name": "x"}),
            ("POST", f"{ONE}/tellings", None),
            ("GET", f"{ONE}/tellings", None),
            ("POST", "/api/v1/tokens", {"world": WORLD, "character": "Emil"}),
            ("POST", "/api/v1/tokens", {"world": "copy", "character": "Emil"}),
            ("GET", "/api/v1/worlds/copy/knowledge?about=1", None),
            ("GET", f"/api/v1/worlds/other/compare?other={WORLD}", None),
            ("GET", f"/api/v1/worlds/{WORLD}/stream?as=Emil", None),
            ("GET", "/metrics", None),
            ("GET", "/api/v1/tokens", None),
        ):
            assert (await hostile.ask(path, 403, method=method, json=body))["error"], path
        (token,) = server.access.tokens.all()
        await hostile.ask(f"/api/v1/tokens/{token.id}", 403, method="DELETE")
        assert (await hostile.ask("/api/v1/worlds/copy"))["character"] is None
        lines = {line["name"]: line for line in await hostile.ask("/api/v1/worlds")}
        for name in (WORLD, "copy"):
            told = {field for field, value in lines[name].items() if value not in (None, "")}
            assert told <= {"name", "title", "parent", "characters"}
        assert lines["other"]["head"] == 4
        assert (await hostile.ask("/api/v1/worlds/other"))["head"] == 4


async def test_who_sits_down_gets_a_cookie_that_no_script_reads(played: Served) -> None:
    body = {"character": "Vera"}
    async with played.client.post("/api/v1/worlds/mine/seats", json=body) as response:
        cookie = response.headers["Set-Cookie"]
        assert cookie.startswith(COOKIE)
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        assert "token" not in await response.json()


async def test_two_browsers_take_two_seats_and_no_seat_is_taken_twice(played: Served) -> None:
    async with Browser(played) as vera, Browser(played) as emil:
        await vera.sit("Vera", world="mine")
        assert "taken" in (await emil.sit("Vera", 409, "mine"))["error"]
        await emil.sit("Emil", world="mine")
        assert "leave that seat first" in (await vera.sit("Dorte", 409, "mine"))["error"]
        assert (await vera.ask("/api/v1/worlds/mine"))["character"] == "Vera"
        assert (await emil.ask("/api/v1/worlds/mine"))["character"] == "Emil"


async def test_who_leaves_its_seat_makes_it_free(played: Served) -> None:
    async with Browser(played) as vera, Browser(played) as other:
        await vera.sit("Vera", world="mine")
        await vera.ask("/api/v1/runs/1/pause", method="POST")
        mine = "/api/v1/worlds/mine/seats"
        await other.ask(mine, 403, method="DELETE")
        await vera.ask(mine, method="DELETE")
        assert not list(vera.session.cookie_jar)
        assert "head" in await vera.ask("/api/v1/worlds/mine")
        await vera.ask("/api/v1/runs/1/resume", method="POST")
        await other.sit("Vera", world="mine")


async def test_no_seat_is_taken_in_a_world_that_nobody_plays(server: Served) -> None:
    async with Browser(server) as vera, Browser(server) as reader:
        refused = (await vera.sit("Vera", 409))["error"]
        assert "nobody plays" in refused and "fork" in refused
        assert server.access.tokens.all() == ()
        assert "head" in await reader.ask(ONE)


async def test_where_another_process_writes_the_log_who_wants_a_seat_is_told_that(log: Log) -> None:
    async with served(log, writable=False) as server, Browser(server) as vera:
        assert "another process writes" in (await vera.sit("Vera", 403))["error"]
        invited = {"json": {"character": "Vera"}, "method": "POST"}
        refused = (await vera.ask(f"{ONE}/invitations", 403, **invited))["error"]
        assert "another process writes" in refused
        assert server.access.tokens.all() == ()


async def test_a_seat_binds_its_browser_in_all_worlds_of_the_same_past(
    log: Log, played: Served
) -> None:
    """Whatever token it has: the past of a fork is that of the world in which it sits."""
    await begun(log, "other")
    await log.fork("mine", "copy", "#3")
    await log.fork("copy", "copy of it", "#3")
    control = {"Authorization": f"Bearer {CONTROL}"}
    async with served(log, control=CONTROL) as server, Browser(server) as vera:
        assert "head" in await vera.ask("/api/v1/worlds/copy", headers=control)
        await vera.seat(server, "Vera", "mine")
        for world in ("copy", "copy of it"):
            one = f"/api/v1/worlds/{world}"
            assert (await vera.ask(one, headers=control))["character"] is None
            for path in ("events?as=Emil", "compare?who=Vera,Emil", "knowledge?about=1"):
                await vera.ask(f"{one}/{path}", 403, headers=control)
            path = f"/api/v1/worlds/other/compare?other={world}"
            await vera.ask(path, 403, headers=control)
            assert "leave that seat" in (await vera.sit("Emil", 409, world, control))["error"]
        lines = {line["name"]: line for line in await vera.ask("/api/v1/worlds", headers=control)}
        assert lines["copy"]["head"] is None and lines["other"]["head"] is not None
        for path in ("/metrics", "/api/v1/tokens"):
            await vera.ask(path, 403, headers=control)
        assert "head" in await vera.ask("/api/v1/worlds/other", headers=control)


async def test_a_token_of_ones_own_sees_on(log: Log) -> None:
    async with served(log, control="c" * 20, read="r" * 20) as server, Browser(server) as browser:
        control = {"Authorization": f"Bearer {'c' * 20}"}
        await browser.seat(server, "Vera")
        assert (await browser.ask(ONE, headers=control))["character"] == "Vera"
        async with Browser(server) as reader:
            read = {"Authorization": f"Bearer {'r' * 20}"}
            assert "head" in await reader.ask(ONE, headers=read)
            await reader.ask(ONE, 401)


async def test_streams_that_saw_more_end_as_somebody_sits_down(played: Served) -> None:
    async with Browser(played) as vera, Browser(played) as other:
        async with other.session.ws_connect("/api/v1/worlds/mine/stream", max_msg_size=0) as socket:
            await heard(socket, "live")
            await vera.sit("Vera", world="mine")
            assert (await heard(socket, "bye"))["again"]
        async with vera.session.ws_connect("/api/v1/worlds/mine/stream") as socket:
            await heard(socket, "live")
            await vera.ask("/api/v1/runs/1/pause", method="POST")
            await vera.ask("/api/v1/worlds/mine/seats", method="DELETE")
            assert (await heard(socket, "bye"))["again"]


@asynccontextmanager
async def stalled(server: Served, world: str) -> AsyncIterator[None]:
    """A viewer that has gone to sleep: it takes nothing of what it is sent."""
    address = URL(server.url)
    assert address.host is not None and address.port is not None
    with socket.socket() as viewer:
        viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        viewer.connect((address.host, address.port))
        viewer.sendall(
            f"GET /api/v1/worlds/{world}/stream HTTP/1.1\r\nHost: {address.authority}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        await until(lambda: server.server.viewers)
        yield


async def test_whoever_sits_down_waits_for_no_viewer_that_does_not_read(log: Log) -> None:
    await log.fork(WORLD, "mine", "E9")
    await log.append("mine", [says("x" * 500_000, "Vera", ("Vera",)) for _ in range(40)])
    async with (
        served(log, patience=TimeOuts(taking=1e6)) as server,
        stalled(server, "mine"),
        Browser(server) as vera,
    ):
        await play_on(server, "mine", "Vera")
        await vera.sit("Vera", world="mine")
        assert list(vera.session.cookie_jar)
        assert (await vera.ask("/api/v1/worlds/mine"))["character"] == "Vera"
        await until(lambda: not server.server.viewers)


async def test_a_stream_ends_with_its_token(log: Log) -> None:
    async with served(log, control="c" * 20) as server:
        given = await server.access.tokens.give(WORLD, "Vera")
        path = f"/api/v1/worlds/{WORLD}/stream?token={given.token}"
        async with server.client.ws_connect(path) as socket:
            await heard(socket, "live")
            await server.access.tokens.revoke(given.id)
            await heard(socket, "bye")


async def test_while_a_world_is_played_the_seats_are_those_for_people_and_are_kept_to_the_end(
    server: Served,
) -> None:
    async with Browser(server) as vera:
        body = {"world": "midnight-diner", "name": "mine", "seats": ["Vera"]}
        await vera.ask("/api/v1/runs", method="POST", json=body)
        assert "people have the seats of Vera" in (await vera.sit("Emil", 409, "mine"))["error"]
        await vera.sit("Vera", world="mine")
        async with vera.session.ws_connect("/api/v1/worlds/mine/stream") as socket:
            assert (await heard(socket, "turn"))["character"] == "Vera"
            mine = "/api/v1/worlds/mine/seats"
            assert "its run is paused" in (await vera.ask(mine, 409, method="DELETE"))["error"]
            await socket.send_str('{"act": "speak", "text": "I am a person."}')
            await heard(socket, "taken")
        (line,) = await vera.ask("/api/v1/runs")
        assert (line["state"], line["turns"], line["ended"]) == ("playing", None, [])
        await vera.ask("/api/v1/runs/1/stop", method="POST")
        await vera.ask("/api/v1/worlds/mine/seats", method="DELETE")
        assert (await vera.ask("/api/v1/runs"))[0]["turns"] > 0
