"""Vectors that need no model: each word has a place of its own in them, so that texts are near which
share words."""

from __future__ import annotations

from zlib import crc32

from whoknew.eventlog.words import terms

SIZE = 256


def hashed(text: str) -> list[float]:
    row = [0.0] * SIZE
    for term in terms(text):
        row[crc32(term.encode()) % SIZE] += 1.0
    return row
