"""What the server can be asked: each route is declared at the function that answers it, by the types
of what goes in and what comes out.

The description in OpenAPI is made of the same types.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import Struct

from whoknew.engine.server.access import Right

Handler = Callable[..., Awaitable[Any]]
Declared = TypeVar("Declared", bound=Handler)

WORLD = "/api/worlds/{world}"


class NoBody(Struct, frozen=True):
    """A request without anything in it."""


class Answering(Struct, frozen=True, kw_only=True):
    """A function that answers a route. It is given what it names: its `query` and its `body`, which
    a request is decoded into, and whatever of the server it needs; its `result` is the answer."""

    handler: Handler
    wanted: frozenset[str]
    query: type[Struct]
    body: type[Struct]
    result: Any


class Route(Struct, frozen=True, kw_only=True):
    """`own` is what answers a character, of all that it perceived; a route without that is refused
    to it."""

    method: str
    path: str
    right: Right
    answering: Answering
    own: Answering | None

    @property
    def summary(self) -> str:
        return (self.answering.handler.__doc__ or "").strip().split("\n")[0]

    @property
    def names(self) -> list[str]:
        return re.findall(r"{(\w+)}", self.path)


class RouteTable:
    """Routes, in the order in which their functions stand in their file."""

    def __init__(self) -> None:
        self.routes: list[Route] = []

    def add(
        self,
        asked: str,
        right: Right = Right.READ,
        *,
        own: Handler | None = None,
        result: Any = None,
        shared: bool = False,
    ) -> Callable[[Declared], Declared]:
        """The function below answers what is `asked`: a method and a path. A character is answered
        by its `own`, or by the same where that is `shared`. The `result` is said where the function
        makes a response of it itself."""
        method, path = asked.split()

        def declare(handler: Declared) -> Declared:
            answering = _answering(handler, result)
            mine: Answering | None = answering
            if not shared:
                mine = None if own is None else _answering(own)
            self.routes.append(
                Route(method=method, path=path, right=right, answering=answering, own=mine)
            )
            return handler

        return declare


def _answering(handler: Handler, result: Any = None) -> Answering:
    hints = get_type_hints(handler)
    return Answering(
        handler=handler,
        wanted=frozenset(hints) - {"return"},
        query=hints.get("query", NoBody),
        body=hints.get("body", NoBody),
        result=result or hints["return"],
    )


class Problem(Struct, frozen=True):
    """What a request got instead of an answer."""

    error: str


def openapi(routes: Sequence[Route], version: str) -> dict[str, Any]:
    """The description of the server, in OpenAPI 3.1."""
    owned = [one.own.result for one in routes if one.own]
    asked = [one.answering for one in routes]
    kinds = [one.result for one in asked] + [one.body for one in asked] + owned + [Problem]
    schemas, parts = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    results, bodies = schemas[: len(routes)], schemas[len(routes) : 2 * len(routes)]
    owns = iter(schemas[2 * len(routes) : -1])
    results = tuple(
        _either(result, next(owns)) if route.own else result
        for route, result in zip(routes, results, strict=True)
    )
    paths: dict[str, dict[str, Any]] = {}
    for route, result, body in zip(routes, results, bodies, strict=True):
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, result, body)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Whoknew", "version": version},
        "paths": paths,
        "components": {"schemas": parts},
    }


def _either(result: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The answer to whoever may see all, and the one to a character, where that is another."""
    return result if own == result else {"oneOf": [result, own]}


def _operation(route: Route, result: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    problem = {
        "description": "What is wrong, and what would be right",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    operation: dict[str, Any] = {
        "summary": route.summary,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in route.names
        ]
        + _query(route.answering.query),
        "responses": {
            "200": {
                "description": "Done",
                "content": {"application/json": {"schema": dict(result)}},
            },
            "4XX": problem,
            "503": problem,
        },
    }
    if route.answering.body is not NoBody:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": dict(body)}},
        }
    return operation


def _query(kind: type[Struct]) -> list[dict[str, Any]]:
    (schema,), parts = msgspec.json.schema_components([kind])
    top = parts[str(schema["$ref"]).rsplit("/", 1)[-1]]
    return [
        {
            "name": name,
            "in": "query",
            "required": name in top.get("required", ()),
            "schema": {key: value for key, value in inner.items() if key != "default"},
        }
        for name, inner in top["properties"].items()
    ]
