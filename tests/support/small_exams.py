"""Lives for tests: small examinations, played into a log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from whoknew.engine.exams.document import LoadedExam, parse
from whoknew.engine.exams.figures import Estimate
from whoknew.engine.exams.lifelong import lives
from whoknew.engine.exams.lifelong.lifelong_exam import LifelongExam
from whoknew.engine.exams.lifelong.lives import PlannedLife
from whoknew.engine.exams.program import read_exam, sit_exam
from whoknew.engine.exams.run import ExamOptions, chosen
from whoknew.engine.exams.table import ExamTable
from whoknew.engine.plan.program import Program
from whoknew.worlds.bank import Bank
from whoknew.worlds.people import People

SMALL = """
seed = 3
chains = 2
episodes = 3
hard = 1
grid.memories = ["none", "entire"]
[agents.everyone]
agent = "bargainer"
"""

HEAD = 'exam = "lifelong"\nname = "lifelong"\n'
FOUR = 'grid.memories = ["none", "recall", "summary", "entire"]\n'


def exam(text: str = SMALL, beside: Path | None = None, grid: str = FOUR) -> LoadedExam:
    """With all four memories, where a text gives no grid."""
    return parse(HEAD + ("" if "grid" in text else grid) + text, "test", beside)


def kind(one: LoadedExam) -> LifelongExam:
    assert isinstance(one.kind, LifelongExam)
    return one.kind


def lives_of(one: LoadedExam) -> list[PlannedLife]:
    ours = kind(one)
    people, bank = ours.people_and_bank(one.beside)
    return lives.lives(
        people,
        bank,
        seed=one.plan.seed,
        chains=ours.chains,
        episodes=ours.episodes,
        hard=ours.hard,
    )


def program_of(one: LoadedExam, log: str) -> Program:
    """Its chains, as they are played."""
    return Program([life.chain for life in lives.led(one)], log)


class Dividing(LifelongExam, frozen=True):
    """one in which there is always something to divide"""

    def people_and_bank(self, beside: Path) -> tuple[People, Bank]:
        people, bank = super().people_and_bank(beside)
        sketches = tuple(sketch for sketch in bank.sketches if sketch.pool)
        return people, replace(bank, sketches=sketches)


def dividing(one: LoadedExam, episodes: int, hard: int) -> LoadedExam:
    """The same with nothing but scenarios in which there is something to divide."""
    ours = replace(kind(one), episodes=episodes, hard=hard)
    fields = {name: getattr(ours, name) for name in ours.__struct_fields__}
    return replace(one, kind=Dividing(**fields))


async def led(one: LoadedExam, log: Path) -> ExamTable:
    """Play an exam to its end, and report."""
    one = chosen(one, ExamOptions(log=str(log)))
    sat = await sit_exam(one)
    assert sat.code == 0, sat
    return (await read_exam(one)).table


def figure_of(found: ExamTable, score: str, arm: str) -> Estimate:
    """What an arm came to; nothing, where the table has no such score of it."""
    arms = {one.arm: one.micro for one in found.figures.get(score, ())}
    return arms.get(arm, NOTHING)


NOTHING = Estimate(mean=None, deviation=None, error=None, number=0, clusters=0)


def means(found: ExamTable, score: str) -> Mapping[str, float | None]:
    return {row.arm: figure_of(found, score, row.arm).mean for row in found.rows}
