"""Who may ask a server, from where, and what a page may load."""

from __future__ import annotations

from typing import Any

import pytest
from diner_world import WORLD
from server_requests import ONE
from whoknew_server import Served, served

from whoknew.eventlog import Log


async def test_a_page_from_elsewhere_may_not_ask(server: Served) -> None:
    evil = {"Origin": "http://evil.example"}
    async with server.client.post(f"{ONE}/marks", json={"name": "x"}, headers=evil) as response:
        assert response.status == 403
    async with server.client.get("/api/v1/worlds", headers={"Host": "evil.example"}) as response:
        assert response.status == 403
    own = {"Origin": server.url}
    async with server.client.post(f"{ONE}/marks", json={"name": "y"}, headers=own) as response:
        assert response.status == 200
    with pytest.raises(Exception, match="403"):
        await server.client.ws_connect(
            f"/api/v1/worlds/{WORLD}/stream", origin="http://evil.example"
        )


async def test_every_answer_says_what_a_page_may_load(server: Served) -> None:
    for path in ("/", "/world.js", "/api/v1/worlds", "/api/v1/nothing"):
        async with server.client.get(path) as response:
            policy = response.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_files_of_the_machine_are_not_the_pages(server: Served) -> None:
    for path in ("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/app.py", "/etc/passwd"):
        async with server.client.get(path) as response:
            assert "import" not in (await response.text())[:40]


async def test_tokens_differ_in_what_they_may(log: Log) -> None:
    async with served(log, control="c" * 20, read="r" * 20) as server:
        view = (await server.access.tokens.give(WORLD, "Vera")).token
        control, read = "c" * 20, "r" * 20

        async def status(method: str, path: str, token: str | None, body: Any = None) -> int:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            async with server.client.request(method, path, headers=headers, json=body) as response:
                return response.status

        hers, his = f"{ONE}/events?as=Vera", f"{ONE}/events?as=Emil"
        assert [await status("GET", "/api/v1/worlds", one) for one in (None, "x", view, read)] == [
            401,
            401,
            403,
            200,
        ]
        assert [await status("GET", hers, one) for one in (view, read, control)] == [200, 200, 200]
        for path in (
            his,
            f"{ONE}/knowledge?about=1",
            "/api/v1/worlds/x/events?as=Vera",
        ):
            assert await status("GET", path, view) == 403, path
        asked = {"character": "Emil", "question": "?", "save": False}
        assert await status("POST", f"{ONE}/ask", view, asked) == 403
        assert await status("POST", f"{ONE}/ask", read, asked) == 200
        assert await status("POST", f"{ONE}/ask", read, {**asked, "save": True}) == 403
        for model in ("model", "judge_model"):
            given = {**asked, model: "http://x/v1#m"}
            assert await status("POST", f"{ONE}/ask", read, given) == 403
        assert await status("POST", f"{ONE}/marks", read, {"name": "x"}) == 403
        assert await status("POST", f"{ONE}/marks", control, {"name": "x"}) == 200
        assert await status("GET", "/api/v1/health", None) == 200
        assert await status("GET", "/metrics", view) == 403
        for path in (f"{ONE}/cursor?at=a+secret", f"{ONE}/recall?as=Vera&words=x&at=a+secret"):
            assert await status("GET", path, view) == 403, path
        headers = {"Authorization": f"Bearer {view}"}
        async with server.client.get(ONE, headers=headers) as response:
            hers = await response.json()
        assert hers["character"] == "Vera"
        assert hers["events"] == len(await log.view(WORLD, "Vera"))
        hers = f"{ONE}/events?as=Vera"
        forged = view[:-4] + "0000"
        assert await status("GET", hers, forged) == 401
        for path in ("stream", "stream?as=Emil", f"stream?token={view}&as=Emil"):
            with pytest.raises(Exception, match=r"40[13]"):
                await server.client.ws_connect(f"/api/v1/worlds/{WORLD}/{path}")
        async with server.client.ws_connect(
            f"/api/v1/worlds/{WORLD}/stream?token={view}&as=Vera"
        ) as socket:
            assert (await socket.receive_json())["type"] == "hello"


async def test_who_is_nobody_is_told_how_to_come_again(log: Log) -> None:
    async with served(log, control="c" * 20) as server:
        for path in ("/api/v1/worlds", "/metrics", f"/api/v1/worlds/{WORLD}/stream"):
            for headers in ({}, {"Authorization": "Bearer wrong"}):
                async with server.client.get(path, headers=headers) as response:
                    assert response.status == 401, path
                    assert response.headers["WWW-Authenticate"].startswith("Bearer ")
                    assert "Authorization: Bearer TOKEN" in (await response.json())["error"]


async def test_a_page_of_another_site_changes_nothing(server: Served, log: Log) -> None:
    head = (await log.lineage.find(WORLD)).head
    for site in ("cross-site", "same-site"):
        for headers in ({}, {"Origin": server.url}):
            given = {"Sec-Fetch-Site": site, **headers}
            async with server.client.post(
                f"{ONE}/marks", json={"name": "x"}, headers=given
            ) as response:
                assert response.status == 403, given
                assert site in (await response.json())["error"]
        with pytest.raises(Exception, match="403"):
            await server.client.ws_connect(
                f"/api/v1/worlds/{WORLD}/stream", headers={"Sec-Fetch-Site": site}
            )
    assert (await log.lineage.find(WORLD)).head == head
    own = {"Sec-Fetch-Site": "same-origin", "Origin": server.url}
    async with server.client.post(f"{ONE}/marks", json={"name": "x"}, headers=own) as response:
        assert response.status == 200
    for origin in ("null", "http://[", "http://evil.example"):
        async with server.client.post(
            f"{ONE}/marks", json={"name": "y"}, headers={"Origin": origin}
        ) as response:
            assert response.status == 403, origin
