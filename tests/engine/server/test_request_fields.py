"""What a request gives beside what its route takes is an error, and so is what never comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from diner_world import WORLD
from msgspec.inspect import StructType, Type, type_info
from whoknew_server import Served

from whoknew.engine.server.api import ROUTES
from whoknew.engine.server.routes import NoBody
from whoknew.eventlog import Log


async def test_no_route_takes_a_field_that_it_does_not_know(server: Served, log: Log) -> None:
    head = (await log.lineage.find(WORLD)).head
    for route in ROUTES:
        path = route.path.format(
            world=WORLD, run="1", token="x", exam="e", cell="c", invitation="i"
        )
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
                kind = route.answering.query if query else route.answering.body
                known = kind.__struct_encode_fields__
                what = f"takes {', '.join(known)}" if kind is not NoBody else "takes nothing"
                assert what in error
    async with server.client.get(f"/api/v1/worlds/{WORLD}/stream?form=%233") as response:
        assert "did you mean 'from'?" in (await response.json())["error"]
    assert (await log.lineage.find(WORLD)).head == head


def test_every_text_and_list_of_a_query_and_a_body_has_a_bound() -> None:
    for route in ROUTES:
        for kind in map(type_info, (route.answering.query, route.answering.body)):
            assert isinstance(kind, StructType)
            for field in kind.fields:
                for one in within(field.type):
                    bound = getattr(one, "max_length", 1)
                    assert bound is not None, (route.path, field.encode_name)


def within(kind: Type) -> Iterator[Type]:
    """A type, and those that it is made of."""
    yield kind
    inner = [getattr(kind, "item_type", None), *getattr(kind, "types", ())]
    for one in [*inner, *getattr(kind, "item_types", ())]:
        if one is not None:
            yield from within(one)


async def test_a_mistyped_field_is_told_what_was_meant(server: Served) -> None:
    one = f"/api/v1/worlds/{WORLD}"
    async with server.client.get(f"{one}/events", params={"limt": 3}) as response:
        assert "did you mean 'limit'?" in (await response.json())["error"]
    question = {"caracter": "Vera", "question": "Who?", "save": False}
    async with server.client.post(f"{one}/ask", json=question) as response:
        assert "did you mean 'character'?" in (await response.json())["error"]
    async with server.client.get(f"{one}/cursor?at=E1&at=E2") as response:
        assert "'at' 2 times" in (await response.json())["error"]


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"3", b"{", b"\xff", b"[" * 100_000])
async def test_a_body_that_is_no_object_is_refused(server: Served, body: bytes) -> None:
    async with server.client.post(f"/api/v1/worlds/{WORLD}/marks", data=body) as response:
        assert response.status == 400
        assert (await response.json())["error"]


@pytest.mark.parametrize(
    ("path", "body", "name"),
    [
        ("/runs", '{"world": "harbour", "world": "flatmates"}', "world"),
        (f"/worlds/{WORLD}/marks", '{"name": "x", "at": "E1", "n\\u0061me": "y"}', "name"),
        (f"/worlds/{WORLD}/forks", '{"tell": [["Vera", "x"]], "at": "E1", "tell": []}', "tell"),
    ],
)
async def test_a_field_that_is_given_twice_is_refused(
    server: Served, path: str, body: str, name: str
) -> None:
    async with server.client.post(f"/api/v1{path}", data=body) as response:
        assert response.status == 400
        said = (await response.json())["error"]
    assert said == f"the body is unclear: the key {name!r} stands there twice: leave one out"


@pytest.mark.parametrize(
    ("route", "query", "said"),
    [
        ("events", {"limit": "ten"}, 'limit: must be a whole number from 1 to 1000, got "ten"'),
        ("events", {"limit": "5000"}, 'limit: must be a whole number from 1 to 1000, got "5000"'),
        ("events", {"after": "-1"}, 'after: must be a whole number of 0 or more, got "-1"'),
        (
            "events",
            {"as": "x" * 999},
            "as: must be a text of 400 characters at most, got a text of 999 ",
        ),
        ("knowledge", {"sure": "2"}, 'sure: must be a number from 0 to 1, got "2"'),
    ],
)
async def test_a_query_of_another_kind_is_told_by_its_field(
    server: Served, route: str, query: dict[str, str], said: str
) -> None:
    async with server.client.get(f"/api/v1/worlds/{WORLD}/{route}", params=query) as response:
        assert response.status == 400
        assert (await response.json())["error"].startswith(said)


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("marks", b'{"name": 3}', "name: must be a text of 400 characters at most, got 3"),
        ("marks", b"{}", "name: is missing: give a text of 400 characters at most"),
        ("marks", b'{"name": "x", "secret": "no"}', 'secret: must be true or false, got "no"'),
        ("forks", b'{"about": [1, "2"]}', 'about[1]: must be a whole number, got "2"'),
        (
            "forks",
            b'{"about": 3}',
            "about: must be a list of 1000 at most, each of it a whole number, got 3",
        ),
        (
            "forks",
            b'{"tell": [["A"]]}',
            "tell[0]: must be a list of 2: a text of 400 characters at most and a text of 20000",
        ),
        (
            "forks",
            b'{"replace": {}}',
            "replace: must be a list of 2: a whole number and a text of 20000 characters at most, got",
        ),
        ("marks", b'{"name": "Chris', "the body is not JSON: it ends in the middle (at byte 15)"),
        ("marks", b'{"name" "x"}', "the body is not JSON: expected ':' (at byte 8)"),
        (
            "marks",
            b'{"name": "x"}}',
            "the body is not JSON: something follows its end (at byte 14)",
        ),
        ("marks", b'{"name": "\xff"}', "the body is not JSON: it is not UTF-8 (at byte 10)"),
        ("marks", b'{"name": 1e999}', "the body is not JSON: it holds a number that is too large"),
        ("marks", b"[" * 60_000, "the body is nested too deep"),
        ("marks", b"[" * 100_000, "the body does not fit: Expected `object`, got `array`"),
        ("marks", b"[]", "the body must be a JSON object: it takes name, at, secret"),
        ("marks", b"", "the body is empty: send a JSON object: it takes name, at, secret"),
    ],
)
async def test_a_body_that_is_wrong_is_told_in_plain_words(
    server: Served, path: str, body: bytes, said: str
) -> None:
    async with server.client.post(f"/api/v1/worlds/{WORLD}/{path}", data=body) as response:
        assert response.status == 400
        assert (await response.json())["error"].startswith(said)


async def test_what_nobody_asked_for_is_not_taken_apart(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has no token, too, can send a megabyte: of that only the names are looked at."""

    def never(*given: Any) -> Any:
        raise AssertionError("it was taken apart")

    monkeypatch.setattr("whoknew.engine.server.decoding.json_lines.decoded", never)
    monkeypatch.setattr("whoknew.engine.server.decoding._fault", never)
    lists = b"[" + b",".join([b"[]"] * 330_000) + b"]"
    for path, name, said in (
        ("health", b"x", "the body gives 'x', which is not known here: it takes nothing"),
        (f"worlds/{WORLD}/forks", b"x", "the body gives 'x', which is not known here"),
        (f"worlds/{WORLD}/forks", b"tell", "the body does not fit: Expected `array` of length 2"),
    ):
        method = "GET" if path == "health" else "POST"
        body = b'{"%b": %b}' % (name, lists)
        async with server.client.request(method, f"/api/v1/{path}", data=body) as response:
            assert response.status == 400
            assert (await response.json())["error"].startswith(said)


async def test_a_route_that_takes_nothing_needs_no_body(server: Served) -> None:
    for body in (b"", b"{}"):
        async with server.client.post("/api/v1/runs/9/pause", data=body) as response:
            assert response.status == 404


async def test_what_a_client_expects_in_vain_is_told_as_json(server: Served) -> None:
    for method, path in (("GET", "/api/v1/worlds"), ("POST", "/nowhere")):
        async with server.client.request(method, path, headers={"Expect": "magic"}) as response:
            assert response.status == 417
            assert "magic" in (await response.json())["error"]
