"""Sitting an exam: stopped or killed anywhere and gone on with, it comes to the same table."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from small_worlds import elsinore, said
from watch_exams import (
    PLAN,
    ByPrompt,
    asked,
    calls_on,
    came_to,
    dying,
    exam_in,
    material,
    sat,
    table,
)

from whoknew.agents.errors import ServerUnavailable
from whoknew.agents.models.model import Reply, Request
from whoknew.engine.plan.plan import Limit
from whoknew.eventlog import Log, verify
from whoknew.eventlog.errors import StoreUnavailable
from whoknew.eventlog.kinds import Answered, Failed, Probed, Reviewed
from whoknew.eventlog.stores.volatile import VolatileStore

CELLS = 4 * 4 * 2


@pytest.fixture
async def about() -> AsyncIterator[Log]:
    async with material() as log:
        yield log


async def test_each_cell_is_asked_and_judged_once(about: Log, tmp_path: Path) -> None:
    exam, kept, model = exam_in(tmp_path), VolatileStore(), ByPrompt()
    progress = await sat(exam, about, kept, model)
    assert (progress.cells, progress.answered, progress.failed) == (CELLS, CELLS, 0)
    assert progress.reviewed == 2 * CELLS
    found = await came_to(exam, about, kept)
    assert all(
        one.answer and set(one.scores) == {"words.overlap", "mark.mark"} for one in found.cells
    )
    assert await calls_on(kept) == model.asked
    assert progress.spent.calls == model.asked.total()
    again = ByPrompt()
    assert (await sat(exam, about, kept, again)).before == CELLS
    assert not again.asked


async def test_the_events_of_a_cell_go_in_together_and_name_one_another(
    about: Log, tmp_path: Path
) -> None:
    exam, kept = exam_in(tmp_path), VolatileStore()
    await sat(exam, about, kept, ByPrompt())
    async with Log(kept) as log:
        assert (await verify(log)).faults == ()
        events = [event async for event in log.read("watch")]
    by_seq = {event.seq: event for event in events}
    for event in events:
        match event.body:
            case Answered() | Failed("answer"):
                assert isinstance(by_seq[event.cause or 0].body, Probed)
                assert by_seq[event.cause or 0].key == event.key
            case Reviewed():
                assert isinstance(by_seq[event.cause or 0].body, Answered)
    assert not any(event.witnesses or event.actor for event in events)


@settings(max_examples=12)
@given(kills=st.lists(st.integers(0, 30), max_size=5), never=st.sampled_from([0, 15]))
async def test_killed_anywhere_and_gone_on_with_it_comes_to_the_same(
    kills: list[int], never: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    exam = exam_in(tmp_path_factory.mktemp("exam"))
    async with material() as about:
        whole, kept = VolatileStore(), VolatileStore()
        await sat(exam, about, whole, ByPrompt(never=never))
        lost = peaks = 0
        before = await calls_on(kept)
        for commits in kills:
            model = ByPrompt(never=never)
            with suppress(StoreUnavailable):  # so early that nothing was begun
                await sat(exam, about, dying(kept, commits), model)
            now = await calls_on(kept)
            lost += model.asked.total() - (now - before).total()
            peaks += exam.plan.at_once
            before = now
        model = ByPrompt(never=never)
        await sat(exam, about, kept, model)
        assert lost <= peaks
        assert table(await came_to(exam, about, kept)) == table(await came_to(exam, about, whole))
        assert await calls_on(kept) == await calls_on(whole)


@settings(max_examples=12)
@given(stops=st.lists(st.integers(1, 40), max_size=5))
async def test_stopped_at_any_call_no_call_is_made_twice(
    stops: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    exam = exam_in(tmp_path_factory.mktemp("exam"))
    async with material() as about:
        whole, kept, made = VolatileStore(), VolatileStore(), ByPrompt()
        await sat(exam, about, whole, ByPrompt())
        for calls in stops:
            progress = await sat(exam, about, kept, made, limit=Limit(calls=calls))
            assert progress.spent.calls <= calls
        await sat(exam, about, kept, made)
        assert table(await came_to(exam, about, kept)) == table(await came_to(exam, about, whole))
        assert made.asked == await calls_on(whole)


ADDED = {
    "an arm": PLAN.replace("[judges.words]", "[arms.short]\nbudget = 100\n[judges.words]"),
    "a memory": PLAN.replace('"entire"]', '"entire", "recall"]'),
    "a repeat": PLAN.replace("repeats = 2", "repeats = 3"),
    "a judge": PLAN + '[judges.strict]\nby = "rubric"\nmodel = "offline:"\ntemperature = 0.5\n',
    "sampling": PLAN.replace("[judges.words]", "[agents.everyone]\ntop_p = 0.5\n[judges.words]"),
    "nothing": PLAN.replace("at_once = 5", "at_once = 50\nkeep_prompts = true"),
}


@pytest.mark.parametrize("what", ADDED)
async def test_what_is_added_to_a_plan_is_asked_and_nothing_else(
    what: str, about: Log, tmp_path: Path
) -> None:
    kept, apart = VolatileStore(), VolatileStore()
    first, more = exam_in(tmp_path), exam_in(tmp_path, ADDED[what])
    await sat(first, about, kept, ByPrompt())
    before, model = await calls_on(kept), ByPrompt()
    await sat(more, about, kept, model)
    await sat(more, about, apart, ByPrompt())
    both = {
        one.cell.key: one
        for exam in (first, more)
        for one in (await came_to(exam, about, kept)).cells
    }
    assert await calls_on(kept) == before + model.asked
    assert table(await came_to(more, about, kept)) == table(await came_to(more, about, apart))
    made = {"an arm": 8, "a memory": 16, "a repeat": 16, "a judge": 0, "sampling": 32, "nothing": 0}
    assert len(both) - CELLS == made[what]
    assert bool(model.asked) == (what != "nothing")


async def test_of_a_question_that_was_reworded_nothing_is_counted_and_that_is_told(
    about: Log, tmp_path: Path
) -> None:
    kept = VolatileStore()
    await sat(exam_in(tmp_path), about, kept, ByPrompt())
    one, *others = asked("E1", "end")
    exam = exam_in(tmp_path, PLAN, [replace(one, question="What did you see?"), *others])
    found = await came_to(exam, about, kept)
    assert sum(not one.begun for one in found.cells) == 8
    assert found.others == {"questions": 8}
    assert (await sat(exam, about, kept, ByPrompt())).answered == 8


async def test_a_world_that_went_on_or_is_another_gives_other_cells(
    about: Log, tmp_path: Path
) -> None:
    kept, exam = VolatileStore(), exam_in(tmp_path)
    await sat(exam, about, kept, ByPrompt())
    await about.append("elsinore", [said("Horatio", "What next?", "Marcellus")])
    found = await came_to(exam, about, kept)  # E1 ends where it did; `end` has moved
    assert sum(one.begun for one in found.cells) == CELLS // 2
    assert found.others == {"worlds": CELLS // 2}
    async with Log(VolatileStore()) as other:
        await elsinore(other)
        assert not any(one.begun for one in (await came_to(exam, other, kept)).cells) or (
            (await other.head("elsinore")).hash == (await about.head("elsinore")).hash
        )


async def test_what_failed_is_no_score_and_is_asked_again_only_where_that_is_said(
    about: Log, tmp_path: Path
) -> None:
    kept, exam = VolatileStore(), exam_in(tmp_path, PLAN.replace("at_once = 5", "may_fail = 1.0"))
    progress = await sat(exam, about, kept, ByPrompt(never=40))
    assert progress.failed and progress.unreviewed
    found = await came_to(exam, about, kept)
    failed = [one for one in found.cells if one.failure]
    assert len(failed) == progress.failed
    assert all(one.answer is None and not one.scores for one in failed)
    assert all("mark.mark" not in one.scores for one in found.cells if one.unreviewed)
    model = ByPrompt()
    same = await sat(exam, about, kept, model)
    assert (same.failed_before, same.reviews) == (progress.failed, 0)
    assert not model.asked
    again = await sat(exam, about, kept, model, again=True)
    assert again.answered == progress.failed and not again.failed
    assert again.reviews == again.reviewed > progress.unreviewed
    whole = VolatileStore()
    await sat(exam, about, whole, ByPrompt())
    now, other = await came_to(exam, about, kept), await came_to(exam, about, whole)
    assert {one.cell.key for one in now.cells if one.answer} == {
        one.cell.key for one in other.cells if one.answer
    }
    assert not any(one.failure or one.unreviewed for one in now.cells)


async def test_a_server_that_is_gone_stops_it_and_its_cells_stay_open(
    about: Log, tmp_path: Path
) -> None:
    class Gone(ByPrompt):
        async def complete(self, request: Request) -> Reply:
            if self.asked.total() >= 20:
                raise ServerUnavailable("stub: nobody answers")
            return await super().complete(request)

    kept, exam, gone = VolatileStore(), exam_in(tmp_path), Gone()
    progress = await sat(exam, about, kept, gone)
    assert progress.answered < CELLS and not progress.failed
    found = await came_to(exam, about, kept)
    assert not any(one.failure for one in found.cells)
    assert any(
        one.asked.calls and not one.begun for one in found.cells
    )  # the failed calls are there
    model = ByPrompt()
    await sat(exam, about, kept, model)
    assert all(one.answer for one in (await came_to(exam, about, kept)).cells)
    assert gone.asked + model.asked == await calls_on(kept)


async def test_judges_alone_are_heard_without_anything_being_asked(
    about: Log, tmp_path: Path
) -> None:
    kept, model = VolatileStore(), ByPrompt()
    plain = PLAN[: PLAN.index("[judges.words]")]
    await sat(exam_in(tmp_path, plain.replace("repeats = 2", "repeats = 1")), about, kept, model)
    answered, exam = model.asked.copy(), exam_in(tmp_path)
    progress = await sat(exam, about, kept, model, asks=False)
    assert progress.answered == 0 and progress.reviewed == CELLS
    assert (model.asked - answered).keys().isdisjoint(answered)
