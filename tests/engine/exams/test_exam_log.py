"""The log of an exam, as it is looked into."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from command_runner import ended, run
from lamp_exams import PLAN, lamp_exam

from whoknew.engine import load_exam, sit_exam
from whoknew.engine.exams.cells import cells_of
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.material import reading_material, units
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.show import shown_cell
from whoknew.engine.opening import reading
from whoknew.eventlog.kinds import Called


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


async def test_calls_of_what_is_done_are_found_and_not_gone_on_with(tmp_path: Path) -> None:
    plan = PLAN.replace("[grid]", '[grid]\nmethods = ["self-refine"]')
    plan = plan.replace("plays.db", str(tmp_path / "plays.db"))
    path = await asyncio.to_thread(lamp_exam, tmp_path, plan)
    exam = load_exam(path, ExamOptions(log=str(tmp_path / "lamps.db")))
    await sit_exam(exam)
    async with reading_material(exam) as material, reading(exam.plan.address) as opened:
        log = await ExamLog.of(opened, "lamps")
        for cell in cells_of(await units(exam, material), exam.arms, 1):
            events = await log.all_of(cell.key)
            assert sum(isinstance(event.body, Called) for event in events) > 1
            assert f"{cell.key}/1" in {event.key for event in events}
            assert log.done(cell.key) and not await log.calls(cell.key)


def test_an_exam_is_begun_in_a_database_that_holds_no_log_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = lamp_exam(tmp_path, PLAN.replace("[grid]", f'log = "{database}"\n[grid]'))
    run("exam", "check", path)
    run("exam", "questions", path)
    run("exam", "run", path, "--dry-run")
    assert "holds no log yet" in ended("exam", "report", path)[1].stderr
    assert "6 cells" in run("exam", "run", path).stdout + run("exam", "run", path).stderr
    run("exam", "report", path)


def test_what_a_run_may_cost_is_foreseen_of_a_database_that_holds_no_log_yet(database: str) -> None:
    run("run", "midnight-diner", "--log", database, "--dry-run")
