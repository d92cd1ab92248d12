"""Names of worlds and of characters as names of files: they may hold anything, and come with a log."""

from __future__ import annotations

import re

LONGEST = 180
"""Bytes of such a name: a disk takes 255, with what stands before and behind it."""


def as_file_name(name: str) -> str:
    """A name that leads into no other folder, and that every disk can hold."""
    flat = re.sub(r"[/\\\x00-\x1f]", "-", name)
    return flat.encode(errors="replace")[:LONGEST].decode(errors="ignore")
