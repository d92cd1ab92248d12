"""What the banks of an exam came to: one fold of the steps on its log. A line is one character with one
memory, from the beginning of its story on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from whoknew.agents.memories.bookmarks.kept_bank import STRATEGY, read_record
from whoknew.agents.memories.bookmarks.tally import StepTally
from whoknew.engine.exams.arms import ExamArm
from whoknew.engine.exams.bookmarks.figures import (
    HITS,
    PRICE,
    READ,
    REUSED,
    SAVED,
    SAVED_CALLS,
    SAVED_TOKENS,
)
from whoknew.engine.exams.bookmarks.own_tokens import OwnTokens
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.cells import Unit
from whoknew.engine.exams.curves import CurvePoint, ExamCurve
from whoknew.engine.exams.figures import mean_of_means
from whoknew.engine.exams.findings import Findings, FoundRow, FoundTable
from whoknew.engine.exams.whole_story import NOBODY
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import MemoryDerived

PARTS = 10
ALONG = "% of its steps"
"""What a curve goes along: so each line has a place on all of it, however long it is."""

HEADS = (
    *("character", "steps", "asked", REUSED, "derived %", SAVED, READ),
    *(SAVED_CALLS, SAVED_TOKENS),
)


OwnerKey = tuple[str, str]
"""A world, and a character of it: with one memory they have one line."""


class KeptStep(Struct, frozen=True):
    """A step of a line, which ends with the event `upto` of its world."""

    upto: int
    tally: StepTally


class LineFold:
    """All lines of an exam, as far as its log was read: by memory, what each of their steps came to."""

    def __init__(self) -> None:
        self._steps: dict[str, dict[OwnerKey, list[KeptStep]]] = {}
        self._tokens = OwnTokens()

    def called(self, arm: str, event: Event) -> None:
        self._tokens.take(arm, event)

    def take(self, memory: str, event: Event) -> None:
        """What a memory kept at a step, or asked for it."""
        self._tokens.take_step(memory, event)
        body = event.body
        if not isinstance(body, MemoryDerived) or body.strategy != STRATEGY:
            return
        if record := read_record(body.packed):
            lines = self._steps.setdefault(memory, {})
            step = KeptStep(body.upto, StepTally.of(record))
            lines.setdefault((body.material, body.owner), []).append(step)

    def findings(self, arms: Sequence[ExamArm], cells: Sequence[CellResult]) -> Findings:
        """Figures, a table of all lines, and what was there already and saved along them: of each line as
        far as it leads to one of these cells that was answered."""
        lasts = {arm.name: asked_upto(arm, cells) for arm in arms}
        steps = {arm.name: found for arm in arms if (found := self._leading(arm, lasts[arm.name]))}
        figures: dict[str, dict[str, float]] = {}
        if prices := self._tokens.prices(arms, cells, lasts):
            figures[PRICE] = prices
        if not steps:
            return Findings(figures=figures)
        lines = {
            arm: {line: joined(one.tally for one in some) for line, some in each.items()}
            for arm, each in steps.items()
        }
        wholes = {arm: joined(each.values()) for arm, each in lines.items()}
        for arm, whole in wholes.items():
            for name, value in figures_of_steps(whole).items():
                figures.setdefault(name, {})[arm] = value
        rows = tuple(row for arm, each in steps.items() for row in _rows(arm, each, lines[arm]))
        return Findings(
            figures=figures,
            tables={"lines": FoundTable("Banks of bookmarks, line by line", HEADS, rows)},
            curves=tuple(_curves(steps)),
            remarks=tuple(_remarks(figures[READ], wholes)),
        )

    def _leading(
        self, arm: ExamArm, lasts: Mapping[OwnerKey, int]
    ) -> dict[OwnerKey, list[KeptStep]]:
        """The steps of an arm that lead to its cells: they end before what is asked about. The step that was
        taken there for later cells is none of them."""
        every = self._steps.get(arm.memory.digest, {}) if arm.memory else {}
        found = {
            line: [one for one in some if one.upto < lasts.get(line, 0)]
            for line, some in every.items()
        }
        return {line: some for line, some in found.items() if some}


def asked_upto(arm: ExamArm, cells: Iterable[CellResult]) -> dict[OwnerKey, int]:
    """Up to which seq each line of an arm was asked about and answered."""
    of_story = bool(arm.memory and arm.memory.of_story)
    found: dict[OwnerKey, int] = {}
    for one in cells:
        unit = one.cell.unit
        if one.cell.arm is arm and one.answer is not None and isinstance(unit, Unit):
            question = unit.asked.question
            key = (question.world, NOBODY if of_story else question.character)
            found[key] = max(found.get(key, 0), unit.seq)
    return found


def figures_of_steps(tally: StepTally) -> dict[str, float]:
    """In percent; of calls, where they were counted."""
    found = {
        HITS: percent(tally.hits, tally.asked),
        REUSED: percent(tally.reused, tally.asked),
        SAVED: 100 * (tally.saved or 0.0),
        READ: percent(tally.read, tally.scratch),
    }
    if tally.anew.calls:
        found[SAVED_CALLS] = 100 - percent(tally.took.calls, tally.anew.calls)
        found[SAVED_TOKENS] = 100 - percent(tally.took.tokens, tally.anew.tokens)
    return found


def _remarks(read: Mapping[str, float], wholes: Mapping[str, StepTally]) -> Iterator[str]:
    if more := [arm for arm, percent in read.items() if percent > 100]:
        yield (
            f"{READ} is above 100 ({', '.join(more)}): lines are read more than once, full chunks as a "
            "whole and actions with their scene"
        )
    if some := [arm for arm, one in wholes.items() if one.unknown and one.anew.calls]:
        yield (
            f"{SAVED_CALLS} and {SAVED_TOKENS} of {', '.join(some)} are those of states and concepts: what "
            "habits would have taken from the start is not known where they are rewritten by what is new"
        )


def joined(some: Iterable[StepTally]) -> StepTally:
    whole = StepTally()
    for one in some:
        whole.join(one)
    return whole


def _curves(steps: Mapping[str, Mapping[OwnerKey, Sequence[KeptStep]]]) -> Iterator[ExamCurve]:
    """What each tenth of the lines came to, by itself: each line counts the same."""
    for score in (HITS, SAVED):
        for arm, lines in steps.items():
            tallies = [[one.tally for one in some] for some in lines.values()]
            points = [
                CurvePoint(100 * (part + 1) // PARTS, mean_of_means(values))
                for part in range(PARTS)
                if (values := [[figures_of_steps(o)[score]] for o in line_parts(tallies, part)])
            ]
            yield ExamCurve(score, arm, tuple(points), ALONG, scale=(0.0, 100.0))


def line_parts(lines: Iterable[Sequence[StepTally]], part: int) -> Iterator[StepTally]:
    """A part of each line, where something was asked in it."""
    for steps in lines:
        first, end = (len(steps) * one // PARTS for one in (part, part + 1))
        tally = joined(steps[first:end])
        if tally.asked:
            yield tally


def _rows(
    arm: str, steps: Mapping[OwnerKey, Sequence[KeptStep]], lines: Mapping[OwnerKey, StepTally]
) -> Iterator[FoundRow]:
    for (world, who), one in sorted(lines.items(), key=lambda pair: pair[0]):
        figures = figures_of_steps(one)
        words = (
            who or "the story",
            f"{one.steps:,}",
            f"{one.asked:,}",
            f"{figures[REUSED]:.1f}",
            f"{percent(one.derived, one.asked):.1f}",
            f"{figures[SAVED]:.1f}",
            f"{figures[READ]:.1f}",
            *(
                f"{figures[name]:.1f}" if name in figures else ""
                for name in (SAVED_CALLS, SAVED_TOKENS)
            ),
        )
        yield FoundRow(arm, world, steps[world, who][-1].upto, words)


def percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
