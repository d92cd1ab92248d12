"""CloneMem offline: whether the oracle is better than the best search, and that than nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter

import msgspec
from figure import Figure, Reach
from peer import run
from server import COMMAND
from session import Session

from whoknew.engine.exams.cell_rows import CellRow
from whoknew.engine.exams.clonemem.asked_life import UPDATED
from whoknew.engine.exams.comparing import compared
from whoknew.engine.exams.figures import ScoredCell, ScoreTable

SEARCHES = (
    "recall-5",
    "recall-10",
    "recall-20",
    "flat",
    "flat-raw",
    "flat-drawn",
    "facts",
    "notes",
)
FOLLOWING = ("facts", "bookmarks", "running")
"""Memories that follow what holds now."""

SCORES = {"choices": "choice.right", "points": "remembered.points"}

ENOUGH = 300
"""Seconds that three short lives may take, asked in all arms."""


def figures(session: Session) -> Iterator[Figure]:
    folder, lives = session.folder, session.size(3, 1)
    plan = folder / "lives.toml"
    run([*COMMAND, "exam", "new", "clonemem", plan, "--from", f"short:1-{lives}"])
    begun = perf_counter()
    run([*COMMAND, "exam", "run", plan, *(("--limit", "6") if session.quick else ())])
    took = perf_counter() - begun
    run([*COMMAND, "exam", "report", plan, "--out", folder / "lives"])
    lines = (folder / "lives" / "cells.jsonl").read_bytes().splitlines()
    cells = [msgspec.json.decode(line, type=CellRow) for line in lines]
    whole = lives > 1
    many = f"{lives} short lives" if whole else "one short life, too few to tell"
    reach = Reach(ENOUGH, "most") if whole else None
    yield Figure(f"{many}, asked in all arms", "s", [took], reach=reach)
    for what, score in SCORES.items():
        name = f"{many}, {what}: oracle > best search > nothing"
        yield _pattern(name, cells, score, Reach(2, "least") if whole else None)
    yield _updated(many, cells)


def _pattern(name: str, cells: Sequence[CellRow], score: str, reach: Reach | None) -> Figure:
    """How many of both differences are more than chance."""
    table = _table(cells, score)
    means = {one.arm: one.micro.mean or 0.0 for one in table.figures()}
    best = max(SEARCHES, key=lambda arm: means[arm])
    pairs = {(one.first, one.second): one for one in compared([table], seed=1)[0]}
    shown, notes = 0, {"oracle": f"{means['oracle']:.2f}", best: f"{means[best]:.2f}"}
    for better, worse in (("oracle", best), (best, "nothing")):
        pair = pairs.get((better, worse)) or pairs[worse, better]
        shown += pair.tells and means[better] > means[worse]
        notes[f"{better} and {worse}"] = f"p {pair.holm or 0:.4f}"
    return Figure(name, "of 2", [float(shown)], reach=reach, notes=notes)


def _updated(many: str, cells: Sequence[CellRow]) -> Figure:
    """Of what was updated: in how many of facts, bookmarks and running the newer is answered oftener than
    in flat."""
    some = [one for one in cells if UPDATED in one.tags and SCORES["choices"] in one.scores]
    units = {one.unit for one in some}
    right: dict[str, float] = {}
    for one in some:
        right[one.arm] = right.get(one.arm, 0.0) + one.scores[SCORES["choices"]]
    notes = {arm: f"{count:g} right" for arm, count in right.items()}
    oftener = sum(right.get(arm, 0.0) > right.get("flat", 0.0) for arm in FOLLOWING)
    name = f"{many}, {len(units)} questions about what was updated: the newer oftener than flat"
    return Figure(name, f"of {len(FOLLOWING)}", [float(oftener)], notes=notes)


def _table(cells: Sequence[CellRow], score: str) -> ScoreTable:
    return ScoreTable.of(
        ScoredCell(
            unit=one.unit,
            cluster=one.cluster,
            kind=one.kind,
            arm=one.arm,
            tags=one.tags,
            score=one.scores[score],
        )
        for one in cells
        if score in one.scores
    )
