"""What is new is enough: a bookmark that was brought up to date again and again is, to the last field, what
one is that reads everything from the start."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise

import pytest
from bookmark_stories import (
    ASKED,
    BEGINS,
    PEOPLE,
    WORDS,
    HangingOperators,
    Spoken,
    check_reuse_is_fresh,
    drafted,
    told,
    upto,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from whoknew.agents.lines import Line
from whoknew.agents.memories.bookmarks.bookmark import (
    UNKNOWN,
    Bookmark,
    BookmarkKind,
    KeptAnswer,
)
from whoknew.agents.memories.bookmarks.grid import CHUNK, LEFT, cuts, newest_cuts
from whoknew.agents.memories.bookmarks.operators import Effect
from whoknew.agents.memories.bookmarks.rules import RuleOperators
from whoknew.agents.memories.bookmarks.upkeep import AT_ONCE, RESTING, SHOWING, Upkeep
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Acted, CharacterAdded
from whoknew.eventlog.stores.volatile import VolatileStore

stories = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join),
    ),
    min_size=1,
    max_size=200,
)


@pytest.mark.parametrize("kind", ASKED)
@settings(max_examples=60, deadline=None)
@given(story=stories, data=st.data())
async def test_what_is_reused_and_reads_what_is_new_is_as_if_it_had_read_all(
    kind: BookmarkKind, story: list[Spoken], data: st.DataObject
) -> None:
    stops = data.draw(st.sets(st.integers(1, len(story)), min_size=1, max_size=8).map(sorted))
    operators = data.draw(st.sampled_from([HangingOperators, RuleOperators]))
    await check_reuse_is_fresh(story, stops, kind, operators)


async def test_how_things_stand_is_folded_in_full_chunks_and_what_is_left_in_halves() -> None:
    story = [("Kit", f"Line {number} of Kit.") for number in range(1, CHUNK + 11)]
    bookmark = Bookmark(number=1, asked=ASKED["state"])
    async with told(story) as log:
        view, happened = await upto(log, CHUNK + 10)
        found = await Upkeep(happened, view, RuleOperators()).upto(bookmark, CHUNK + 10)
        now = found.bookmark
        told_upto = [(one.upto, one.answer.text) for one in now.folds]
        assert told_upto == [(n, f"Line {n} of Kit.") for n in (CHUNK, CHUNK + 8, CHUNK + 10)]
        assert now.answer == now.folds[-1].answer and now.answer.rests[-1] == CHUNK + 10
        assert found.read == CHUNK + 10 and now.synced == CHUNK + 10
        again = await Upkeep(happened, view, RuleOperators()).upto(now, CHUNK + 10)
        assert again.read == 0 and again.bookmark == now


@given(first=st.integers(0, 400), more=st.integers(0, 90))
def test_stretches_cover_all_lines_once_and_begin_as_those_before_them(
    first: int, more: int
) -> None:
    ends, later = [0, *cuts(first)], [0, *cuts(first + more)]
    assert ends == sorted(set(ends)) and ends[-1] == first
    sizes = [end - begin for begin, end in pairwise(ends)]
    assert all(size <= CHUNK for size in sizes) and len(sizes) <= first // CHUNK + 5
    new = sum(end - begin for begin, end in pairwise(later) if end not in ends)
    assert new <= CHUNK + more


@given(at=st.integers(0, 10**9))
def test_what_is_gone_on_from_is_looked_up_among_few_however_much_was_read(at: int) -> None:
    newest = list(newest_cuts(at))
    assert len(newest) <= LEFT + 1
    if at < 10**4:
        assert newest == [one for one in cuts(at) if one >= at - at % CHUNK]


async def test_all_hits_of_a_concept_are_kept_and_nobody_writes_where_nothing_is_new() -> None:
    story = [("Kit", "The lamp."), *[("Bram", "Nothing of it.")] * 30, ("Oda", "My lamp!")]
    async with told(story) as log:
        operators = HangingOperators()
        bookmark = Bookmark(number=1, asked=ASKED["concept"])
        for stop, asked in ((1, 2), (9, 3), (10, 3), (30, 3), (32, 4)):
            view, happened = await upto(log, stop)
            bookmark = (await Upkeep(happened, view, operators).upto(bookmark, stop)).bookmark
            assert operators.asked == asked, stop
        assert bookmark.hits == (1, 32) and bookmark.keyword == "lamp"


async def test_what_shows_a_behavior_is_gathered_and_read_as_a_whole() -> None:
    story = [("Oda", "First."), ("Kit", "No."), ("Oda", "Second."), ("Oda", "Third.")]
    bookmark = Bookmark(number=1, asked=ASKED["behavioral"])
    async with told(story) as log:
        for stop in (2, 4):
            view, happened = await upto(log, stop)
            bookmark = (await Upkeep(happened, view, RuleOperators()).upto(bookmark, stop)).bookmark
        assert bookmark.hits == (1, 3, 4) == bookmark.answer.rests
        assert bookmark.answer.text.splitlines() == ["First.", "Second.", "Third."]


class Reversed(HangingOperators):
    """Of what is asked at once the last is answered first."""

    now = most = 0

    async def shows(self, question: str, action: Line, before: Sequence[Line]) -> bool:
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(2 * AT_ONCE - self.now):
            await asyncio.sleep(0)
        self.now -= 1
        return await super().shows(question, action, before)


async def test_whether_actions_show_it_is_asked_side_by_side_to_the_same_bookmark() -> None:
    story = [("Oda", f"Line {number} of mine.") for number in range(30)]
    bookmark, found = Bookmark(number=1, asked=ASKED["behavioral"]), list[Bookmark]()
    async with told(story) as log:
        view, happened = await upto(log, 30)
        for operators in (HangingOperators(), at_once := Reversed()):
            found.append((await Upkeep(happened, view, operators).upto(bookmark, 30)).bookmark)
    assert found[0] == found[1] and found[0].hits
    assert at_once.most == AT_ONCE and at_once.asked == 31


class BehaviorAlone(HangingOperators):
    """Writes how somebody behaves, and notes by what: nothing else can be asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[tuple[str, tuple[str, ...]]] = []

    async def behavior(
        self, question: str, actions: Sequence[Line], answer: str = UNKNOWN
    ) -> KeptAnswer:
        self.given.append((answer, tuple(one.text for one in actions)))
        return KeptAnswer(f"Written {len(self.given)}.", (0,))

    async def shows(self, question: str, action: Line, before: Sequence[Line]) -> bool:
        raise AssertionError("evidence is what it goes without")

    async def update(self, question: str, answer: str, lines: Sequence[Line]) -> KeptAnswer:
        raise AssertionError("that is of states, and by another model")


