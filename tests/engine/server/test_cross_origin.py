"""Pages of other sites: those that are let in may ask, and no others."""

from __future__ import annotations

import pytest
from diner_world import WORLD
from whoknew_server import served

from whoknew.engine.server.cross_origin import origins_of
from whoknew.engine.server.errors import BadOrigin
from whoknew.eventlog import Log

HOME, AWAY = "https://lab.example", "https://evil.example"
ONE = f"/api/v1/worlds/{WORLD}"


async def test_a_site_that_is_let_in_may_ask_and_no_other(log: Log) -> None:
    async with served(log, control="c" * 20, origins=[HOME]) as server:
        token = {"Authorization": f"Bearer {'c' * 20}"}
        asks = {"Access-Control-Request-Method": "POST"}
        for origin, status in ((HOME, 204), (AWAY, 403)):
            headers = {"Origin": origin, "Sec-Fetch-Site": "cross-site"}
            async with server.client.options(f"{ONE}/marks", headers=headers | asks) as asked:
                assert asked.status == status
                allowed = asked.headers.get("Access-Control-Allow-Origin")
                assert allowed == (HOME if origin == HOME else None)
            body = {"name": f"mark-{status}"}
            sent = headers | token
            async with server.client.post(f"{ONE}/marks", json=body, headers=sent) as done:
                assert done.status == (200 if origin == HOME else 403)
        for path, status in ((ONE, 200), (f"{ONE}x", 404), ("/", 200)):
            async with server.client.get(path, headers={"Origin": HOME} | token) as found:
                assert found.status == status
                assert found.headers["Access-Control-Allow-Origin"] == HOME
                assert found.headers["Vary"] == "Origin"
                assert "Access-Control-Allow-Credentials" not in found.headers
            async with server.client.get(path, headers={"Origin": AWAY} | token) as found:
                assert "Access-Control-Allow-Origin" not in found.headers
                assert found.headers["Vary"] == "Origin"


async def test_a_site_that_is_let_in_needs_a_token_as_everybody_does(log: Log) -> None:
    async with served(log, control="c" * 20, origins=[HOME]) as server:
        async with server.client.get(ONE, headers={"Origin": HOME}) as found:
            assert found.status == 401
            assert found.headers["Access-Control-Allow-Origin"] == HOME, "so its page can say why"
        with pytest.raises(Exception, match="401"):
            await server.client.ws_connect(f"{ONE}/stream", origin=HOME)
        at = f"{ONE}/stream?token={'c' * 20}"
        async with server.client.ws_connect(at, origin=HOME) as socket:
            assert (await socket.receive_json())["type"] == "hello"
        with pytest.raises(Exception, match="403"):
            await server.client.ws_connect(at, origin=AWAY)


async def test_where_nobody_is_let_in_nothing_is_said_of_it(log: Log) -> None:
    async with served(log) as server:
        async with server.client.get(ONE, headers={"Origin": HOME}) as found:
            assert found.status == 200
            assert not {"Vary", "Access-Control-Allow-Origin"} & set(found.headers)
        asks = {"Origin": HOME, "Access-Control-Request-Method": "GET"}
        async with server.client.options(ONE, headers=asks) as asked:
            assert asked.status in (403, 405)


def test_a_site_is_named_as_browsers_name_it() -> None:
    assert origins_of(["HTTP://Localhost:3000/", HOME]) == {"http://localhost:3000", HOME}
    for wrong in ("*", "null", "lab.example", "https://", "https://a.example/page", "file:///x"):
        with pytest.raises(BadOrigin, match=r"give its scheme, name and port"):
            origins_of([wrong])
