"""The description of the server: what programs are made from."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest
from diner_world import WORLD
from whoknew_server import Served, served

from whoknew.engine.server.api import ROUTES
from whoknew.eventlog import Log


async def described(server: Served) -> dict[str, Any]:
    async with server.client.get("/api/v1/openapi.json") as response:
        found: dict[str, Any] = await response.json()
    return found


async def test_each_operation_has_a_name_of_its_own_and_tells_what_it_is_about(
    server: Served,
) -> None:
    paths = (await described(server))["paths"]
    operations = [one for path in paths.values() for one in path.values()]
    names = [one["operationId"] for one in operations]
    assert len(set(names)) == len(names) == len(ROUTES)
    assert {tag for one in operations for tag in one["tags"]} == {
        "worlds",
        "runs",
        "exams",
        "tokens",
        "server",
    }
    assert all(one["summary"] for one in operations)


async def test_who_may_ask_the_stream_and_the_metrics_are_described(server: Served) -> None:
    found = await described(server)
    schemes = found["components"]["securitySchemes"]
    assert schemes["bearer"] == {"type": "http", "scheme": "bearer"} | schemes["bearer"]
    assert {} in found["security"] and {"bearer": []} in found["security"]
    paths = found["paths"]
    assert paths["/api/v1/health"]["get"]["security"] == []
    assert "text/plain" in paths["/metrics"]["get"]["responses"]["200"]["content"]
    stream = paths["/api/v1/worlds/{world}/stream"]["get"]["responses"]
    assert "101" in stream
    schema = stream["200"]["content"]["text/event-stream"]["schema"]
    assert len(schema["oneOf"]) == 2, "to whoever may see all, and to a character"


async def test_every_route_that_is_got_answers_head(server: Served) -> None:
    for path in ("/", "/metrics", "/api/v1/openapi.json", "/api/v1/worlds"):
        async with server.client.get(path) as got, server.client.head(path) as asked:
            assert asked.status == got.status == 200
            assert await asked.read() == b""
            assert asked.headers["Content-Type"] == got.headers["Content-Type"]
    one = f"/api/v1/worlds/{WORLD}"
    async with server.client.head(f"{one}/events", params={"limit": "x"}) as asked:
        assert (asked.status, await asked.read()) == (400, b"")
    gotten = {route.path for route in ROUTES if route.method == "GET" and not route.streams}
    routed = server.server.app.router.routes()
    assert gotten <= {one.resource.canonical for one in routed if one.method == "HEAD"}


async def test_what_is_asked_of_an_older_address_is_told_where_to_look(server: Served) -> None:
    async with server.client.get("/api/worlds") as response:
        assert response.status == 404
        assert "/api/v1/openapi.json" in (await response.json())["error"]


async def test_a_client_that_a_generator_makes_of_it_works(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By openapi-python-client: no route is left out, and what it asks is answered."""
    async with served(log, control="c" * 20) as server:
        (tmp_path / "openapi.json").write_bytes(msgspec.json.encode(await described(server)))
        made = await asyncio.to_thread(generated, tmp_path)
        assert "Error" not in made and "WARNING" not in made, made
        monkeypatch.syspath_prepend(tmp_path)
        there = {file.stem for file in tmp_path.glob("whoknew_client/api/*/*.py")}
        assert there >= {route.name for route in ROUTES}
        client = import_module("whoknew_client").AuthenticatedClient(server.url, "c" * 20)
        with client:
            seen = await asyncio.to_thread(asked, client)
    assert seen == (WORLD, ["#1", "#2", "#3"], "present", "told", f"{WORLD}-else")


def generated(folder: Path) -> str:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"),
            *("--path", "openapi.json", "--output-path", "whoknew_client"),
        ],
        check=True,
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
    )
    return done.stdout + done.stderr


def asked(client: Any) -> tuple[Any, ...]:
    """What somebody would ask who has nothing but the client."""
    worlds = import_module("whoknew_client.api.worlds.get_world").sync(WORLD, client=client)
    page = import_module("whoknew_client.api.worlds.list_events").sync(
        WORLD, client=client, limit=3, upto=3
    )
    matrix = import_module("whoknew_client.api.worlds.list_knowledge").sync(
        WORLD, client=client, about="cannot taste", at="E5"
    )
    cells = {one.character: one.answer for one in matrix.rows[0].cells}
    fork = import_module("whoknew_client.models").Fork(at="E2", name=f"{WORLD}-else")
    made = import_module("whoknew_client.api.worlds.fork_world").sync(
        WORLD, client=client, body=fork
    )
    return (
        worlds.name,
        [f"#{one.seq}" for one in page.events],
        cells["Dorte"].value,
        cells["Vera"].value,
        made.world,
    )