async def test_without_evidence_a_behavior_is_written_alike_by_the_answer_before_and_what_was_done() -> (
    None
):
    story = [("Oda", "I talk of ropes."), ("Kit", "No."), ("Oda", "We talk of lamps.")]
    bookmark, operators = Bookmark(number=1, asked=ASKED["behavioral"]), BehaviorAlone()
    async with told(story) as log:
        for stop in (2, 3):
            view, happened = await upto(log, stop)
            keeping = Upkeep(happened, view, operators, verified=False)
            bookmark = (await keeping.upto(bookmark, stop)).bookmark
    assert operators.given == [
        (UNKNOWN, ("I talk of ropes.",)),
        ("Written 1.", ("We talk of lamps.",)),
    ]
    assert bookmark.hits == () and bookmark.answer == KeptAnswer("Written 2.", (1, 3))


class Namelessly(HangingOperators):
    """Every stretch changes the answer, and no line is named that it rests on: all of them are meant."""

    async def effect(self, question: str, answer: str, lines: Sequence[Line]) -> Effect:
        return "update"

    async def update(self, question: str, answer: str, lines: Sequence[Line]) -> KeptAnswer:
        return KeptAnswer("Here.")

    async def behavior(
        self, question: str, actions: Sequence[Line], answer: str = UNKNOWN
    ) -> KeptAnswer:
        return KeptAnswer("So.")


@pytest.mark.parametrize("kind", ["state", "behavioral"])
async def test_what_is_changed_again_and_again_rests_on_the_newest_lines_alone(
    kind: BookmarkKind,
) -> None:
    story = [("Oda", f"Line {number}.") for number in range(1, 5 * CHUNK + 4)]
    async with told(story) as log:
        view, happened = await upto(log, len(story))
        keeping = Upkeep(happened, view, Namelessly(), verified=False)
        found = await keeping.upto(Bookmark(number=1, asked=ASKED[kind]), len(story))
    newest = tuple(range(len(story) - RESTING + 1, len(story) + 1))
    assert found.bookmark.answer.rests == newest
    assert all(len(one.answer.rests) <= RESTING for one in found.bookmark.folds)


async def test_who_is_named_twice_in_an_action_acts_once() -> None:
    cast = [Draft(CharacterAdded(name), at=BEGINS) for name in PEOPLE]
    said = drafted("Oda", "We go.")
    twice = replace(said, body=Acted("We go.", also=("Oda", "Kit", "Kit")))
    async with Log(VolatileStore()) as log:
        await log.append("w", [*cast, said, twice])
        _, happened = await upto(log, 2)
        assert list(happened.actions("Oda", 0, 2)) == [1, 2]
        assert list(happened.actions("Kit", 0, 2)) == [2]


class Heeding(HangingOperators):
    """Every action shows it; what is read for that, and for the answer, is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.scene, self.actions = list[str](), list[str]()

    async def shows(self, question: str, action: Line, before: Sequence[Line]) -> bool:
        self.scene = [one.text for one in (*before, action)]
        return True

    async def behavior(
        self, question: str, actions: Sequence[Line], answer: str = UNKNOWN
    ) -> KeptAnswer:
        self.actions = [one.text for one in actions]
        return KeptAnswer("So.")


async def test_an_action_is_looked_at_behind_ten_lines_and_of_many_that_show_it_the_newest_are_read() -> (
    None
):
    story = [("Oda", f"Line {number}.") for number in range(1, SHOWING + 4)]
    async with told(story) as log:
        view, happened = await upto(log, len(story))
        heeding = Heeding()
        keeping = Upkeep(happened, view, heeding)
        await keeping.upto(Bookmark(number=1, asked=ASKED["behavioral"]), len(story))
    lines = [text for _, text in story]
    assert heeding.scene == lines[-11:]
    assert heeding.actions == lines[-SHOWING:]


async def test_a_line_that_has_a_word_twice_is_one_hit() -> None:
    async with told(
        [("Oda", "A lamp, a lamp."), ("Kit", "Two lamps and a lamp for the lamp.")]
    ) as log:
        _, happened = await upto(log, 2)
        assert list(happened.having("lamp", 0, 2)) == [1, 2]
        assert list(happened.having("lamp, lamp", 1, 2)) == [2]
