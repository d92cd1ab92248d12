"""Positions of lines, which come to be more and more: each time nothing is copied."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import overload

ADD = "I"


class Positions(Sequence[int]):
    """Positions that rise. Those with more behind them share what they have with those before, which stay as
    they are: so a hit more costs the same, however many there are."""

    __slots__ = ("_count", "_shared")

    def __init__(self, some: Sequence[int] = ()) -> None:
        self._shared, self._count = array(ADD, some), len(some)

    def further(self, more: Sequence[int]) -> Positions:
        """With more, which rise: behind the last one, or between those that there are."""
        if not more:
            return self
        if self._count and more[0] <= self[-1]:
            return Positions(sorted({*self, *more}))
        found, added = Positions(), array(ADD, more)
        found._shared, found._count = self._shared, self._count + len(added)
        behind = self._shared[self._count : found._count]
        if len(self._shared) == self._count:
            self._shared.extend(added)
        elif behind != added:  # another went on from here otherwise
            found._shared = self._shared[: self._count] + added
        return found

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[int, ...]: ...
    def __getitem__(self, place: int | slice) -> int | tuple[int, ...]:
        if isinstance(place, slice):
            first, end, step = place.indices(self._count)
            return tuple(self._shared[first:end:step])
        return self._shared[range(self._count)[place]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self[:] == tuple(other)

    def __hash__(self) -> int:
        return hash(self[:])

    def __repr__(self) -> str:
        return f"Positions({self[:]})"


NO_POSITIONS = Positions()
