"""How far judges can be trusted: their checks against labels that people gave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.engine.errors import BadLabels
from whoknew.engine.exams.agreement import Agreement
from whoknew.engine.judges.scales import CHECKS, FAILED
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import Reviewed


class Label(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person found: whether a character passed a check in an episode."""

    world: str
    episode: int
    character: str
    check: str
    passed: bool


def labels_of(path: Path) -> list[Label]:
    """The labels in a file, one JSON object a line."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadLabels(f"{path} cannot be read: {error.strerror or error}") from None
    found: list[Label] = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            found.append(_label(line, f"{path}, line {number}"))
    if not found:
        raise BadLabels(f"{path} holds no labels")
    return found


async def validated(log: Log, labels: Sequence[Label]) -> tuple[tuple[Agreement, ...], int]:
    """Every judge on the log that decided a labelled check, check by check; and how many labels are
    of what no judge decided."""
    verdicts: dict[tuple[str, int, str], dict[str, dict[str, float]]] = {}
    for world in dict.fromkeys(one.world for one in labels):
        async for event in await log.director(world):
            if isinstance(event.body, Reviewed) and event.actor:
                key = (world, event.episode, event.actor)
                verdicts.setdefault(key, {})[event.body.judge] = event.body.scores
    judges = dict.fromkeys(judge for found in verdicts.values() for judge in found)
    found = tuple(
        agreement
        for judge in judges
        for check in CHECKS
        if (agreement := _agreement(judge, check, labels, verdicts)).labels
    )
    unmet = sum(
        not any(one.check in scores for scores in verdicts.get(_place(one), {}).values())
        for one in labels
    )
    return found, unmet


def _place(label: Label) -> tuple[str, int, str]:
    return label.world, label.episode, label.character


def _agreement(
    judge: str,
    check: str,
    labels: Iterable[Label],
    verdicts: dict[tuple[str, int, str], dict[str, dict[str, float]]],
) -> Agreement:
    """To be found is to fail."""
    pairs = [
        (scores[check] == FAILED, not one.passed)
        for one in labels
        if one.check == check and check in (scores := verdicts.get(_place(one), {}).get(judge, {}))
    ]
    return Agreement(
        judge=judge,
        score=check,
        labels=len(pairs),
        found=sum(found for found, _ in pairs),
        right=sum(found and failed for found, failed in pairs),
        wanted=sum(failed for _, failed in pairs),
    )


def _label(line: bytes, where: str) -> Label:
    try:
        one = msgspec.json.decode(line, type=Label)
    except msgspec.MsgspecError as error:
        raise BadLabels(f"{where}: {error}") from None
    if one.check not in CHECKS:
        raise BadLabels(f"{where}: {one.check!r} is no check: take one of {', '.join(CHECKS)}")
    return one
