"""Memory that an exam derives: by the view alone, and the same however it came to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from remembered_lives import (
    WORLD,
    WRITTEN,
    Kept,
    Seen,
    Stub,
    events_on,
    exam_about,
    kept_on,
    lives,
    logged,
    notes_of,
    plan_of,
    seen,
)
from small_worlds import WATCH
from watch_exams import calls_on, came_to, dying, sat, table

from whoknew.eventlog import Draft
from whoknew.eventlog.errors import StoreUnavailable
from whoknew.eventlog.stores.volatile import VolatileStore
from whoknew.testing.unseen import unseen_altered


def places_of(drafts: Sequence[Draft], chance: Random, count: int) -> list[tuple[str, int]]:
    return [(chance.choice(WATCH), chance.randint(5, len(drafts))) for _ in range(count)]


DRAWN = [
    *(("volatile", seed) for seed in range(3)),
    *(("sqlite", 0), ("apsw", 1), ("postgres", 2)),
]
"""What is drawn hangs on the seed alone: so each kind of store that keeps is given a world of its own."""

drawn = pytest.mark.parametrize(("kind", "seed"), DRAWN, indirect=["kind"])


@pytest.fixture
def kept(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    """Where an exam and what it is about can be kept: on each kind of store."""
    with kept_on(kind, tmp_path, request) as kept:
        yield kept


async def at_the_end(folder: Path, drafts: Sequence[Draft], who: str, kept: Kept) -> Seen:
    place = (who, len(drafts))
    return (await seen(folder, drafts, [place], kept=kept))[place]


@drawn
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


@drawn
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
