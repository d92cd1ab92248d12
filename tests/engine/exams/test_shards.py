"""Several processes at one exam and one PostgreSQL log: each cell is asked once, and no memory is built
twice, whoever dies."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from model_servers import serving
from shared_exams import ExamSharers, answering, shared_exam
from shared_runs import freeze, over, thaw
from small_exams import SMALL, exam

from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.program import load_exam, read_exam, sit_exam
from whoknew.engine.exams.run import ExamOptions, chosen
from whoknew.engine.running import free_chains
from whoknew.eventlog import open_log


async def test_a_dead_and_a_frozen_process_cost_nothing(tmp_path: Path, database: str) -> None:
    """One is frozen until its shards are another's, one is killed; a third ends what they began."""
    async with serving("openai", after=answering) as server, AsyncExitStack() as stack:
        plan = await asyncio.to_thread(shared_exam, server, tmp_path)
        alone = ExamSharers(str(tmp_path / "alone.db"), server, plan)
        assert (await sit_exam(load_exam(plan, ExamOptions(log=alone.log)))).code == 0
        needed = server.calls
        server.asked.clear()

        sharers = ExamSharers(database, server, plan)
        server.going.clear()
        frozen = await stack.enter_async_context(sharers.one())
        await server.until_asked(2)
        freeze(frozen)
        killed = await stack.enter_async_context(sharers.one())
        await server.until_asked(4)
        killed.kill()
        last = await stack.enter_async_context(sharers.one())
        await sharers.until_taken_over(frozen)
        server.going.set()
        await over(last)
        calls = server.calls
        thaw(frozen)
        await over(frozen)
        assert server.calls == calls
        assert calls - needed <= 4
        assert await sharers.stories() == await alone.stories()


@pytest.mark.usefixtures("kept_leases")
async def test_scenes_are_shared_by_their_worlds(tmp_path: Path, database: str) -> None:
    logs = database, str(tmp_path / "alone.db")
    shared, alone = (chosen(exam(SMALL), ExamOptions(log=log)) for log in logs)
    both = await asyncio.gather(sit_exam(shared), sit_exam(shared))
    assert [one.code for one in both] == [0, 0]
    assert sum(one.progress.answered for one in both) == both[0].progress.cells
    assert all(one.progress.before + one.progress.answered == one.progress.cells for one in both)
    await sit_exam(alone)
    assert await _scores(shared) == await _scores(alone)
    async with open_log(database) as log:
        assert log.store.leases is not None
        assert await log.store.leases.all() == []


async def test_what_was_lost_to_another_is_waited_for_and_counted(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leases run out while a scene is played: that is over for both when others have ended it."""
    monkeypatch.setattr(free_chains, "HEARTBEAT", 0.05)
    shared = chosen(exam(SMALL), ExamOptions(log=database))
    both = await asyncio.gather(sit_exam(shared), sit_exam(shared))
    assert [one.code for one in both] == [0, 0]
    assert all(one.progress.before + one.progress.answered == one.progress.cells for one in both)


async def _scores(one: LoadedExam) -> dict[str, dict[str, float]]:
    return {cell.key: cell.scores for cell in (await read_exam(one)).cells}
