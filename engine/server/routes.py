"""What the server can be asked: each route is declared at the function that answers it, by the types
of what goes in and what comes out; `openapi.py` makes a description of that."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct

from whoknew.engine.server.access import Right

Handler = Callable[..., Awaitable[Any]]
Declared = TypeVar("Declared", bound=Handler)

API = "/api/v1"
"""Where the routes begin; with another number where a client that was written for this one would break."""

WORLD = f"{API}/worlds/{{world}}"

JSON, TEXT, EVENTS = "application/json", "text/plain", "text/event-stream"

TAGS = ("worlds", "runs", "exams", "tokens")
"""What routes are about, as their paths begin; all others are about the server."""


T = TypeVar("T")

TOTAL = "X-Total-Count"
"""The header of a list: how many there are of which it is a page."""


class CountedRows(Struct, Generic[T], frozen=True):
    """A page of a list, and how many there are in `total`. Sent are the rows alone; the header tells the
    total."""

    rows: tuple[T, ...]
    total: int


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
    listed: bool = False


class Route(Struct, frozen=True, kw_only=True):
    """`own` is what answers a character, of all that it perceived; a route without that is refused
    to it."""

    method: str
    path: str
    right: Right
    answering: Answering
    own: Answering | None
    media: str = JSON

    @property
    def name(self) -> str:
        """As programs call it that are made from the description."""
        return self.answering.handler.__name__

    @property
    def streams(self) -> bool:
        """Whether it goes on answering, as things happen."""
        return self.media == EVENTS

    @property
    def tag(self) -> str:
        """What it is about."""
        about = self.path.removeprefix(API).split("/")[1]
        return about if about in TAGS else "server"

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
        own_result: Any = None,
        shared: bool = False,
        media: str = JSON,
    ) -> Callable[[Declared], Declared]:
        """The function below answers what is `asked`: a method and a path. A character is answered
        by its `own`, or by the same where that is `shared`. The `result`, and the `own_result`, are
        said where the function makes a response of it itself, and its `media` type where that is
        not JSON."""
        method, path = asked.split()

        def declare(handler: Declared) -> Declared:
            answering = _answering(handler, result)
            mine: Answering | None = None
            if shared:
                mine = _answering(handler, own_result or result)
            elif own is not None:
                mine = _answering(own)
            route = Route(
                method=method, path=path, right=right, answering=answering, own=mine, media=media
            )
            self.routes.append(route)
            return handler

        return declare


def _answering(handler: Handler, result: Any = None) -> Answering:
    hints = get_type_hints(handler)
    result = result or hints["return"]
    listed = get_origin(result) is CountedRows
    if listed:
        (row,) = get_args(result)
        result = tuple.__class_getitem__((row, ...))
    return Answering(
        handler=handler,
        wanted=frozenset(hints) - {"return"},
        query=hints.get("query", NoBody),
        body=hints.get("body", NoBody),
        result=result,
        listed=listed,
    )


class Problem(Struct, frozen=True):
    """What a request got instead of an answer."""

    error: str
