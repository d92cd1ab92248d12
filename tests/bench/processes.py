"""This process and those that it has begun, which work for it: what the processor did for all of them, and
their memory."""

from __future__ import annotations

import os
from pathlib import Path

import memory

TICKS = os.sysconf("SC_CLK_TCK")


def seconds() -> float:
    """Of the processor, of all that are there now."""
    return sum(map(_seconds, _all()))


def most() -> float:
    """The most memory that each of them has had, in MB, in all."""
    return sum(map(memory.most, _all()))


def _all() -> list[int]:
    begun = (task / "children" for task in Path("/proc/self/task").iterdir())
    return [os.getpid(), *(int(pid) for file in begun for pid in file.read_text("ascii").split())]


def _seconds(process: int) -> float:
    after_its_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    user, system = after_its_name[11:13]
    return (int(user) + int(system)) / TICKS
