"""The hash chain of a world: each event's hash covers its bytes and the hash before it.

It is evidence only against someone who cannot rewrite the whole file: so print the head, and
keep it elsewhere.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from msgspec import Struct

GENESIS = bytes(32)
"""What stands before the first event of a world."""


def link(previous: bytes, body: bytes) -> bytes:
    """The hash of an event whose encoded bytes are `body`, after the one hashed `previous`."""
    return sha256(previous + body).digest()


class Head(Struct, frozen=True):
    """The newest event of a world, and the hash that vouches for all up to it."""

    world: str
    seq: int
    hash: bytes
    at: datetime | None = None
    recorded: datetime | None = None

    def __str__(self) -> str:
        return f"{self.world} #{self.seq} {self.hash.hex()}"
