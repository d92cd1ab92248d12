"""What people found in episodes, beside what judges did: whether somebody passed a check."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from whoknew.engine.exams.agreement import Agreement
from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.cell_rows import CellRow
from whoknew.engine.judges.scales import CHECKS, FAILED
from whoknew.eventlog.nearest import nearest
from whoknew.worlds import json_lines
from whoknew.worlds.document import Fault


class EpisodeLabel(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person found: whether a character passed a check in an episode."""

    world: str
    episode: int
    character: str
    check: str
    passed: bool


async def labels_of(path: Path) -> list[EpisodeLabel]:
    """The labels of a file of JSON Lines."""
    labels = await asyncio.to_thread(json_lines.read, path, EpisodeLabel, _faults)
    return [label for _, label in labels]


def agreements(
    labels: Sequence[EpisodeLabel], cells: Sequence[CellRow], judges: Sequence[ExamJudge]
) -> tuple[tuple[Agreement, ...], int]:
    """Every judge that decided a labelled check, check by check; and how many labels are of what no
    judge decided."""
    given = [(label, scores) for label, scores in _placed(labels, cells)]
    found = tuple(
        agreement
        for judge in judges
        for check in CHECKS
        if (agreement := _agreement(judge.name, check, given)).labels
    )
    names = [judge.name for judge in judges]
    unmet = sum(
        not any(f"{name}.{label.check}" in scores for name in names) for label, scores in given
    )
    return found, unmet


def _placed(
    labels: Sequence[EpisodeLabel], cells: Sequence[CellRow]
) -> Iterator[tuple[EpisodeLabel, dict[str, float]]]:
    """Each label with all that judges gave who it is of, where it is of."""
    scores = {
        (cell.world, episode.number, who): given
        for cell in cells
        for episode in cell.episodes
        for who, given in episode.scores.items()
    }
    for one in labels:
        yield one, scores.get((one.world, one.episode, one.character), {})


def _agreement(
    judge: str, check: str, given: Sequence[tuple[EpisodeLabel, dict[str, float]]]
) -> Agreement:
    """To be found is to fail."""
    pairs = [
        (scores[name] == FAILED, not label.passed)
        for name in (f"{judge}.{check}",)
        for label, scores in given
        if label.check == check and name in scores
    ]
    return Agreement(
        judge=judge,
        score=check,
        labels=len(pairs),
        found=sum(found for found, _ in pairs),
        right=sum(found and failed for found, failed in pairs),
        wanted=sum(failed for _, failed in pairs),
    )


def _faults(label: EpisodeLabel) -> Iterator[Fault]:
    if label.check not in CHECKS:
        yield (
            "check",
            f"is {label.check!r}, which is no check: {nearest(label.check, list(CHECKS))}",
        )
