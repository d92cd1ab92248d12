"""What goes back to whoever asks: JSON, and what a page may load."""

from __future__ import annotations

from typing import Any

import msgspec
from aiohttp import web

from whoknew.engine.server.routes import TOTAL, CountedRows, Problem

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
CHALLENGE = 'Bearer realm="whoknew"'
FAULT = "this is a fault of the server's: its log says more"

_encode = msgspec.json.encode


def answer(found: Any) -> web.Response:
    if isinstance(found, CountedRows):
        listed = answer(found.rows)
        listed.headers[TOTAL] = str(found.total)
        return listed
    return web.Response(body=_encode(found), content_type="application/json")


def problem(status: int, error: str, allow: str | None = None) -> web.Response:
    """What went wrong. Whoever is not known is told how to come again, and whoever uses a method that is
    not answered there, which ones are."""
    headers = {"WWW-Authenticate": CHALLENGE} if status == 401 else {}
    if allow is not None:
        headers["Allow"] = allow
    body = _encode(Problem(error))
    return web.Response(status=status, body=body, content_type="application/json", headers=headers)
