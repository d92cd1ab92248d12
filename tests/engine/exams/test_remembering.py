"""Memory that an exam derives: what of it is derived, what fails, what rests on it."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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
)
from small_worlds import WATCH
from watch_exams import calls_on, came_to, sat, table, written

from whoknew.agents.errors import ServerUnavailable
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.models.offline import Offline
from whoknew.engine.exams.document import load
from whoknew.engine.plan.plan import Limit
from whoknew.eventlog.kinds import Answered, Failed, Remembered
from whoknew.eventlog.stores.volatile import VolatileStore

GIST = Path(__file__).parents[2] / "distribution" / "my_memory.py"


class Refusing(Stub):
    """Remembers nothing of a night of this name."""

    def __init__(self, night: str) -> None:
        super().__init__()
        self._night, self.refused = night, 0

    async def complete(self, request: Request) -> Reply:
        if request.purpose == "remember" and self._night in request.messages[1].text:
            self.asked[request.digest] += 1
            self.refused += 1
            return Reply(text="No.", tokens_in=1, tokens_out=1)
        return await super().complete(request)


async def test_what_cannot_be_remembered_fails_who_needs_it_and_nobody_else(
    tmp_path: Path,
) -> None:
    """Law 7; and what failed is tried again only where that is said, and then once."""
    drafts = lives(Random(3), 5)
    begins = {
        draft.episode: seq
        for seq, draft in reversed(list(enumerate(drafts, start=1)))
        if "Horatio" in draft.witnesses
    }
    before, after = begins[2], len(drafts)
    plan = SUMMARY.replace("at_once = 8", "may_fail = 1.0\nrepeats = 4")
    exam = exam_about(tmp_path, [("Horatio", before), ("Horatio", after)], plan)
    async with logged(drafts) as about:
        kept, model = VolatileStore(), Refusing("Night 2")
        progress = await sat(exam, about, kept, model)
        found = await came_to(exam, about, kept)
        failed = {one.cell.unit.seq: one.failure for one in found.cells}
        assert failed[before] is None and (progress.answered, progress.failed) == (4, 4)
        assert "what Horatio remembers of 'lives' up to #" in str(failed[after])
        assert "could not be written: there is no JSON" in str(failed[after])
        assert next(iter(found.memories.values())).failed == 1
        assert model.refused == 3  # asked again twice, and tried anew by no other cell
        assert not (await sat(exam, about, kept, Stub())).answered
        again = await sat(exam, about, kept, Stub(), again=True)
        assert (again.answered, again.failed) == (4, 0)
        found = await came_to(exam, about, kept)
        assert not any(one.failure for one in found.cells)
        assert next(iter(found.memories.values())).failed == 0
    failures = [one for one in await events_on(kept) if isinstance(one.body, Failed)]
    assert [one.body.what for one in failures].count("memory") == 1


async def test_a_server_that_is_gone_leaves_open_what_needs_the_memory(tmp_path: Path) -> None:
    class Gone(Stub):
        async def complete(self, request: Request) -> Reply:
            if self.asked.total() >= 3:
                raise ServerUnavailable("stub: nobody answers")
            return await super().complete(request)

    drafts = lives(Random(5), 6)
    exam = exam_about(tmp_path, [(who, len(drafts)) for who in WATCH], SUMMARY)
    async with logged(drafts) as about:
        kept, gone = VolatileStore(), Gone()
        progress = await sat(exam, about, kept, gone)
        assert (progress.answered, progress.failed, progress.unwritten) == (0, 0, 0)
        assert (await sat(exam, about, kept, Stub())).answered == 3
    assert not any(isinstance(event.body, Failed) for event in await events_on(kept))


async def test_what_a_character_wrote_while_it_was_played_is_used_and_the_rest_derived(
    tmp_path: Path,
) -> None:
    drafts = lives(Random(8), 6, own=True, letters=0)
    mine = {
        draft.episode
        for draft in drafts
        if isinstance(draft.body, Remembered) and draft.body.owner == "Horatio"
    }
    kept = VolatileStore()
    exam = exam_about(tmp_path, [("Horatio", len(drafts))], SUMMARY)
    async with logged(drafts) as about:
        await sat(exam, about, kept, Stub())
        view = await about.view(WORLD, "Horatio", "end")
        lived = dict.fromkeys(one.episode for one in await view.events() if one.episode)
    derived = [drafts[note.upto - 1].episode for note in notes_of(await events_on(kept))]
    *over, _ = lived
    assert mine and derived
    assert derived == [episode for episode in over if episode not in mine]


async def test_a_memory_of_others_is_derived_like_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that a plan names beside itself: its notes are known by what it calls them."""
    drafts = lives(Random(7), 4)
    tmp_path.joinpath("gist_of_a_life.py").write_text(GIST.read_text("utf-8"), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    plan = SUMMARY.replace('"summary"]', '"gist_of_a_life:GistEntry"]').replace(
        "summary = { words", "#"
    )
    path = written(tmp_path, plan, asking([("Horatio", len(drafts))]))
    exam, kept = load(path), VolatileStore()
    async with logged(drafts) as about:
        await sat(exam, about, kept, Stub())
    notes = notes_of(await events_on(kept))
    assert notes and {note.strategy for note in notes} == {"gist"}
    assert await calls_on(kept)


FORGETFUL = """
from whoknew.agents import Memory, MemoryEntry, Recollection

asked = []


class Forgetful(Memory):
    async def recollect(self, now):
        return Recollection(())

    async def remember(self, now):
        asked.append(now.life.who)
        return ()


class ForgetfulEntry(MemoryEntry, frozen=True):
    keeps = "nothing"

    def make(self, owner):
        return Forgetful()
"""


async def test_a_step_of_which_a_memory_keeps_nothing_is_done_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts = lives(Random(7), 4)
    tmp_path.joinpath("forgetful.py").write_text(FORGETFUL, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    plan = SUMMARY.replace('"summary"]', '"forgetful:ForgetfulEntry"]').replace("summary =", "#")
    ends = [("Horatio", seq) for seq in (len(drafts) - 1, len(drafts))]
    kept = VolatileStore()
    async with logged(drafts) as about:
        first = load(written(tmp_path, plan, asking(ends[:1])))
        progress = await sat(first, about, kept, Stub())
        asked = sys.modules["forgetful"].asked
        steps = len(asked)
        found = await came_to(first, about, kept)
        (took,) = found.memories.values()
        assert steps > 2 and steps == progress.steps == took.done
        both = load(written(tmp_path, plan, asking(ends)))
        assert (await sat(both, about, kept, Stub())).answered == 1
    assert len(asked) == steps


async def test_an_answer_that_rests_on_a_note_rests_on_what_that_was_written_from(
    tmp_path: Path,
) -> None:
    """The offline model names the places that it speaks from."""

    class Citing(Stub):
        async def complete(self, request: Request) -> Reply:
            return await Offline().complete(request)

    drafts = lives(Random(6), 4, letters=0)
    exam = exam_about(tmp_path, [("Horatio", len(drafts))], SUMMARY)
    kept = VolatileStore()
    async with logged(drafts) as about:
        await sat(exam, about, kept, Citing())
        view = await about.view(WORLD, "Horatio")
    events = await events_on(kept)
    (answer,) = [event.body for event in events if isinstance(event.body, Answered)]
    earlier = {seq for note in notes_of(events) for seq in note.sources}
    assert set(answer.rests_on) <= set(view.seqs())
    assert earlier & set(answer.rests_on)


@settings(max_examples=8)
@given(stops=st.lists(st.integers(1, 30), max_size=4), seed=st.integers(0, 3))
async def test_stopped_at_any_call_it_goes_on_and_makes_no_call_twice(
    stops: list[int], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    drafts = lives(Random(seed), 4)
    exam = exam_about(
        tmp_path_factory.mktemp("exam"), [(who, len(drafts)) for who in WATCH], SUMMARY
    )
    async with logged(drafts) as about:
        whole, kept, made = VolatileStore(), VolatileStore(), Stub()
        await sat(exam, about, whole, Stub())
        for calls in stops:
            progress = await sat(exam, about, kept, made, limit=Limit(calls=calls))
            assert progress.spent.calls <= calls
        await sat(exam, about, kept, made)
        assert made.asked == await calls_on(kept) == await calls_on(whole)
        assert table(await came_to(exam, about, kept)) == table(await came_to(exam, about, whole))
