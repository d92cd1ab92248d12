"""At which seq each key of a world stands, of very many keys: 27 bytes for each, where a dict of them
takes 140 to 160.

Keys are known by digests of them. Whether one is there, and where, is all that is asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b

DIGEST = 16
"""Bytes of a digest: that two of 10^9 keys are taken for one is less likely than 10^-20."""

ENTRY = DIGEST + 8
"""A digest, and the seq behind it."""

SHELVES = 4096
"""Of 1,000,000 keys one holds 6 KB, which are searched in a few microseconds."""


AT_HAND = 512
"""Digests that are remembered: whether a key is there is asked several times while it is being worked on."""


class KeyTable:
    """Keys are only ever added, as batches are."""

    __slots__ = ("_shelves",)

    def __init__(self, known: Mapping[str, int] | None = None) -> None:
        shelves = self._shelves = defaultdict[int, bytearray](bytearray)
        for key, seq in (known or {}).items():  # none is there twice: nothing is looked for
            digest = blake2b(key.encode(), digest_size=DIGEST).digest()
            shelves[int.from_bytes(digest[:2]) % SHELVES] += digest + seq.to_bytes(8)

    def get(self, key: str) -> int | None:
        """The seq of a key; None where it is not there."""
        number, digest = _place(key)
        shelf = self._shelves[number]
        at = _found(shelf, digest)
        return None if at < 0 else int.from_bytes(shelf[at + DIGEST : at + ENTRY])

    def __contains__(self, key: str) -> bool:
        number, digest = _place(key)
        return _found(self._shelves[number], digest) >= 0

    def __getitem__(self, key: str) -> int:
        seq = self.get(key)
        if seq is None:
            raise KeyError(key)
        return seq

    def __setitem__(self, key: str, seq: int) -> None:
        number, digest = _place(key)
        shelf = self._shelves[number]
        at = _found(shelf, digest)
        at = len(shelf) if at < 0 else at
        shelf[at : at + ENTRY] = digest + seq.to_bytes(8)


@lru_cache(AT_HAND)
def _place(key: str) -> tuple[int, bytes]:
    """The number of its shelf, and its digest."""
    digest = blake2b(key.encode(), digest_size=DIGEST).digest()
    return int.from_bytes(digest[:2]) % SHELVES, digest


def _found(shelf: bytearray, digest: bytes) -> int:
    """Where the entry of a digest begins; less than 0 where there is none."""
    at = shelf.find(digest)
    while at > 0 and at % ENTRY:  # it only looks so, across two entries
        at = shelf.find(digest, at + 1)
    return at
