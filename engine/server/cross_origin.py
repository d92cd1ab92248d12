"""Pages of other sites: which may ask, as browsers want to be told (CORS)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from aiohttp import web

from whoknew.engine.server.access import Access
from whoknew.engine.server.errors import BadOrigin
from whoknew.engine.server.routes import TOTAL

ORIGIN = re.compile(r"https?://[^\s/?#@]+")

ALLOWED = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID",
    "Access-Control-Max-Age": "600",
}
"""No cookies: a seat is taken on the server's own page, or with a token."""


def origins_of(given: Iterable[str]) -> frozenset[str]:
    """The sites whose pages may ask, each as a browser names it."""
    found = frozenset(one.rstrip("/").lower() for one in given)
    for one in found:
        if not ORIGIN.fullmatch(one):
            raise BadOrigin(
                f"{one!r} is no site whose pages could be let in: give its scheme, name and port, as "
                "https://example.org or http://localhost:3000, once for each site"
            )
    return found


def preflight(request: web.Request, access: Access) -> web.Response | None:
    """What a browser is told that asks whether a page of a site that is let in may ask."""
    asks = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
    if not asks or request.headers.get("Origin") not in access.origins:
        return None
    return web.Response(status=204, headers=ALLOWED)


def shared_with(request: web.Request, access: Access) -> Mapping[str, str]:
    """Who else may read an answer."""
    if not access.origins:
        return {}
    origin = request.headers.get("Origin", "")
    told = {"Vary": "Origin"}
    if origin not in access.origins:
        return told
    return told | {"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": TOTAL}
