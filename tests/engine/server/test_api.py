"""What a server tells about itself, and how much there is of what it lists."""

from __future__ import annotations

from diner_world import WORLD
from server_requests import get
from whoknew_server import Served

from whoknew.eventlog import Log


async def test_metrics_and_version(server: Served) -> None:
    await get(server, "/api/v1/nothing", 404)
    for method in ("DELETE", "PUT"):
        async with server.client.request(method, "/api/v1/worlds") as response:
            assert response.status == 405
    async with server.client.get("/metrics") as response:
        text = await response.text()
    for method, status in (("GET", 404), ("DELETE", 405), ("other", 405)):
        assert f'whoknew_requests_total{{method="{method}",status="{status}"}} 1' in text
    assert (await get(server, "/api/v1/version"))["protocol"] == "whoknew.v1"


async def test_lists_say_how_many_there_are_in_all(server: Served, log: Log) -> None:
    await log.fork(WORLD, "again", "E2")
    await server.access.tokens.give(WORLD, "Vera")
    await server.access.tokens.give(WORLD, "Emil")
    asked = {"worlds": {"limit": 1}, "tokens": {"skip": 1}, "runs": {"before": 7}}
    found = {}
    for what, query in asked.items():
        async with server.client.get(f"/api/v1/{what}", params=query) as response:
            rows = await response.json()
            found[what] = len(rows), int(response.headers["X-Total-Count"])
            if what == "worlds":
                assert (rows[0]["name"], rows[0]["origin"]) == ("again", "fork")
    assert found == {"worlds": (1, 2), "tokens": (1, 2), "runs": (0, 0)}
    async with server.client.get("/api/v1/openapi.json") as response:
        path = (await response.json())["paths"]["/api/v1/runs"]["get"]
    assert "X-Total-Count" in path["responses"]["200"]["headers"]
