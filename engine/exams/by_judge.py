"""What judges gave of one sort: each of them by itself, since each has a scale and an eye of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from whoknew.engine.exams.cell_result import CellResult

Scored = tuple[CellResult, float]
"""A cell, and what a judge gave it."""


def by_judge(cells: Iterable[CellResult], score: str) -> dict[str, list[Scored]]:
    """By the names of the judges who give a score of this name."""
    found: dict[str, list[Scored]] = {}
    for one in cells:
        for key, value in one.scores.items():
            judge, _, name = key.rpartition(".")
            if name == score:
                found.setdefault(judge, []).append((one, value))
    return found


def by_arm(some: Iterable[Scored]) -> Mapping[str, Sequence[Scored]]:
    """The same by the names of the arms."""
    found: dict[str, list[Scored]] = {}
    for one, value in some:
        found.setdefault(one.cell.arm.name, []).append((one, value))
    return found


def told_of(name: str, judge: str, judges: Collection[str]) -> str:
    """What a figure is called: with its judge, where several have one."""
    return f"{name} ({judge})" if len(judges) > 1 else name
