"""The description of the server, in OpenAPI 3.1: made of the routes, and of the types of what they take and
answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from whoknew.engine.server.access import Right
from whoknew.engine.server.routes import JSON, TOTAL, NoBody, Problem, Route
from whoknew.engine.server.seating import COOKIE

SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A token of this server."},
    "query": {
        "type": "apiKey",
        "in": "query",
        "name": "token",
        "description": "The same, where a browser opens a stream, to which it gives no headers.",
    },
    "seat": {
        "type": "apiKey",
        "in": "cookie",
        "name": f"{COOKIE}ID",
        "description": "What a browser is given when it takes a seat.",
    },
}
"""How somebody proves who it is: on its own machine nobody has to, if the server was started without
tokens."""

COUNTED = {
    "description": "How many there are, of which this is a page.",
    "schema": {"type": "integer"},
}

UPGRADED = {"description": "The same messages over a WebSocket, with the subprotocol whoknew.v1"}


def openapi(routes: Sequence[Route], version: str) -> dict[str, Any]:
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
    described: dict[str, Any] = _widely_read(
        {
            "openapi": "3.1.0",
            "info": {"title": "Whoknew", "version": version},
            "security": [*({name: []} for name in SECURITY), {}],
            "paths": paths,
            "components": {"schemas": parts, "securitySchemes": SECURITY},
        }
    )
    return described


def _either(result: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The answer to whoever may see all, and the one to a character, where that is another."""
    return result if own == result else {"oneOf": [result, own]}


def _operation(route: Route, result: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    problem = {
        "description": "What is wrong, and what would be right",
        "content": {JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    operation: dict[str, Any] = {
        "operationId": route.name,
        "tags": [route.tag],
        "summary": route.summary,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in route.names
        ]
        + _query(route.answering.query),
        "responses": {
            "200": {"description": "Done", "content": {route.media: {"schema": dict(result)}}},
            "4XX": problem,
            "503": problem,
        },
    }
    if route.answering.listed:
        operation["responses"]["200"]["headers"] = {TOTAL: COUNTED}
    if route.streams:
        operation["responses"]["101"] = UPGRADED
    if route.right == Right.NOTHING:
        operation["security"] = []
    if route.answering.body is not NoBody:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": dict(body)}}}
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


def _widely_read(schema: Any) -> Any:
    """The same without `items: false`, which many that make clients do not read: how long a tuple is is
    told beside it."""
    if isinstance(schema, dict):
        return {
            name: _widely_read(inner)
            for name, inner in schema.items()
            if not (name == "items" and inner is False)
        }
    if isinstance(schema, list):
        return [_widely_read(inner) for inner in schema]
    return schema
