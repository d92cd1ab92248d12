"""The log of an exam, as it is looked into."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
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
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called, Failed
from whoknew.eventlog.stores.store import PORTION, Batch


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


async def test_what_went_in_together_comes_back_whole_however_large_it_is(tmp_path: Path) -> None:
    reasons = [f"{number} {'of many words ' * (PORTION // 40)}" for number in range(6)]
    async with open_log(tmp_path / "exam.db") as opened:
        log = await ExamLog.of(opened, "exam")
        await log.begin((), ())
        await log.concluded("one", 1, [Failed("answer", why) for why in reasons], failed=False)
        await log.concluded("two", 1, [Failed("answer", "another")], failed=False)
        found = [event.body for event in await log.batch("one")]
        assert [body.error for body in found if isinstance(body, Failed)] == reasons


async def test_what_others_did_is_told_from_what_one_did_oneself(database: str) -> None:
    async with open_log(database) as mine, open_log(database) as theirs:
        log = await ExamLog.of(mine, "exam")
        await log.begin((), ())
        other = await ExamLog.of(theirs, "exam")
        for one, key in ((log, "a"), (other, "b")):
            await one.concluded(key, 1, [Failed("answer", "tried")], failed=True)
            await one.catch_up()
            await one.concluded(f"{key}{key}", 1, [Failed("answer", "done")], failed=False)
        for one in (log, other):
            await one.catch_up()
            assert [key for key in ("a", "b") if one.failed(key)] == ["a", "b"]
            assert one.done("aa") and one.done("bb")
        for one, key in ((log, "b"), (other, "a")):
            assert [some for some in ("a", "b") if one.others_failed(some)] == [key]
            assert [some for some in ("aa", "bb") if one.others_did(some)] == [2 * key]
        await log.concluded("b", 1, [Failed("answer", "tried")], failed=True)
        await other.catch_up()
        assert not log.others_failed("b") and other.others_failed("b")


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


async def test_calls_that_are_written_as_it_is_stopped_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is written after them, by whoever was stopped too, has a place of its own."""
    async with open_log(tmp_path / "exam.db") as opened:
        log = await ExamLog.of(opened, "exam")
        await log.begin([], [])
        commit, going_in = opened.store.commit, asyncio.Event()

        async def slowly(batches: Sequence[Batch]) -> list[bool]:
            went_in = await commit(batches)
            going_in.set()
            await asyncio.sleep(0.05)
            return went_in

        monkeypatch.setattr(opened.store, "commit", slowly)
        call = Called("answer", "offline:", "digest", "yes")
        writing = asyncio.create_task(log.called("k" * 32, None, [call]))
        await going_in.wait()
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
        await log.called("k" * 32, None, [call])
        again = await ExamLog.of(opened, "exam")
        for one in (log, again):
            assert [event.key for event in await one.calls("k" * 32)] == [
                "k" * 32 + "/1",
                "k" * 32 + "/2",
            ]
