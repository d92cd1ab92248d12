"""A file that is read as a whole: none that might never end, and no larger than can be held."""

from __future__ import annotations

import errno
import stat
from pathlib import Path

LARGEST = 2**29
"""Bytes. What is larger is no plan, no text and no set of records that anybody keeps in one file."""


def check_ends(path: Path) -> None:
    """An OSError where it is a device or a pipe."""
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISFIFO(mode):
        raise OSError(errno.EINVAL, "it is no file, and what it holds might never end")


def whole(path: Path, largest: int = LARGEST) -> bytes:
    """All that a file holds; an OSError says why it cannot be had."""
    check_ends(path)
    with path.open("rb") as file:
        found = file.read(largest + 1)
    if len(found) > largest:
        raise OSError(errno.EFBIG, f"it is larger than {largest:,} bytes: divide it")
    return found


def whole_text(path: Path, encoding: str = "utf-8", largest: int = LARGEST) -> str:
    """The same of a text, whose lines end alike wherever it was written."""
    text = whole(path, largest).decode(encoding)
    return text.replace("\r\n", "\n").replace("\r", "\n")
