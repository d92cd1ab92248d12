"""What is wrong with a request, told in plain words."""

from __future__ import annotations

from io import BytesIO

import pytest
from server_requests import ONE, get
from whoknew_server import Served


@pytest.mark.parametrize(
    ("path", "values", "status", "what"),
    [
        ("/api/v1/worlds/nope", {}, 404, "no world 'nope'"),
        (f"{ONE}/events", {"as": "Verra"}, 404, "did you mean 'Vera'"),
        (f"{ONE}/events", {"limit": "x"}, 400, "limit"),
        (f"{ONE}/events", {"limit": "5000"}, 400, "limit"),
        (f"{ONE}/events", {"after": "-1"}, 400, "after"),
        (f"{ONE}/knowledge", {}, 400, "no secrets marked"),
        (f"{ONE}/knowledge", {"at": "#99999", "about": "1"}, 404, "ends at"),
        (f"{ONE}/cursor", {"at": "@x"}, 400, "story time"),
        (f"{ONE}/trace", {"at": "end"}, 400, "event"),
        ("/api/v1/nothing", {}, 404, "nothing at"),
        ("/api/v1/worlds/nope/stream", {}, 404, "no world"),
    ],
)
async def test_what_is_wrong_is_told(
    server: Served, path: str, values: dict[str, str], status: int, what: str
) -> None:
    assert what in (await get(server, path, status, **values))["error"]


@pytest.mark.parametrize(
    ("method", "path", "what"),
    [
        ("GET", f"{ONE}/knowledge", "(`about` TEXT)"),
        ("GET", f"{ONE}/knowledge?doubtful=true&only=Vera", "leave out `only` and `not`"),
        ("GET", f"{ONE}/knowledge?only=Vera&not=Emil", "(`only`)"),
        ("GET", f"{ONE}/compare", "(`who` A,B)"),
        ("GET", f"{ONE}/compare?who=Vera,Emil&other=x", "(`who` A,B)"),
        ("GET", f"{ONE}/story?as=Vera&about=%231", "draw it without `as`"),
        ("POST", f"{ONE}/forks {{'about': [3]}}", "say which (`replace`)"),
        ("POST", f"{ONE}/forks {{'tell': [['Vera', '']]}}", "nothing is said to Vera"),
        ("POST", f"{ONE}/forks {{'unheard': [[89, 'Emil']]}}", "leave `unheard` out"),
        ("POST", f"{ONE}/forks {{'heard': [[89, 'Emil']], 'replace': [9, 'x']}}", "(`replace`)"),
    ],
)
async def test_what_is_asked_over_http_is_told_by_its_fields(
    server: Served, method: str, path: str, what: str
) -> None:
    path, _, body = path.partition(" ")
    data = body.replace("'", '"') or None
    async with server.client.request(method, path, data=data) as response:
        assert response.status == 400
        told = (await response.json())["error"]
    assert what in told
    assert "--" not in told and "whoknew " not in told


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", f"{ONE}/ask", "POST"),
        ("DELETE", f"{ONE}/marks", "POST"),
        ("POST", f"{ONE}/knowledge", "GET, HEAD"),
        ("PUT", "/api/v1/runs", "GET, HEAD, POST"),
    ],
)
async def test_another_method_is_told_that_is_answered_there(
    server: Served, method: str, path: str, allowed: str
) -> None:
    async with server.client.request(method, path) as response:
        assert response.status == 405
        assert response.headers["Allow"] == allowed.replace(" ", "")
        told = (await response.json())["error"]
    assert told == f"{method} is not answered at {path}: use {allowed.replace(', ', ' or ')}"


async def test_nothing_is_answered_where_nothing_is(server: Served) -> None:
    for method in ("GET", "POST", "DELETE", "OPTIONS"):
        async with server.client.request(method, "/api/v1/nothing") as response:
            assert response.status == 404
            assert "there is nothing at" in (await response.json())["error"]


async def test_bodies_that_are_wrong_or_too_large_are_refused(server: Served) -> None:
    for body, status in (
        ("{", 400),
        ("[]", 400),
        ('{"question": "?"}', 400),
        (" " * 2_000_000, 413),
    ):
        data = BytesIO(body.encode())
        async with server.client.post(f"{ONE}/ask", data=data) as response:
            assert response.status == status
            assert (await response.json())["error"]
