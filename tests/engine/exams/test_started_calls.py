"""Calls that were started, on the log of an exam that several processes sit."""

from __future__ import annotations

import pytest

from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.planted import PLANTED
from whoknew.engine.exams.started_calls import StartedCalls
from whoknew.engine.playing.spent import NO_COST
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called, Failed
from whoknew.eventlog.machinery import CallStarted

CELL = "c" * 32
PLANT = f"{PLANTED} perfect {'a' * 32} {'b' * 32}"


@pytest.mark.parametrize("key", [CELL, PLANT])
async def test_what_is_answered_is_not_lost_and_is_spent_by_its_shard(key: str) -> None:
    """Also what judges say of planted answers."""
    started = CallStarted(
        purpose="judge", model="m", digest="d", tokens=9, money=1.0, key=key, lease="lamps"
    )
    made = Called("judge", "m", "d", "yes", money=0.5)
    fold = StartedCalls()
    async with open_log(":memory:") as opened:
        log = await ExamLog.of(opened, "exam")
        await log.begin([], [])
        for _ in range(3):
            await log.started(started)
        await log.called(key, 1, [made])
        await log.concluded(key, 1, [made, Failed("review", "words: no verdict")], failed=True)
        await log.concluded(key, 1, [made], failed=False)
        async for event in log.read():
            fold.take(event)
    assert fold.lost() == NO_COST
    assert {lease: one.calls for lease, one in fold.spent.items()} == {"lamps": 3}
