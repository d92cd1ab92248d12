"""What is asked reads as a question, and can be answered by whoever is asked."""

from __future__ import annotations

import re
from random import Random

import pytest
from msgspec.structs import replace
from shared_data import data
from small_worlds import opened
from tangled_worlds import CAST, Line, tangled

from whoknew.engine.exams.timechara.asked_events import AskedEvent
from whoknew.engine.exams.timechara.asked_world import AskedFor, asked_worlds
from whoknew.engine.exams.timechara.drawing import questions
from whoknew.engine.exams.timechara.grid import grid
from whoknew.engine.exams.timechara.labels import TYPES
from whoknew.engine.exams.timechara.templates import structured
from whoknew.engine.judges.reference import counted
from whoknew.eventlog import open_log
from whoknew.worlds.importers.play import bundled, world_of
from whoknew.worlds.question import Question

WANTED = AskedFor(each=100, speeches=1, mode="witness", seed=1)

TOLD = [
    *(Line("Ann", ("Bob",)), Line("Bob", ("Ann",)), Line("Ann", ("Bob",))),
    Line("Bob", ("Cid",), back=3, naming="Ann"),
    *(Line("Cid", ("Bob",)), Line("Bob", ("Cid",))),
]
"""Ann says something to Bob; he tells Cid of it, and no more than that it was she."""


@pytest.mark.parametrize("mode", ["witness", "paper"])
async def test_who_was_told_is_asked_for_nothing_but_what_was_told(mode: str) -> None:
    wanted = replace(WANTED, mode=mode)
    async with open_log(":memory:") as log:
        await log.append("w", [*opened(*CAST), *tangled(TOLD, 5)])
        worlds = await asked_worlds(log, ["w"], wanted)
        every = [*grid(worlds, wanted), *questions(worlds, wanted)]
    asked = [one for one in every if one.character == "Cid" and one.kind == "past-only"]
    of_told = [one for one in asked if "The 1 kettle 0" in one.labels["temporal"].split(". ")[0]]
    keys = {one.labels["key"] for one in of_told}
    if mode == "paper":
        assert len(keys) > 1
        return
    assert keys == {"Ann"}
    assert all(counted(key).keys() <= counted("So Ann told me.").keys() for key in keys)


async def drawn(name: str, **changed: int) -> list[Question]:
    source = world_of(bundled().get(name) or data("shakespeare", f"{name}.xml"))
    wanted = replace(WANTED, **changed)
    async with open_log(":memory:") as log:
        await log.append(source.name, source.drafts)
        return questions(await asked_worlds(log, [source.name], wanted), wanted)


async def test_the_first_questions_are_of_all_types_and_sorts() -> None:
    some = (await drawn("the-lamp-room"))[:30]
    assert {one.kind for one in some} == set(TYPES)
    assert {one.tags[0] for one in some} == {"structured", "fact", "fake"}


async def test_nobody_is_asked_whether_it_was_there_when_it_spoke() -> None:
    own = [one for one in await drawn("macbeth", speeches=5) if "when you said" in one.question]
    assert own and {one.tags[1] for one in own} <= {"felt", "lived"}


async def test_no_sentence_ends_twice() -> None:
    for one in await drawn("macbeth", speeches=5):
        told = (one.question, one.reference or "", *map(str, one.labels.values()))
        assert not any(re.search(r'[?!]"\.|[^.]\.\.(?!\.)', text) for text in told), told


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("The kitchen", "in the kitchen"),
        ("the roof", "on the roof"),
        ("the counter", "at the counter"),
        ("the quay", "on the quay"),
        ("Another part of the wood.", "in another part of the wood"),
        ("Elsinore. A room in the castle.", "in Elsinore, a room in the castle"),
        ("Elsinore. A platform before the castle.", "in Elsinore, on a platform before the castle"),
        ("Dunsinane. Ante-room in the castle.", "in Dunsinane, an ante-room in the castle"),
        ("Another part of the platform", "on another part of the platform"),
        ("Hall in the palace.", "in a hall in the palace"),
        ("Before MACBETH's castle.", "before MACBETH's castle"),
        ("Nowhere much", "at Nowhere much"),
    ],
)
def test_a_place_stands_in_a_sentence(place: str, told: str) -> None:
    event = AskedEvent(world="w", seq=1, episode=1, who="Ann", quote="It rained", place=place)
    assert event.told() == f'Ann said {told}, "It rained"'


def test_what_is_quoted_with_a_sign_of_its_own_needs_no_full_stop() -> None:
    asked = {structured(Random(seed), 'Ann said, "Why?"')[1] for seed in range(99)}
    assert all(one.endswith(('"Why?"', '"Why?"?')) for one in asked)
    assert any(one.endswith('when Ann said, "Why?"') for one in asked)
