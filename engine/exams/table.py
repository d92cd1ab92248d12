"""What stands in the table of an exam."""

from __future__ import annotations

from math import ceil
from typing import Any

from msgspec import Struct

from whoknew.engine.exams.agreement import Agreement
from whoknew.engine.exams.cell_rows import CellRow
from whoknew.engine.exams.comparing import ArmComparison
from whoknew.engine.exams.curves import ExamCurve
from whoknew.engine.exams.figures import ArmFigures
from whoknew.engine.exams.findings import FoundTable
from whoknew.engine.exams.judge_card import JudgeCard
from whoknew.engine.exams.writing.kept_texts import KeptTexts


class ExamRow(Struct, frozen=True, kw_only=True):
    """One arm of the table. Of its `cells`, so many were `answered`, so many `failed`; the others are
    not asked yet. `unreviewed` counts verdicts that failed."""

    arm: str
    digest: str
    cells: int
    answered: int
    failed: int
    unreviewed: int
    calls: int
    tokens: int
    money: float | None
    judging: float | None
    """What its judges took, in dollars."""
    prompts: int = 0
    """So many prompts were made: more than calls, where the very same was answered before."""
    leaking: int = 0
    """So many of them told of what their character cannot know: none but those of controls that leak."""
    refused: int = 0
    """So many answers its guard refused."""

    @property
    def far(self) -> str:
        """How many of its cells are there; and of how many, where that is not all of them."""
        done = self.answered + self.failed
        return f"{done:,}" if done == self.cells else f"{done:,} of {self.cells:,}"


class MemoryRow(Struct, frozen=True, kw_only=True):
    """What it took to derive a memory, once for all of these `arms`: so many `steps` of lives, of which
    `failed` could not be written."""

    memory: str
    model: str
    digest: str
    arms: tuple[str, ...]
    steps: int
    failed: int
    calls: int
    tokens: int
    money: float | None


class WriterRow(Struct, frozen=True, kw_only=True):
    """What it took a model to write questions, whichever plan asked for them: at so many `places`, with
    `failed` others, so many were `kept` and `refused`, and of what it wrote on the way to them these
    `texts`."""

    model: str
    digest: str
    places: int
    failed: int
    kept: int
    refused: int
    texts: dict[str, KeptTexts] = {}
    calls: int
    tokens: int
    money: float | None


class TablePart(Struct, frozen=True):
    """What stands behind an arm, a judge or a memory of the table."""

    name: str
    digest: str
    settings: dict[str, Any]


class ExamTable(Struct, frozen=True, kw_only=True):
    """What an exam came to. A `warning` says that much failed, `remarks` what else is to be known before
    any figure is believed."""

    warning: str = ""
    name: str
    log: str
    material: str
    unit: str
    """What is put to each arm: a question, or a scene."""
    units: int
    repeats: int
    version: str
    seed: int
    kinds: dict[str, int]
    rows: tuple[ExamRow, ...]
    figures: dict[str, tuple[ArmFigures, ...]]
    """Of each score of each judge, as JUDGE.SCORE: what each arm came to."""
    comparisons: dict[str, tuple[ArmComparison, ...]]
    remembering: tuple[MemoryRow, ...] = ()
    """What was spent on memory that the worlds lack, apart from what was spent on answers."""
    writing: tuple[WriterRow, ...] = ()
    """What was spent on having its questions written."""
    faults: tuple[str, ...] = ()
    """The scores that count what is wrong: of these more is not better."""
    players: dict[str, tuple[ArmFigures, ...]] = {}
    """In scenes whose sides differ: of each score, what each who plays came to, over all arms and
    sides in which it plays."""
    player_comparisons: dict[str, tuple[ArmComparison, ...]] = {}
    arms: tuple[TablePart, ...]
    judges: tuple[TablePart, ...]
    memories: tuple[TablePart, ...] = ()
    cards: tuple[JudgeCard, ...] = ()
    """What judges let pass, where they heard planted answers."""
    own: dict[str, dict[str, int | float]] = {}
    """What its kind counts beyond that: by name, for each arm."""
    left_out: int = 0
    """So many questions are not asked, because they are doubtful."""
    struck: int = 0
    """So many were struck by somebody who looked at them."""
    curves: tuple[ExamCurve, ...] = ()
    """Of scenes of several episodes: what each score came to in each."""
    found: dict[str, FoundTable] = {}
    """What else its kind found in the worlds that it is about."""
    published: dict[str, dict[str, tuple[float, float | None]]] = {}
    """What others had of the same scores, where that was asked for: mean, and deviation."""
    main: tuple[str, ...] = ()
    """The scores that it is about, where it is not about all: arms are compared in them alone."""
    agreements: tuple[Agreement, ...] = ()
    """Judges beside people, where there are labels."""
    unmet: int = 0
    """So many labels are of what no judge has a score for."""
    remarks: tuple[str, ...] = ()

    def judged(self, score: str) -> dict[str, int]:
        """Of how many units of each kind the figures of a score are: those that are scored, or failed
        to be, in any arm."""
        found: dict[str, int] = {}
        for arm in self.figures[score]:
            for kind, one in arm.kinds.items():
                units = min(ceil((one.number + one.failures) / self.repeats), self.kinds[kind])
                found[kind] = max(found.get(kind, 0), units)
        return found

    def kind_heads(self, score: str) -> dict[str, str]:
        """Each kind of which a score has figures, with its number of units: `fact (6 of 9)`."""
        judged = self.judged(score)
        return {
            kind: f"{kind} ({f'{judged[kind]:,} of ' if judged[kind] < whole else ''}{whole:,})"
            for kind, whole in self.kinds.items()
            if kind in judged
        }

    @property
    def finished(self) -> bool:
        return all(row.answered + row.failed == row.cells for row in self.rows)


class TabledCells(Struct, frozen=True):
    """A table, and the cells that it is made of."""

    table: ExamTable
    cells: tuple[CellRow, ...]

    def __repr__(self) -> str:
        """Short: asyncio writes down what a task comes to, whether or not anybody reads that."""
        return f"TabledCells({self.table.name!r}, {len(self.cells):,} cells)"
