"""Keys in rows, and which of them is nearest to another: looked up without a copy of them all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy

Vector = numpy.ndarray[Any, numpy.dtype[numpy.float64]]

FIRST = 16
"""So many rows there is room for at first; then for twice as many as there are."""

CLOSE = 1e-9
"""Squared distances that differ by less, as a share of the longest, are looked at exactly: more than the
rounding of a product of two rows, and far less than any radius."""


class KeyMatrix:
    """Keys of one width, in the order in which they came in."""

    def __init__(self, keys: Iterable[Vector] = ()) -> None:
        self._rows: Vector = numpy.empty((0, 0))
        self._squares: Vector = numpy.empty(0)
        self._count = 0
        for key in keys:
            self.append(key)

    def append(self, key: Vector) -> None:
        if self._count == len(self._rows):
            room = max(FIRST, 2 * self._count)
            rows, squares = numpy.empty((room, len(key))), numpy.empty(room)
            if self._count:
                rows[: self._count], squares[: self._count] = self._rows, self._squares
            self._rows, self._squares = rows, squares
        self._rows[self._count], self._squares[self._count] = key, key @ key
        self._count += 1

    def nearest(self, key: Vector) -> tuple[int, float] | None:
        """The row of the nearest one, the older one of two, and how far it is. What is no number is near
        nothing."""
        if not self._count:
            return None
        rows, squares = self._rows[: self._count], self._squares[: self._count]
        rough = squares - 2 * (rows @ key)
        slack = CLOSE * (numpy.fmax.reduce(squares) + key @ key)
        close = numpy.flatnonzero(rough <= numpy.fmin.reduce(rough) + slack)
        if not len(close):
            return None
        away = numpy.linalg.norm(rows[close] - key, axis=1)
        at = int(numpy.argmin(away))
        return int(close[at]), float(away[at])
