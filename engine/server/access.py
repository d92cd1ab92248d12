"""Who may do what: tokens, and where a request comes from.

On loopback nobody needs a token, but a page from elsewhere must not be able to ask either: the Host
and the Origin of a request are checked. Anywhere else there is no access without a token.
"""

from __future__ import annotations

import hmac
from enum import IntEnum
from ipaddress import ip_address

from aiohttp.web import Request, RequestKey
from msgspec import Struct, field

from whoknew.engine.server.errors import NoToken, RequestRefused
from whoknew.engine.server.tokens import Tokens

LOCAL = ("localhost", "127.0.0.1", "::1")


class Right(IntEnum):
    """What a request may do; each may do what those before it may."""

    NOTHING = 0
    SIT = 1
    """Take the one seat that one is invited to, and see nothing before."""
    VIEW = 2
    READ = 3
    CONTROL = 4


class Guest(Struct, frozen=True):
    """Whoever asks. With a view token, it sees as one character of one world, and may act as it."""

    right: Right
    world: str | None = None
    character: str | None = None
    known: bool = False
    """Whether it came with a token of its own."""


NOBODY = Guest(Right.NOTHING)

GUEST = RequestKey("guest", Guest)
"""Where a request carries whoever asks."""


def check_right(guest: Guest, right: Right) -> None:
    """Whether a guest may do this. Who is nobody may come again with a token."""
    if guest.right >= right:
        return
    if guest.right == Right.NOTHING:
        raise NoToken(
            "this needs a token: send one that this server knows, as `Authorization: Bearer TOKEN`"
        )
    raise RequestRefused(f"this needs a token that may {right.name.lower()}")


def check_writable(writable: bool) -> None:
    """Whether this process writes the log."""
    if not writable:
        raise RequestRefused("another process writes this log: stop it, and start the server again")


class Access(Struct, frozen=True):
    """The tokens of a server. Without `control` and `read`, everybody who gets through to it may do
    everything: which is only for loopback. `tokens` are those for single characters."""

    host: str
    port: int
    control: str | None = None
    read: str | None = None
    tokens: Tokens = field(default_factory=Tokens)
    origins: frozenset[str] = frozenset()
    """Other sites whose pages may ask, too."""

    @property
    def open(self) -> bool:
        return self.control is None and self.read is None

    def guest(self, token: str | None) -> Guest:
        """Who comes with a token. All comparisons take as long, whatever they find."""
        if token is None:
            return Guest(Right.CONTROL) if self.open else NOBODY
        given = token.encode("utf-8", "surrogateescape")
        is_control = self.control is not None and hmac.compare_digest(given, self.control.encode())
        is_read = self.read is not None and hmac.compare_digest(given, self.read.encode())
        if is_control:
            return Guest(Right.CONTROL, known=True)
        if is_read:
            return Guest(Right.READ, known=True)
        view = self.tokens.find(token)
        if view is None:
            return NOBODY
        right = Right.SIT if view.invitation else Right.VIEW
        return Guest(right, view.world, view.character, known=True)

    def knows_host(self, host: str) -> bool:
        """Whether a Host header names this server: else a page elsewhere could have its own name
        point here. Behind a token, any name will do."""
        if not self.open:
            return True
        name = host.rsplit(":", 1)[0].strip("[]") if not host.endswith("]") else host.strip("[]")
        return name in LOCAL or name == self.host


def token_of(request: Request) -> str | None:
    """From the header, or, since a browser gives its sockets none, from the query."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    return request.query.get("token")


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
