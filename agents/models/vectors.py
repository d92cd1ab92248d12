"""Vectors as a model's reply, and in a note: numbers of half precision in a row, which as text are base64.

All are of length 1, so that the product of two says how near they are. Half precision takes half
of the room, and what recall finds on LoCoMo is the same.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from whoknew.agents.errors import BadAnswer

if TYPE_CHECKING:
    import numpy

    Rows = numpy.ndarray[Any, numpy.dtype[numpy.float32]]


def packed(vectors: Iterable[Any]) -> str:
    """Vectors as the text of a reply."""
    import numpy

    rows = numpy.asarray(list(vectors), dtype=numpy.float32)
    lengths = numpy.linalg.norm(rows, axis=-1, keepdims=True)
    return b64encode((rows / numpy.maximum(lengths, 1e-12)).astype("<f2").tobytes()).decode()


def unpacked(text: str, count: int) -> bytes:
    """So many vectors from the text of a reply; BadAnswer where it holds something else."""
    try:
        data = b64decode(text, validate=True)
    except ValueError:
        raise BadAnswer("this is no base64, as vectors are given.") from None
    if not data or len(data) % (2 * count):
        raise BadAnswer(f"{len(data)} bytes cannot be {count} vectors of half precision.")
    if not _are_short(rows_of(data, count)):
        raise BadAnswer("a vector holds what is no number, or is longer than 1.")
    return data


def rows_of(data: bytes, count: int) -> Rows:
    """So many vectors, one a row."""
    import numpy

    found: Rows = numpy.frombuffer(data, "<f2").reshape(count, -1).astype(numpy.float32)
    return found


def rows_in(data: bytes, count: int) -> Rows | None:
    """The same of what may have been written by anybody: nothing, where these are not so many vectors."""
    if not data or len(data) % (2 * count):
        return None
    found = rows_of(data, count)
    return found if _are_short(found) else None


ROUNDED = 1.01
"""No vector of length 1 is longer in half precision. What has no words may have one of length 0."""


def _are_short(rows: Rows) -> bool:
    """Whether all are numbers, and none would outweigh all others by its length."""
    import numpy

    return bool((numpy.linalg.norm(rows, axis=-1) <= ROUNDED).all())
