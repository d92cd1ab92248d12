"""What the server can be asked: each route with the types of what goes in and what comes out.

The description in OpenAPI is made of the same types.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from whoknew.engine.server.access import Right

Handler = Callable[..., Awaitable[Any]]


class NoBody(Struct, frozen=True):
    """A request without anything in it."""


class OwnAnswer(Struct, frozen=True):
    """What a route answers to a character: the types of the answer, and what makes it of all that
    this character perceived."""

    handler: Handler
    result: Any


class Route(Struct, frozen=True, kw_only=True):
    """`query` and `body` are the types that a request decodes into, `result` that of the answer. A
    route without an answer of its `own` for a character is refused to it."""

    method: str
    path: str
    handler: Handler
    result: Any
    right: Right = Right.READ
    query: type[Struct] = NoBody
    body: type[Struct] = NoBody
    own: OwnAnswer | None = None

    @property
    def summary(self) -> str:
        return (self.handler.__doc__ or "").strip().split("\n")[0]

    @property
    def names(self) -> list[str]:
        return re.findall(r"{(\w+)}", self.path)


class Problem(Struct, frozen=True):
    """What a request got instead of an answer."""

    error: str


def openapi(routes: Sequence[Route], version: str) -> dict[str, Any]:
    """The description of the server, in OpenAPI 3.1."""
    owned = [one.own.result for one in routes if one.own]
    kinds = [one.result for one in routes] + [one.body for one in routes] + owned + [Problem]
    schemas, parts = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    results, bodies = schemas[: len(routes)], schemas[len(routes) : 2 * len(routes)]
    owns = iter(schemas[2 * len(routes) : -1])
    results = tuple(
        {"oneOf": [result, next(owns)]} if route.own else result
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
        + _query(route.query),
        "responses": {
            "200": {
                "description": "Done",
                "content": {"application/json": {"schema": dict(result)}},
            },
            "4XX": problem,
            "503": problem,
        },
    }
    if route.body is not NoBody:
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
