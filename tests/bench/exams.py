"""Exams sat against a stub of a model: beside a bare client that makes the same calls."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from episodes import bare, stub
from figure import EXPONENT, Figure, Reach
from msgspec import Struct
from peer import run
from power import fit
from session import Session

HERE = Path(__file__).parent


class Sat(Struct, frozen=True):
    wall: float
    cells: int

    @property
    def rate(self) -> float:
        return self.cells / self.wall


def figures(session: Session) -> Iterator[Figure]:
    yield _latency(session)
    yield _speed(session)
    yield _growth(session)


def _latency(session: Session) -> Figure:
    """Ten waves of as many as there are in flight."""
    latency, at_once = session.size(200, 5), session.size(256, 8)
    with stub(latency) as url:
        runs = session.repeated(lambda: sat(session, url, 10 * at_once, at_once))
    least = 10 * latency / 1000
    return Figure(
        f"10 x {at_once} cells, {at_once} in flight, a model of {latency} ms",
        "s",
        [one.wall for one in runs],
        [least] * len(runs),
        "s, the least that ten waves can take",
        Reach(1.2 * least, "most"),
    )


def _speed(session: Session) -> Figure:
    cells, at_once = session.size(8000, 100), session.size(64, 4)
    with stub(0) as url:
        pairs = session.interleaved(
            lambda: sat(session, url, cells, at_once), lambda: bare(url, cells, at_once)
        )
    return Figure(
        f"{at_once} cells at once, http model, prompts of 2 KB, SQLite FULL",
        "cells/s",
        [one.rate for one, _ in pairs],
        [limit.rate for _, limit in pairs],
        "calls/s of a bare aiohttp client on the same stub",
        Reach(0.45, "share"),
    )


def _growth(session: Session) -> Figure:
    """What a cell takes beside those that are there already."""
    cells, times = session.size(4000, 50), session.size(6, 3)
    folder = session.folder / "growing"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    with stub(0) as url:
        took = [_sat(folder, url, cells, 64) for _ in range(times)]
    curve = [(float((n + 1) * cells), sum(one.wall for one in took[: n + 1])) for n in range(times)]
    return Figure(
        "seconds for so many cells, by how many are there",
        EXPONENT,
        [fit(*zip(*curve, strict=True)).exponent],
        reach=Reach(1.05, "most"),
        curve=curve,
    )


def sat(session: Session, url: str, cells: int, at_once: int) -> Sat:
    """An exam in a folder of its own."""
    folder = session.folder / "sat"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return _sat(folder, url, cells, at_once)


def _sat(folder: Path, url: str, cells: int, at_once: int) -> Sat:
    command = [sys.executable, HERE / "sitter.py", folder, f"{url}#stub", cells, at_once]
    return msgspec.json.decode(run(command), type=Sat)
