"""What a request gives: its query and its body, decoded into what its route declares.

All routes pass here. What is not declared is an error: a mistyped field that was ignored would
change what is asked for, and nobody would be told.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TypeVar

from aiohttp import web
from msgspec import Struct

from whoknew.engine.server.decoding import check_name, converted, sent, taken
from whoknew.engine.server.errors import BadRequest, TooSlow
from whoknew.engine.server.routes import NoBody

TOKEN = "token"
"""Every query may bring its token, and says no more by it than who asks."""

Given = TypeVar("Given", bound=Struct)


def query_of(request: web.Request, kind: type[Given]) -> Given:
    given = [(name, value) for name, value in request.query.items() if name != TOKEN]
    for name, times in Counter(name for name, _ in given).items():
        if times > 1:
            raise BadRequest(f"the query gives {name!r} {times} times: give it once")
    for name, _ in given:
        check_name(name, kind, "the query")
    return converted(dict(given), kind, strict=False)


async def body_of(request: web.Request, kind: type[Given], patience: float) -> Given:
    content = await _content(request, patience)
    if not content and kind is NoBody:
        return kind()
    if not content:
        raise BadRequest(f"the body is empty: send a JSON object: {taken(kind)}")
    return sent(content, kind, "the body")


async def _content(request: web.Request, patience: float) -> bytes:
    """As it came: what is packed is not unpacked, since a little of it can hold very much."""
    if (packed := request.headers.get("Content-Encoding", "identity").lower()) != "identity":
        raise BadRequest(f"the body is packed ({packed[:40]}): send it as plain JSON")
    try:
        async with asyncio.timeout(patience):
            return await request.read()
    except TimeoutError:
        raise TooSlow(
            f"the body did not come within {patience:g} s: send it again, whole"
        ) from None
    except web.RequestPayloadError as error:
        raise BadRequest(f"the body cannot be read: {error}") from None
