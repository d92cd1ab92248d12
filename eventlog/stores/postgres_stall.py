"""Noticing that readers of all worlds wait for a transaction that somebody left open.

What was written since it began is in the log, and each world shows it; in the order of all worlds
it has no settled place yet. A transaction anywhere on the server holds it up, whatever it does.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from whoknew.eventlog.logger import logger
from whoknew.eventlog.stores import postgres_schema as schema
from whoknew.eventlog.stores.store import Position

Fetch = Callable[..., Awaitable[list[Any]]]


class Stall:
    """Says once of each event that waits at the front for longer than `patience` seconds why."""

    def __init__(self, where: str, fetch: Fetch, patience: float) -> None:
        self._where, self._fetch, self._patience = where, fetch, patience
        self._first: Position | None = None
        self._since = 0.0
        self._said = False

    async def look(self, after: Position) -> None:
        """To be called when nothing is settled past a position."""
        xid, world, seq = after
        rows = await self._fetch(schema.WAITING, str(xid), world, seq)
        first = tuple(rows[0]) if rows else None
        if first != self._first:
            self._first, self._since, self._said = first, time.monotonic(), False
        if first and not self._said and time.monotonic() - self._since >= self._patience:
            self._said = True
            await self._say()

    async def _say(self) -> None:
        rows = await self._fetch(schema.OLDEST_TRANSACTION)
        holder = dict(rows[0]) if rows else {"holder": "not to be seen by this user"}
        logger().warning(
            "postgres.stalled",
            where=self._where,
            why="followers of all worlds wait for a transaction that is still open on the server",
            **holder,
        )
