"""Who plays: the seats of all arms of an exam, compared on the scenes that they were in, on either
side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean

from whoknew.engine.exams.arms import ExamArm, digest_of
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.figures import ScoredCell, ScoreTable
from whoknew.engine.plan.plan import Seat


def players(arms: tuple[ExamArm, ...]) -> dict[tuple[str, str], str]:
    """Who plays each side of each arm, by the names of arm and side, in words that tell them apart.
    Nobody where in no arm one side differs from the other."""
    if not any(arm.sides and arm.settings["first"] != arm.settings["second"] for arm in arms):
        return {}
    seats = {
        (arm.name, side): (digest_of(arm.settings[side]), seat)
        for arm in arms
        for side, seat in arm.sides.items()
    }
    known = dict(seats.values())
    labels = next(filter(_tell_apart, _labels(known)))
    return {place: labels[digest] for place, (digest, _) in seats.items()}


def by_player(
    arms: tuple[ExamArm, ...], cells: Sequence[CellResult], names: Sequence[str]
) -> dict[str, ScoreTable]:
    """For each of these scores what each player had of it, over all arms and sides in which it played
    a scene: none of a scene of which one failed."""
    known = players(arms)
    whole = [name for name in names if known and name.count(".") == 1]
    return {name: ScoreTable.of(_scored(known, cells, name)) for name in whole}


def _scored(
    known: Mapping[tuple[str, str], str], cells: Sequence[CellResult], name: str
) -> Iterator[ScoredCell]:
    scores: dict[tuple[str, int, str], list[float | None]] = {}
    units = {one.cell.unit.id: one.cell.unit for one in cells}
    for one in cells:
        for side in ("first", "second"):
            score = one.scores.get(f"{name}.{side}")
            if (
                score is not None
                or one.failure is not None
                or name.partition(".")[0] in one.unreviewed
            ):
                player = known[one.cell.arm.name, side]
                scores.setdefault((one.cell.unit.id, one.cell.repeat, player), []).append(score)
    for (unit, repeat, player), some in scores.items():
        had = [score for score in some if score is not None]
        yield ScoredCell(
            unit=unit,
            cluster=units[unit].cluster,
            kind=units[unit].kind,
            arm=player,
            tags=units[unit].tags,
            repeat=repeat,
            score=mean(had) if len(had) == len(some) else None,
        )


def _labels(seats: Mapping[str, Seat]) -> Iterator[dict[str, str]]:
    """Names for seats: of what first tells them apart, or else their digests."""
    for keys in (("model",), ("memory",), ("method",), ("agent",), ("model", "memory")):
        yield {
            digest: " ".join(str(getattr(seat, key)) for key in keys)
            for digest, seat in seats.items()
        }
    yield {
        digest: f"{seat.agent} {seat.model} {seat.memory} {digest[:6]}"
        for digest, seat in seats.items()
    }


def _tell_apart(labels: Mapping[str, str]) -> bool:
    return len(set(labels.values())) == len(labels)
