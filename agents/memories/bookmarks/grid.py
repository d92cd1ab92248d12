"""The grid of a view, on which it is folded how things stand: stretches of lines that begin and end where they
do for every bookmark, and in every view that holds the same."""

from __future__ import annotations

from collections.abc import Iterator

CHUNK = 64
"""Lines. A chunk that is full is read as a whole."""

LEAST = 4
"""Lines. Of a chunk that is not full a half is read, a quarter and so on, each of so many at least; then what
is left."""

LEFT = 5
"""So many stretches lie behind the last full chunk at most."""


def cuts(at: int) -> Iterator[int]:
    """The positions at which stretches end, for an answer at a position: they rise. Those of a later one
    begin with many of the same, and what was read up to there need not be read again."""
    yield from range(CHUNK, last_full(at), CHUNK)
    yield from newest_cuts(at)


def newest_cuts(at: int) -> Iterator[int]:
    """Those from the end of the last full chunk on: few, however much was read."""
    end = last_full(at)
    if end:
        yield end
    size = CHUNK // 2
    while size >= LEAST:
        if at % CHUNK & size:
            yield (end := end + size)
        size //= 2
    if end < at:
        yield at


def last_full(at: int) -> int:
    """Where the last chunk ends that is full; 0 where none is."""
    return at - at % CHUNK
