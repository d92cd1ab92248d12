"""A file that is read as a whole: none that might never end, and no larger than can be held."""

from __future__ import annotations

import errno
from pathlib import Path

from whoknew.eventlog.endless import check_ends

LARGEST = 2**29
"""Bytes. What is larger is no plan, no text and no set of records that anybody keeps in one file."""


def whole(path: Path, largest: int = LARGEST) -> bytes:
    """All that a file holds; an OSError says why it cannot be had."""
    check_ends(path)
    with path.open("rb") as file:
        found = file.read(largest + 1)
    if len(found) > largest:
        raise OSError(errno.EFBIG, f"it is larger than {largest:,} bytes: divide it")
    return found


def whole_text(path: Path, largest: int = LARGEST) -> str:
    """The same of a text, whose lines end alike wherever it was written; without the mark that some
    editors put before it."""
    text = whole(path, largest).decode("utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")
