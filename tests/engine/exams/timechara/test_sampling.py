"""What is left out of a sample, or is a part of it by itself: tellings that are not certain, moments in other
books."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from small_worlds import opened
from tangled_worlds import CAST, Line, tangled

from whoknew.engine.exams.timechara.asked_world import AskedFor, asked_worlds
from whoknew.engine.exams.timechara.chapters import Chapters, numbers
from whoknew.engine.exams.timechara.drawing import questions
from whoknew.engine.exams.timechara.grid import grid
from whoknew.engine.exams.timechara.labels import UNSURE
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import EpisodeOpened, TellingFound
from whoknew.worlds.question import Question

WANTED = AskedFor(each=100, speeches=1, mode="witness", seed=1)

LINES = [
    *(Line("Ann", ("Bob",)), Line("Bob", ("Ann",)), Line("Ann", ("Bob",))),
    Line("Bob", ("Cid",), naming="Ann"),
    *(Line("Cid", ("Bob",)), Line("Bob", ("Cid",))),
]


async def told_for_six_tenths(unsure: float | None) -> list[Question]:
    """What is asked where it was found, for six tenths, that Bob told Cid of what Ann said first."""
    async with open_log(":memory:") as log:
        drafts = [*opened(*CAST), *tangled(LINES, 5)]
        found = TellingFound(6, "Bob", ("Cid",), score=0.6)
        await log.append("w", [*drafts, Draft(found, cause=11)])
        wanted = replace(WANTED, unsure=unsure)
        return questions(await asked_worlds(log, ["w"], wanted), wanted)


@pytest.mark.parametrize(
    ("unsure", "any_"), [(None, False), (0.5, True), (0.6, True), (0.7, False)]
)
async def test_who_was_told_by_a_telling_that_was_found_is_asked_where_that_is_sure_enough(
    unsure: float | None, any_: bool
) -> None:
    asked = await told_for_six_tenths(unsure)
    mine = [one for one in asked if one.kind == UNSURE]
    assert bool(mine) == any_
    for one in mine:
        assert (one.character, one.labels["type"]) == ("Cid", "past-only")
        assert "open whether told" in one.tags
        assert one.labels["key"] == "Ann", "nothing else did the telling say"
    about = [one for one in asked if "The 1 kettle 0" in one.labels["temporal"].split(".")[0]]
    assert not any(one.character == "Cid" and one.kind == "past-only" for one in about)


async def test_the_threshold_is_part_of_what_a_cell_is_known_by() -> None:
    some = [one for one in await told_for_six_tenths(0.5) if one.kind == UNSURE]
    others = [one for one in await told_for_six_tenths(0.55) if one.kind == UNSURE]
    for one, other in zip(some, others, strict=True):
        assert one.id != other.id
        assert replace(one, labels={}) == replace(other, labels={})


async def test_as_the_authors_code_draws_the_past_is_of_one_book() -> None:
    """And the future, where that has an earlier moment: else of the book before."""
    async with open_log(":memory:") as log:
        drafts = [*opened(*CAST), *tangled([*LINES, *LINES, *LINES], 5)]
        await log.append("w", drafts)
        wanted = replace(WANTED, reach="book")
        worlds = await asked_worlds(log, ["w"], wanted)
        every, drawn = grid(worlds, wanted), questions(worlds, wanted)
        anywhere = grid(await asked_worlds(log, ["w"], WANTED), WANTED)
    asked = [*every, *drawn]
    pairs = {(book_of(one), int(one.at[1:]) // 3, one.kind == "future") for one in asked}
    assert pairs == {
        *((0, 0, False), (1, 1, False), (2, 2, False)),
        *((0, 0, True), (1, 0, True), (1, 1, True), (2, 1, True)),
    }
    first = [one for one in asked if one.kind == "future" and book_of(one) == 1]
    assert all((int(one.at[1:]) < 3) == (event_of(one) == 3) for one in first)
    assert {one.id for one in every} < {one.id for one in anywhere}


def event_of(one: Question) -> int:
    """The number of the episode that a question is of."""
    return int((one.cluster or "").removeprefix("episode ").partition(",")[0])


def book_of(one: Question) -> int:
    return event_of(one) // 3


def test_the_numbers_of_a_chapter_are_those_in_its_name() -> None:
    assert [numbers(one) for one in ("chapter 2-10", "1-2-3", "the quay", "night 3")] == [
        *((2, 10), (1, 2, 3), (), (3,))
    ]


async def test_a_world_without_chapters_is_one_book() -> None:
    async with open_log(":memory:") as log:
        names = ("the quay", "night 2", "night 3")
        drafts = [
            Draft(EpisodeOpened("", CAST, name=name), None, number)
            for number, name in enumerate(names, 1)
        ]
        await log.append("w", [*opened(*CAST), *drafts])
        chapters = Chapters(await (await log.director("w")).events())
    assert {chapters.book(seq) for seq in range(1, 8)} == {0}
