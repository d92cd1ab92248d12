"""A key that a server quotes: what it says goes on the log, into traces and onto the screen, and its key
does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from whoknew.agents.errors import ModelError

STANDS = "[the key]"
"""What stands in place of it."""

LEAST = 16
"""Characters of a key that is a secret. Servers of one's own are given words, such as `EMPTY`, that a reply may
well hold."""


class HiddenKey:
    """The key of a model, if it has one."""

    def __init__(self, key: str | None) -> None:
        self._key = key if key and len(key) >= LEAST else None

    def left_out(self, said: str) -> str:
        return said.replace(self._key, STANDS) if self._key else said

    def left_out_of(self, body: bytes) -> bytes:
        """The same of what comes as bytes: before it is cut off, for half a key is half of a secret."""
        return body.replace(self._key.encode(), STANDS.encode()) if self._key else body

    @contextmanager
    def in_errors(self) -> Iterator[None]:
        """What goes wrong is told without it."""
        try:
            yield
        except ModelError as error:
            error.args = tuple(self.left_out(str(said)) for said in error.args)
            raise
