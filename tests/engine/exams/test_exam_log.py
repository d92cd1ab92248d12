"""The log of an exam, as it is looked into."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
from lamp_exams import PLAN, lamp_exam

from whoknew.engine import load_exam, sit_exam
from whoknew.engine.exams.cells import cells_of
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.material import reading_material, units
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.show import shown_cell
from whoknew.engine.opening import reading


async def test_a_cell_is_shown_the_same_whether_or_not_all_keys_are_known(tmp_path: Path) -> None:
    plan = PLAN.replace('["none", "recall"]', '["none", "summary"]')
    plan = plan.replace("plays.db", str(tmp_path / "plays.db"))
    path = await asyncio.to_thread(lamp_exam, tmp_path, plan)
    exam = load_exam(path, ExamOptions(log=str(tmp_path / "lamps.db")))
    await sit_exam(exam)
    async with reading_material(exam) as material, reading(exam.plan.address) as opened:
        whole = await ExamLog.of(opened, "lamps")
        notes = 0
        for cell in cells_of(await units(exam, material), exam.arms, 1):
            part = await ExamLog.to_read(opened, "lamps")
            shown = await shown_cell(exam, cell, part, material)
            assert shown == await shown_cell(exam, cell, whole, material)
            assert shown.answer is not None and shown.calls
            notes += len(shown.memory)
    assert notes and msgspec.json.encode(shown)
