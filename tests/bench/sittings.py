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
    cpu: float = 0.0
    rss: float = 0.0
    """Memory of the process at its largest, in MB."""

    @property
    def rate(self) -> float:
        return self.cells / self.wall


def figures(session: Session) -> Iterator[Figure]:
    yield from _waves(session)
    yield _latency(session)
    yield _speed(session)
    yield _memory(session)
    yield _growth(session)
    yield _table(session)


def _waves(session: Session) -> Iterator[Figure]:
    """Ten waves of very many in flight, where the client alone takes longer than the model; and what
    the processor does for a cell, which says more where a machine is busy with other work."""
    latency, at_once = session.size(200, 5), session.size(1000, 8)
    with stub(latency) as url:
        pairs = session.interleaved(
            lambda: sat(session, url, 10 * at_once, at_once),
            lambda: bare(url, 10 * at_once, at_once),
        )
    yield Figure(
        f"10 x {at_once:,} cells, {at_once:,} in flight, a model of {latency} ms, beside a bare client",
        "cells/s",
        [one.rate for one, _ in pairs],
        [limit.rate for _, limit in pairs],
        "calls/s of a bare aiohttp client on the same stub",
        Reach(1 / 1.2, "share"),
    )
    yield Figure(
        "CPU of one of these cells",
        "ms",
        [1000 * one.cpu / one.cells for one, _ in pairs],
        [1000 * limit.cpu / limit.turns for _, limit in pairs],
        "ms, of a call of the bare client",
    )


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


def _memory(session: Session) -> Figure:
    """Many in flight beside few, of as many cells: what each further one holds."""
    few, many = session.size(64, 2), session.size(1064, 12)
    cells = 4 * many
    with stub(session.size(200, 5)) as url:
        pairs = session.interleaved(
            lambda: sat(session, url, cells, many), lambda: sat(session, url, cells, few)
        )
    return Figure(
        f"memory of each further cell in flight, {few} to {many:,}",
        "MB",
        [(more.rss - less.rss) / (many - few) for more, less in pairs],
        reach=Reach(0.05, "most"),
        notes={"what": "with its prompt of 2 KB, its connection and its reply"},
    )


def _table(session: Session) -> Figure:
    """The first report of very many cells in four arms, each with two scores."""
    questions = session.size(25_000, 50)
    folder = session.folder / "table"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    sat = [sys.executable, HERE / "reporter.py", folder, questions]
    runs = [msgspec.json.decode(run(sat), type=Sat) for _ in range(session.size(3, 1))]
    return Figure(
        f"the table of {4 * questions:,} cells in four arms",
        "s",
        [one.wall for one in runs],
        reach=Reach(10, "most"),
        notes={"what": "from opening the logs to the last comparison, with nothing kept"},
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
    cells, times = session.size(4000, 50), session.size(6, 2)
    with stub(0) as url:
        curves = [_grown(session, url, cells, times) for _ in range(session.size(3, 1))]
    return Figure(
        "seconds for so many cells, by how many are there",
        EXPONENT,
        [fit(*zip(*curve, strict=True)).exponent for curve in curves],
        reach=Reach(1.05, "most"),
        curve=curves[-1],
    )


def _grown(session: Session, url: str, cells: int, times: int) -> list[tuple[float, float]]:
    """The seconds that all took up to so many."""
    folder = session.folder / "growing"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    took = [_sat(folder, url, cells, 64) for _ in range(times)]
    return [(float((n + 1) * cells), sum(one.wall for one in took[: n + 1])) for n in range(times)]


def sat(session: Session, url: str, cells: int, at_once: int) -> Sat:
    """An exam in a folder of its own."""
    folder = session.folder / "sat"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return _sat(folder, url, cells, at_once)


def _sat(folder: Path, url: str, cells: int, at_once: int) -> Sat:
    command = [sys.executable, HERE / "sitter.py", folder, f"{url}#stub", cells, at_once]
    return msgspec.json.decode(run(command), type=Sat)
