"""LoCoMo's questions in an exam: how much of their evidence comes to mind, by memory and kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from recall_evidence import Shares
from watch_exams import exam_in

from whoknew.agents.models.offline import Offline
from whoknew.engine.exams.asked_models import Roles
from whoknew.engine.exams.cells import cells_of
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.material import units
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.session import SessionParts
from whoknew.engine.exams.show import shown_cell
from whoknew.engine.exams.sitting import Sitting
from whoknew.engine.playing.control import Control
from whoknew.eventlog import Log
from whoknew.eventlog.stores.volatile import VolatileStore
from whoknew.worlds.importers.locomo import worlds_of

PLAN = """
exam = "questions"
name = "talks"
material = "talks.db"
questions = "questions.jsonl"
grid.memories = [{}]
"""


async def came_to_mind(
    data: Path, folder: Path, memories: Sequence[str], every: int = 1
) -> dict[str, Shares]:
    """For each memory what part of the evidence stood before its character, whole or in a note, when
    it was asked: every so many of the questions."""
    worlds = list(worlds_of(data / "locomo.json"))
    asked = [one for world in worlds for one in world.questions if one.evidence][::every]
    plan = PLAN.format(", ".join(f'"{name}"' for name in memories))
    exam = exam_in(folder, plan, asked)
    found: dict[str, Shares] = {name: defaultdict(list) for name in memories}
    async with Log(VolatileStore()) as about, Log(VolatileStore()) as kept:
        for world in worlds:
            await about.append(world.name, world.drafts)
        log, put = await ExamLog.of(kept, exam.plan.name), await units(exam, about)
        parts = SessionParts(
            exam=exam,
            log=log,
            roles=Roles({"offline:": Offline()}, {"offline:": None}),
            control=Control(),
            progress=ExamProgress(),
        )
        sitting = Sitting(parts, units=put, material=about)
        sitting.survey()
        await sitting.sit()
        for cell in cells_of(put, exam.arms, 1):
            shown = await shown_cell(exam, cell, log, about)
            evidence = {one.event.seq: one.came_to_mind for some in shown.evidence for one in some}
            share = sum(evidence.values()) / len(evidence)
            found[cell.arm.name][cell.unit.kind].append(share)
    return found
