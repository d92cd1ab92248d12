"""An exam on a cluster: what it refuses, what a worker does that is told of it, and how it is watched; and,
where Ray is installed, its workers, one of which dies."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import threading
from contextlib import AsyncExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest
from command_runner import run
from lamp_exams import PLAN, lamp_exam
from model_servers import serving
from shared_exams import ExamSharers, answering, shared_exam
from shared_runs import over

from whoknew.engine.exams.cells import KEY
from whoknew.engine.exams.cluster_worker import ExamTask, ExamWorker, digest_of
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.program import load_exam, read_exam, sit_exam
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.run import ExamOptions, opened_session
from whoknew.engine.playing.control import Control
from whoknew.engine.running.cluster_worker import VARIABLE

RAY = pytest.mark.skipif(
    find_spec("ray") is None, reason="ray is not installed: pip install 'whoknew[cluster]'"
)


def with_a_summary(folder: Path) -> Path:
    plan = PLAN.replace("plays.db", str(folder / "plays.db"))
    return lamp_exam(folder, plan.replace('["none", "recall"]', '["none", "summary"]'))


def test_an_exam_in_a_file_is_not_sat_on_a_cluster(tmp_path: Path) -> None:
    log = tmp_path / "a.db"
    shown = run("exam", "run", "scenes", "--log", log, "--cluster", "local", rc=1)
    assert "is a file, which one process writes" in " ".join(shown.stderr.split())


async def test_a_worker_sits_what_it_is_told_and_whoever_watches_sees_all_of_it(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, database)
    plan = await asyncio.to_thread(with_a_summary, tmp_path)
    options = ExamOptions(repeats=2, offline=True)
    exam = load_exam(plan, ExamOptions(log=database, repeats=2, offline=True))
    progress = ExamProgress()
    async with opened_session(exam, options, Control(), progress) as session:
        session.survey()
        await session.look()
        assert not session.all_over and progress.before == 0
        told = ExamTask(plan=str(plan), options=options, digest=digest_of(session))
        assert await ExamWorker().work(told) == ""
        await session.look()
        assert session.all_over
    assert (progress.before, progress.reviewed) == (progress.cells, progress.reviews)
    assert (progress.cells, progress.remembered) == (12, progress.lives)
    calls = progress.spent.calls
    alone = load_exam(plan, ExamOptions(log=str(tmp_path / "a.db"), repeats=2, offline=True))
    assert calls == (await sit_exam(alone)).progress.spent.calls > 0
    assert await scores(exam) == await scores(alone)


async def test_whoever_watches_counts_the_cells_off_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There may be very many, and each look counts them all."""
    counted: list[threading.Thread] = []
    others_did = ExamLog.others_did

    def noted(log: ExamLog, key: str) -> bool:
        if len(key) == KEY:
            counted.append(threading.current_thread())
        return others_did(log, key)

    monkeypatch.setattr(ExamLog, "others_did", noted)
    options = ExamOptions(log=str(tmp_path / "a.db"))
    exam = load_exam(await asyncio.to_thread(with_a_summary, tmp_path), options)
    async with opened_session(exam, options, Control(), ExamProgress()) as session:
        for _ in range(2):
            await session.look()
            assert counted and threading.main_thread() not in counted
            counted.clear()
            await session.log.begin(exam.arms, exam.judges)


async def test_a_worker_that_finds_another_exam_asks_nothing(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = str(await asyncio.to_thread(with_a_summary, tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)
    task = ExamTask(plan=plan, options=ExamOptions(), digest="0" * 64)
    assert f"set {VARIABLE} on each machine" in await ExamWorker().work(task)
    monkeypatch.setenv(VARIABLE, database)
    assert "is another exam here than 000000000000" in await ExamWorker().work(task)
    stopped = ExamWorker()
    await stopped.stop("enough")
    exam = load_exam(plan, ExamOptions(log=database))
    async with opened_session(exam, ExamOptions(), Control(), ExamProgress()) as session:
        told = ExamTask(plan=plan, options=ExamOptions(), digest=digest_of(session))
        assert await stopped.work(told) == "enough"
    assert not any(cell.calls or cell.scores for cell in (await read_exam(exam)).cells)


async def scores(exam: LoadedExam) -> dict[str, dict[str, float]]:
    return {cell.key: cell.scores for cell in (await read_exam(exam)).cells}


@RAY
async def test_workers_of_a_cluster_share_an_exam_and_one_that_dies_is_replaced(
    tmp_path: Path, database: str
) -> None:
    async with serving("openai", after=answering) as server, AsyncExitStack() as stack:
        plan = await asyncio.to_thread(shared_exam, server, tmp_path)
        alone = ExamSharers(str(tmp_path / "alone.db"), server, plan)
        assert (await sit_exam(load_exam(plan, ExamOptions(log=alone.log)))).code == 0
        needed = server.calls
        server.asked.clear()
        server.going.clear()
        sharers = ExamSharers(database, server, plan)
        session = stack.enter_context(tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp"))
        environment = {
            **os.environ,
            "RAY_TMPDIR": session,
            "RAY_AUTH_TOKEN": "0123456789abcdef" * 2,
        }
        driver = await stack.enter_async_context(sharers.one("cluster", env=environment))
        await server.until_asked(4)  # by two workers, two at once each
        workers = await sharers.holders()
        assert len(workers) == 2 and driver.pid not in workers
        os.kill(min(workers), signal.SIGKILL)
        server.going.set()
        await over(driver)
        assert server.calls - needed <= 2
        assert await sharers.stories() == await alone.stories()
