"""Memory that an exam derives: once, for all arms that it is the same for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from remembered_lives import (
    SUMMARY,
    WORLD,
    Stub,
    asking,
    events_on,
    exam_about,
    lives,
    logged,
    notes_of,
    plan_of,
)
from watch_exams import calls_on, came_to, exam_in, sat

from whoknew.agents.models.offline import Offline
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.report import _remembering
from whoknew.engine.exams.shared_calls import SharedCalls
from whoknew.eventlog import Event, Log, verify
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.stores.volatile import VolatileStore


async def test_what_many_want_at_once_is_written_once_and_rests_on_what_its_owner_saw(
    tmp_path: Path,
) -> None:
    drafts = lives(Random(1), 6)
    plan = SUMMARY.replace("at_once = 8", "at_once = 64\nrepeats = 3").replace(
        "[agents", 'methods = ["plain", "stepwise"]\n[agents'
    )
    exam = exam_about(tmp_path, [("Horatio", seq) for seq in range(10, len(drafts), 3)], plan)
    kept, model = VolatileStore(), Stub()
    async with logged(drafts) as about:
        progress = await sat(exam, about, kept, model)
        view = await about.view(WORLD, "Horatio", "end")
        found = await came_to(exam, about, kept)
        events = await events_on(kept)
        notes = notes_of(events)
        assert len(notes) > 3 and len({note.upto for note in notes}) == len(notes)
        for note in notes:
            record = await about.lineage.record(WORLD, note.upto)
            assert record is not None and note.hash == record.hash.hex()
            assert note.material == WORLD and note.owner == "Horatio"
            assert note.sources and all(seq in view for seq in note.sources)
            assert max(note.sources) <= note.upto
    async with Log(kept) as log:
        assert (await verify(log)).faults == ()
    asked = [event.body for event in events if isinstance(event.body, Called)]
    digests = [one.digest for one in asked if one.purpose == "remember"]
    assert len(digests) == len(set(digests)) >= len(notes)
    (took,) = found.memories.values()
    assert took.done == len(notes) == progress.steps
    assert took.spent.calls == len(digests)
    asking_took = sum(one.asked.calls for one in found.cells)
    assert asking_took + took.spent.calls == progress.spent.calls == len(asked)
    (row,) = _remembering(exam, found)
    assert (row.steps, row.calls, row.failed) == (len(notes), len(digests), 0)
    assert row.arms == tuple(arm.name for arm in exam.arms)


async def test_what_is_asked_later_of_more_people_and_places_derives_what_is_lacking_alone(
    tmp_path: Path,
) -> None:
    drafts = lives(Random(4), 6)
    middle, end, kept = len(drafts) // 2, len(drafts), VolatileStore()
    async with logged(drafts) as about:
        await sat(exam_about(tmp_path, [("Horatio", middle)], SUMMARY), about, kept, Stub())
        before = await calls_on(kept)
        exam = exam_about(tmp_path, [("Horatio", middle), ("Horatio", end)], SUMMARY)
        model, apart = Stub(), VolatileStore()
        await sat(exam, about, kept, model)
        await sat(exam, about, apart, Stub())
    assert await calls_on(kept) == before + model.asked == await calls_on(apart)
    assert sorted(note.upto for note in notes_of(await events_on(kept))) == sorted(
        note.upto for note in notes_of(await events_on(apart))
    )


OTHER = {
    "words": SUMMARY.replace("words = 30", "words = 40"),
    "reasks": SUMMARY + "reasks = 1\n",
}


SAME = {
    "method": SUMMARY.replace("[agents", 'methods = ["stepwise"]\n[agents'),
    "budget": SUMMARY + "budget = 500\n",
    "sampling": SUMMARY + "temperature = 0.3\n",
}


@pytest.mark.parametrize("what", [*OTHER, *SAME])
async def test_arms_share_a_memory_that_is_decided_by_the_same(what: str, tmp_path: Path) -> None:
    drafts = lives(Random(2), 4)
    place = [("Marcellus", len(drafts))]
    kept = VolatileStore()
    async with logged(drafts) as about:
        first = exam_about(tmp_path, place, SUMMARY)
        await sat(first, about, kept, Stub())
        before = notes_of(await events_on(kept))
        other = exam_in(tmp_path, {**OTHER, **SAME}[what], asking(place))
        assert other.arms[0].digest != first.arms[0].digest
        assert (await sat(other, about, kept, Stub())).answered == 1
    assert before and (notes_of(await events_on(kept)) != before) is (what in OTHER)


RECALLING = {
    "recall": ('embedder = "offline:"', 'embedder = "offline:"\nk = 3\nshare = 0.9'),
    "flat": ("words = 20", "words = 20\nk = 3"),
    "facts": ("most = 5", "most = 5\nk = 3"),
    "notes": ("near = 2", "near = 2\nk = 3"),
}
"""What is told of two arms, which keep the same by it, and bring to mind what they like of that."""


@pytest.mark.parametrize("memory", RECALLING)
async def test_arms_that_recall_otherwise_share_what_is_kept(memory: str, tmp_path: Path) -> None:
    drafts = lives(Random(2), 4)
    one, other = (
        f"{plan_of(memory)}[agents.everyone.{memory}]\n{settings}\n"
        for settings in RECALLING[memory]
    )
    place, kept = [("Marcellus", len(drafts))], VolatileStore()
    async with logged(drafts) as about:
        first = exam_about(tmp_path, place, one)
        await sat(first, about, kept, Offline())
        before = notes_of(await events_on(kept))
        second = exam_in(tmp_path, other, asking(place))
        assert second.arms[0].digest != first.arms[0].digest
        assert (await sat(second, about, kept, Offline())).answered == 1
    assert before and notes_of(await events_on(kept)) == before


async def test_half_a_log_is_no_table_of_what_was_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts, kept = lives(Random(2), 4), VolatileStore()
    exam = exam_about(tmp_path, [("Marcellus", len(drafts))], SUMMARY)
    async with logged(drafts) as about, Log(kept) as opened:
        await sat(exam, about, kept, Stub())
        log = await ExamLog.of(opened, exam.plan.name)
        calls = [event async for event in log.read() if isinstance(event.body, Called)]
        last = [event for event in calls if event.body.purpose == "remember"][-1].body
        assert isinstance(last, Called)
        shared = SharedCalls(log)

        async def broken(after: int) -> AsyncIterator[Event]:
            yield calls[0]
            raise OSError("the disk is gone")

        with monkeypatch.context() as breaking:
            breaking.setattr(log, "read", broken)
            with pytest.raises(OSError, match="gone"):
                await shared.find(last.model, last.digest)
        assert await shared.find(last.model, last.digest)
