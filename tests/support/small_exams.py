"""Lives for tests: small examinations, played into a log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from whoknew.engine.exams.lifelong.lives import program_of
from whoknew.engine.exams.lifelong.plan import Exam, parse
from whoknew.engine.exams.lifelong.report import ExamReport, report
from whoknew.engine.running.chains import open_run
from whoknew.eventlog import open_log

SMALL = """
seed = 3
chains = 2
episodes = 3
hard = 1
memories = ["none", "entire"]
[agents.everyone]
agent = "bargainer"
"""


def exam(text: str = SMALL) -> Exam:
    return parse(text, "test")


def dividing(one: Exam, episodes: int, hard: int) -> Exam:
    """The same with nothing but scenarios in which there is something to divide."""
    sketches = tuple(sketch for sketch in one.bank.sketches if sketch.pool)
    bank = msgspec.structs.replace(one.bank, sketches=sketches)
    plan = msgspec.structs.replace(one.plan, episodes=episodes, hard=hard)
    return msgspec.structs.replace(one, bank=bank, plan=plan)


async def led(one: Exam, log: Path) -> ExamReport:
    """Play an exam to its end, and report."""
    async with open_run(program_of(one, str(log))) as run:
        await run.survey()
        played = await run.play()
        assert played.finished, played
    async with open_log(log, read_only=True) as opened:
        return await report(opened, one, str(log))


def means(found: ExamReport, part: str, metric: str) -> Mapping[str, float | None]:
    return {row.arm: row.figures[part][metric].mean for row in found.rows}
