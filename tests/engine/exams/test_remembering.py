"""Memory that an exam derives: once, by the view alone, and the same however it came to be."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from remembered_lives import (
    SUMMARY,
    WORLD,
    WRITTEN,
    Kept,
    Seen,
    Stub,
    asking,
    events_on,
    exam_about,
    kept_on,
    lives,
    logged,
    plan_of,
    seen,
)
from small_worlds import WATCH
from watch_exams import calls_on, came_to, dying, exam_in, sat, table, written

from whoknew.agents.errors import ServerUnavailable
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.models.offline import Offline
from whoknew.engine.exams.document import load
from whoknew.engine.exams.report import _remembering
from whoknew.engine.plan.plan import Limit
from whoknew.eventlog import Draft, Event, Log, verify
from whoknew.eventlog.errors import StoreUnavailable
from whoknew.eventlog.kinds import Answered, Called, Failed, MemoryDerived, Remembered
from whoknew.eventlog.stores.volatile import VolatileStore
from whoknew.testing.unseen import unseen_altered

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


def places_of(drafts: Sequence[Draft], chance: Random, count: int) -> list[tuple[str, int]]:
    return [(chance.choice(WATCH), chance.randint(5, len(drafts))) for _ in range(count)]


@pytest.fixture
def kept(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    """Where an exam and what it is about can be kept: on each kind of store."""
    with kept_on(kind, tmp_path, request) as kept:
        yield kept


async def at_the_end(folder: Path, drafts: Sequence[Draft], who: str, kept: Kept) -> Seen:
    place = (who, len(drafts))
    return (await seen(folder, drafts, [place], kept=kept))[place]


def notes_of(events: Sequence[Event]) -> list[MemoryDerived]:
    return [event.body for event in events if isinstance(event.body, MemoryDerived)]


def purposes(events: Sequence[Event]) -> Counter[str]:
    return Counter(event.body.purpose for event in events if isinstance(event.body, Called))


@pytest.mark.parametrize("seed", range(3))
async def test_no_memory_has_another_byte_in_its_prompts_for_what_came_later(
    seed: int, kept: Kept, tmp_path: Path
) -> None:
    """Law 3: the exam of the whole world is sat first, with all that it remembers of the end."""
    chance = Random(seed)
    drafts = lives(chance, 5, own=seed == 2)
    places = places_of(drafts, chance, 8)
    ends = [(who, len(drafts)) for who in WATCH]
    whole = await seen(tmp_path / "whole", drafts, [*ends, *places], kept=kept)
    for who, seq in places:
        short = await seen(tmp_path / f"{seq}", drafts[:seq], [(who, seq)], kept=kept)
        assert short[who, seq].asked == whole[who, seq].asked
        assert set(short[who, seq].notes) <= set(whole[who, seq].notes)


@pytest.mark.parametrize("seed", range(3))
async def test_no_memory_has_another_byte_in_its_prompts_for_what_was_not_witnessed(
    seed: int, kept: Kept, tmp_path: Path
) -> None:
    """Law 4."""
    chance = Random(seed)
    drafts = lives(chance, 4)
    async with logged(drafts) as log:
        events = [event async for event in log.read(WORLD)]
    for who in WATCH:
        altered = unseen_altered(events, who, chance)
        was = await at_the_end(tmp_path / f"{who} was", drafts, who, kept)
        is_ = await at_the_end(tmp_path / f"{who} is", altered, who, kept)
        assert was.asked == is_.asked
        assert [text for text, *_ in was.notes] == [text for text, *_ in is_.notes]


@pytest.mark.parametrize("memory", WRITTEN)
@settings(max_examples=3)
@given(kills=st.lists(st.integers(0, 25), max_size=4), seed=st.integers(0, 3))
async def test_killed_anywhere_it_remembers_the_same_and_pays_for_no_call_twice(
    memory: str,
    kills: list[int],
    seed: int,
    kept: Kept,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Law 5 and 8."""
    drafts = lives(Random(seed), 4)
    ends = [(who, seq) for who in WATCH for seq in (len(drafts) // 2, len(drafts))]
    exam = exam_about(tmp_path_factory.mktemp("exam"), ends, plan_of(memory))
    kept.renew()
    async with logged(drafts, kept.material) as about:
        whole, place = VolatileStore(), kept.exam
        await sat(exam, about, whole, Stub())
        made, peaks = Counter[str](), 0
        for commits in kills:
            model = Stub()
            with suppress(StoreUnavailable):
                await sat(exam, about, dying(place.store(), commits), model)
            made += model.asked
            peaks += exam.plan.at_once
        model = Stub()
        await sat(exam, about, place.store(), model)
        made += model.asked
        calls = await calls_on(place.store())
        assert made.total() - calls.total() <= peaks
        assert calls == await calls_on(whole)
        found = await came_to(exam, about, place.store())
        assert table(found) == table(await came_to(exam, about, whole))
    texts = [
        {note.text for note in notes_of(await events_on(one))} for one in (place.store(), whole)
    ]
    assert texts[0] == texts[1]


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
    assert took.steps == len(notes) == progress.steps
    assert took.spent.calls == len(digests)
    asking_took = sum(one.asked.calls for one in found.cells)
    assert asking_took + took.spent.calls == progress.spent.calls == len(asked)
    (row,) = _remembering(exam, found)
    assert (row.steps, row.calls, row.failed) == (len(notes), len(digests), 0)
    assert row.arms == tuple(arm.name for arm in exam.arms)


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
    "recall": ('model = "offline:"', 'model = "offline:"\nk = 3\nshare = 0.9'),
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


async def test_a_memory_of_others_is_derived_like_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that a plan names beside itself: its notes are known by what it calls them."""
    drafts = lives(Random(7), 4)
    tmp_path.joinpath("my_memory.py").write_text(GIST.read_text("utf-8"), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    plan = SUMMARY.replace('"summary"]', '"my_memory:GistEntry"]').replace("summary = { words", "#")
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
        assert steps > 2 and steps == progress.steps == took.steps
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
