"""The newest records of all worlds, at hand for those who follow them all."""

from __future__ import annotations

from collections.abc import Iterable

from whoknew.eventlog.stores.store import Arrival, Position, Record

KEEP = 5000


class Recent:
    """Without a gap up to the newest; positions are counted, as a store with one writer has them."""

    def __init__(self, position: int) -> None:
        self._rows: list[tuple[str, Record]] = []
        self._upto = position

    def extend(self, world: str, records: Iterable[Record]) -> None:
        before = len(self._rows)
        self._rows += [(world, record) for record in records]
        self._upto += len(self._rows) - before
        if len(self._rows) > 2 * KEEP:
            del self._rows[:-KEEP]

    def after(self, position: Position, limit: int) -> list[Arrival] | None:
        """Those past a position; nothing where memory does not go back so far."""
        older = self._upto - len(self._rows)
        last = position[0] if position else 0
        if last < older:
            return None
        rows = self._rows[last - older : last - older + limit]
        return [Arrival((n,), *row) for n, row in enumerate(rows, start=last + 1)]
