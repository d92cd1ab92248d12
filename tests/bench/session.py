"""One run of the bench: how much, where, and in what order."""

from __future__ import annotations

import gc
import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from figure import Missing
from msgspec import Struct

from whoknew.eventlog.stores.sqlite_connection import Driver

T = TypeVar("T")
U = TypeVar("U")

ROOT = Path(__file__).resolve().parents[2]

RESULTS = ROOT / "bench"
"""Kept out of git: results, peers' environments, and the files of the run itself."""


class Session(Struct, frozen=True):
    folder: Path
    quick: bool = False
    big: bool = False

    @property
    def runs(self) -> int:
        return 1 if self.quick else 5

    def size(self, full: int, quick: int) -> int:
        return quick if self.quick else full

    def file(self, name: str) -> Path:
        """A path where nothing is yet."""
        for suffix in ("", "-wal", "-shm", ".lock"):
            (self.folder / (name + suffix)).unlink(missing_ok=True)
        return self.folder / name

    def repeated(self, ours: Callable[[], T]) -> list[T]:
        return [_fresh(ours) for _ in range(self.runs)]

    def interleaved(self, ours: Callable[[], T], limit: Callable[[], U]) -> list[tuple[T, U]]:
        """Run both, turn by turn."""
        mine, theirs = self.in_turn(ours, limit)
        return list(zip(mine, theirs, strict=True))

    def in_turn(self, *works: Callable[[], Any], runs: int | None = None) -> list[list[Any]]:
        """Run each so often, turn by turn; another goes first every time, since machines drift."""
        found: list[list[Any]] = [[] for _ in works]
        for number in range(1 if self.quick else runs or self.runs):
            for place in range(len(works)):
                which = (place + number) % len(works)
                found[which].append(_fresh(works[which]))
        return found


def _fresh(run: Callable[[], T]) -> T:
    """Run without the garbage of the run before, and without what it left to be written to the disk."""
    gc.collect()
    os.sync()
    return run()


def drivers() -> Iterator[Driver]:
    """Those that are installed, the standard library's first."""
    yield "sqlite3"
    if importlib.util.find_spec("apsw"):
        yield "apsw"


def require(module: str, extra: str) -> None:
    if not importlib.util.find_spec(module):
        raise Missing(f"{module} is not installed: pip install 'whoknew[{extra}]'")
