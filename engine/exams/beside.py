"""A table beside an earlier one: what is otherwise, arm by arm and score by score."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.engine.errors import NoReport
from whoknew.engine.exams.arms import differing
from whoknew.engine.exams.figures import Estimate
from whoknew.engine.exams.table import ExamTable


class MovedFigure(Struct, frozen=True, kw_only=True):
    """What a score of an arm is here, and was there. `otherwise` says what differs between the two
    arms, and between the judges, of one name."""

    arm: str
    score: str
    here: Estimate
    there: Estimate
    otherwise: tuple[str, ...] = ()

    @property
    def difference(self) -> str:
        """In words; in standard errors, where both have one."""
        if self.here.mean is None or self.there.mean is None:
            return "-"
        moved = (
            round(self.here.mean - self.there.mean, 9) + 0.0
        )  # what sums leave over is no difference
        if self.here.error is None or self.there.error is None:
            return f"{moved:+.3f}"
        error = (self.here.error**2 + self.there.error**2) ** 0.5
        return f"{moved:+.3f} ({moved / error:+.1f} SE)" if error else f"{moved:+.3f}"


def earlier(path: Path) -> ExamTable:
    """The table that was written to a file, or to the folder that holds it."""
    file = path / "report.json" if path.is_dir() else path
    try:
        return msgspec.json.decode(file.read_bytes(), type=ExamTable)
    except FileNotFoundError:
        raise NoReport(f"{file} is not there: name a folder that an earlier --out wrote") from None
    except OSError as error:
        raise NoReport(f"{file} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise NoReport(f"{file} is no report of `whoknew exam report --out`: {error}") from None


def moved(table: ExamTable, other: ExamTable) -> Iterator[MovedFigure]:
    """What both tables have."""
    for score, arms in table.figures.items():
        there = {one.arm: one.micro for one in other.figures.get(score, ())}
        for one in arms:
            if one.arm in there:
                yield MovedFigure(
                    arm=one.arm,
                    score=score,
                    here=one.micro,
                    there=there[one.arm],
                    otherwise=tuple(_otherwise(table, other, one.arm, score)),
                )


def apart(table: ExamTable, other: ExamTable) -> Iterator[str]:
    """What differs between the two as a whole."""
    counts = (
        (f"{table.unit}s", table.units, other.units),
        ("repeats", table.repeats, other.repeats),
        ("seed", table.seed, other.seed),
    )
    for what, here, there in counts:
        if here != there:
            yield f"{what}: was {there:,} and is {here:,}"
    now, before = ([one.name for one in some.judges] for some in (table, other))
    yield from (f"judge {name}: was not there" for name in now if name not in before)
    yield from (f"judge {name}: is not here" for name in before if name not in now)


def _otherwise(table: ExamTable, other: ExamTable, arm: str, score: str) -> Iterator[str]:
    judge = score.partition(".")[0]
    for name, here, there in ((arm, table.arms, other.arms), (judge, table.judges, other.judges)):
        was = next((one.settings for one in there if one.name == name), {})
        now = next((one.settings for one in here if one.name == name), {})
        yield from (f"{name}: {what}" for what in differing(was, now))
