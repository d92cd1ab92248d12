"""What a request gives beside what its route takes is an error, and so is what never comes."""

from __future__ import annotations

from typing import Any

import pytest
from diner_world import WORLD
from whoknew_server import Served

from whoknew.engine.server.routes import NoBody
from whoknew.eventlog import Log


async def test_no_route_takes_a_field_that_it_does_not_know(server: Served, log: Log) -> None:
    head = (await log.lineage.find(WORLD)).head
    for route in server.server._api.routes:
        path = route.path.format(world=WORLD, run="1", token="x")
        given: list[tuple[dict[str, str], Any]] = [({"xyz": "1"}, None)] + (
            [({}, {"xyz": 1})] if route.method == "POST" else []
        )
        for query, body in given:
            async with server.client.request(
                route.method, path, params=query, json=body
            ) as response:
                error = (await response.json())["error"]
                assert response.status == 400, (route.path, error)
                assert "'xyz', which is not known here" in error
                kind = route.query if query else route.body
                known = kind.__struct_encode_fields__
                what = f"takes {', '.join(known)}" if kind is not NoBody else "takes nothing"
                assert what in error
    async with server.client.get(f"/worlds/{WORLD}/stream?form=%233") as response:
        assert "did you mean 'from'?" in (await response.json())["error"]
    assert (await log.lineage.find(WORLD)).head == head


async def test_a_mistyped_field_is_told_what_was_meant(server: Served) -> None:
    one = f"/api/worlds/{WORLD}"
    async with server.client.get(f"{one}/events", params={"limt": 3}) as response:
        assert "did you mean 'limit'?" in (await response.json())["error"]
    question = {"caracter": "Vera", "question": "Who?", "save": False}
    async with server.client.post(f"{one}/ask", json=question) as response:
        assert "did you mean 'character'?" in (await response.json())["error"]
    async with server.client.get(f"{one}/cursor?at=E1&at=E2") as response:
        assert "'at' 2 times" in (await response.json())["error"]


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"3", b"{", b"\xff", b"[" * 100_000])
async def test_a_body_that_is_no_object_is_refused(server: Served, body: bytes) -> None:
    async with server.client.post(f"/api/worlds/{WORLD}/marks", data=body) as response:
        assert response.status == 400
        assert (await response.json())["error"]


async def test_a_route_that_takes_nothing_needs_no_body(server: Served) -> None:
    for body in (b"", b"{}"):
        async with server.client.post("/api/runs/9/pause", data=body) as response:
            assert response.status == 404


async def test_what_a_client_expects_in_vain_is_told_as_json(server: Served) -> None:
    for method, path in (("GET", "/api/worlds"), ("POST", "/nowhere")):
        async with server.client.request(method, path, headers={"Expect": "magic"}) as response:
            assert response.status == 417
            assert "magic" in (await response.json())["error"]
