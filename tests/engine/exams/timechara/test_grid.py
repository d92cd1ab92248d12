"""The exhaustive grid: every question that could be asked, each of the type that an independent count gives
it, in worlds of any shape."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from small_worlds import NIGHT, opened
from tangled_worlds import CAST, Line, clause, lines, open_to, reached, speeches, tangled

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.timechara import grid as grids
from whoknew.engine.exams.timechara.asked_world import AskedFor, asked_worlds
from whoknew.engine.exams.timechara.drawing import questions
from whoknew.engine.exams.timechara.grid import grid
from whoknew.engine.exams.timechara.labels import UNSURE
from whoknew.engine.exams.timechara.points import given_points
from whoknew.eventlog import Event, Log, open_log
from whoknew.eventlog.kinds import Acted, EpisodeClosed, EpisodeOpened
from whoknew.worlds.question import Question

WANTED = AskedFor(each=100, speeches=1, mode="witness", seed=1)

worlds = st.lists(lines, min_size=3, max_size=9)

Key = tuple[str, int, str, str]
"""What a question is: structured, fact or fake; of which event, to whom, when."""


def hour(episode: int) -> datetime:
    return NIGHT + timedelta(hours=episode)


def at_the_hours(log_ends: Sequence[int], within: int) -> AskedFor:
    """Asked at the ends of episodes, twice: by their numbers, and by the time that all in them share;
    and at an event in the middle of one."""
    ends = tuple(f"E{number}" for number in log_ends)
    times = tuple(f"@{hour(number).isoformat(timespec='minutes')}" for number in log_ends)
    given = given_points({"end": ends, "hour": times, "within": (f"#{within}",)})
    return replace(WANTED, points=lambda world, chapters: given)


async def asked(log: Log, world: str, wanted: AskedFor) -> tuple[list[Event], list[Question]]:
    events = await (await log.director(world)).events()
    return events, grid(await asked_worlds(log, [world], wanted), wanted)


def counted(
    events: Sequence[Event], points: Sequence[int], mode: str
) -> Iterator[tuple[tuple[str, int, str, int], str]]:
    """What there is to be asked, and its type: by walking the log."""
    people = {one.actor or "" for one in events if isinstance(one.body, Acted)}
    first = {
        who: next(one.seq for one in events if one.episode and who in one.witnesses)
        for who in people
    }
    casts = {one.episode: one.body.cast for one in events if isinstance(one.body, EpisodeOpened)}
    doubts = open_to(events)
    for event in speeches(events):
        for who in people:
            for upto in points:
                if upto < first[who]:
                    continue
                there = who in event.witnesses
                if event.seq > upto:
                    yield ("structured", event.seq, who, upto), "future"
                    yield ("fact", event.seq, who, upto), "future"
                elif (event.seq, who) not in doubts:
                    if there or who not in casts[event.episode]:  # who stood by cannot say
                        yield (
                            ("structured", event.seq, who, upto),
                            "past-presence" if there else "past-absence",
                        )
                    if there or mode == "paper" or who in reached(events, event.seq, upto):
                        yield ("fact", event.seq, who, upto), "past-only"
                    if there or mode == "paper":  # no telling here names what was so
                        yield ("fake", event.seq, who, upto), "past-only"


def found(
    events: Sequence[Event], some: Sequence[Question], seqs: dict[str, int]
) -> dict[tuple[str, int, str, int], str]:
    told = {clause(one): one.seq for one in speeches(events)}
    types: dict[tuple[str, int, str, int], str] = {}
    for one in some:
        _, _, label = one.labels["temporal"].partition(" that ")
        (seq,) = [seq for words, seq in told.items() if label.startswith(words)]
        key = (one.tags[0], seq, one.character, seqs[one.at])
        assert key not in types, "asked twice"
        types[key] = one.kind
        assert one.labels["type"] == one.kind
    return types


async def check(log: Log, world: str, mode: str) -> set[str]:
    events = await (await log.director(world)).events()
    ends = [one.episode for one in events if isinstance(one.body, EpisodeClosed)]
    within = speeches(events)[-1].seq
    wanted = replace(at_the_hours(ends, within), mode=mode)  # type: ignore[arg-type]
    events, some = await asked(log, world, wanted)
    seqs = {one.at: (await log.cursor(world, one.at)).seq for one in some}
    points = {one.seq for one in events if isinstance(one.body, EpisodeClosed)} | {within}
    points |= {max(one.seq for one in events if one.at <= hour(number)) for number in ends}
    types = found(events, some, seqs)
    expected = dict(counted(events, sorted(points), mode))
    facts = {key for key in expected if key[0] == "fact"}
    assert {key: kind for key, kind in types.items() if key[0] != "fact"} == {
        key: kind for key, kind in expected.items() if key[0] != "fact"
    }
    assert all(expected[key] == kind for key, kind in types.items())
    assert {key for key in types if key[0] == "fact"} <= facts
    return set(types.values())


@given(worlds, worlds, st.integers(0, 3), st.sampled_from(("witness", "paper")))
def test_the_grid_is_what_an_independent_count_makes_it(
    some: list[Line], others: list[Line], back: int, mode: str
) -> None:
    """Equal points, times that many share, a fork that goes on otherwise, witnesses that were amended,
    and such as are open."""

    async def both() -> None:
        async with open_log(":memory:") as log:
            beginning = opened(*CAST)
            await log.append("w", [*beginning, *tangled(some, len(beginning) + 1)])
            await check(log, "w", mode)
            events = await (await log.director("w")).events()
            ends = [one for one in events if isinstance(one.body, EpisodeClosed)]
            end = ends[max(0, len(ends) - 1 - back)]
            await log.fork("w", "fork", f"#{end.seq}")
            more = tangled(others, end.seq + 2, end.episode + 1, "other ")
            await log.append("fork", more)
            await check(log, "fork", mode)

    asyncio.run(both())


SOME = [
    Line("Ann", ("Bob",)),
    Line("Bob", ("Ann",), open_to="Cid"),
    Line("Cid", ("Bob",), back=2, amended=True),
    Line("Bob", ("Cid",), back=3),
    Line("Ann", ("Cid",)),
    Line("Cid", ("Ann", "Bob")),
    *(Line("Ann", ("Bob",)), Line("Bob", ("Ann",)), Line("Ann", ("Bob",))),
]


async def tangled_log(log: Log) -> None:
    await log.append("w", [*opened(*CAST), *tangled(SOME, 5)])


async def test_all_types_come_up_and_the_strata_are_of_the_grid() -> None:
    """The test above is no test of nothing."""
    async with open_log(":memory:") as log:
        await tangled_log(log)
        types = await check(log, "w", "witness")
        assert types == {"future", "past-absence", "past-presence", "past-only"}
        some = await asked_worlds(log, ["w"], WANTED)
        drawn, every = questions(some, WANTED), grid(some, WANTED)
        places = {(one.character, one.at, one.cluster, one.kind) for one in every}
        assert {(one.character, one.at, one.cluster, one.kind) for one in drawn} <= places
        assert 0 < len(drawn) <= len(every)


async def test_a_grid_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grids, "MOST", 5)
    async with open_log(":memory:") as log:
        await tangled_log(log)
        with pytest.raises(WrongPlan, match="81 places to ask at, but no more than 5"):
            grid(await asked_worlds(log, ["w"], WANTED), WANTED)


async def test_what_is_open_is_a_kind_of_its_own_and_only_when_it_is_wanted() -> None:
    async with open_log(":memory:") as log:
        await tangled_log(log)
        wanted = replace(WANTED, unsure=0.5)
        some = await asked_worlds(log, ["w"], wanted)
        for every in (questions(some, wanted), grid(some, wanted)):
            mine = [one for one in every if one.kind == UNSURE]
            assert mine and {one.character for one in mine} == {"Cid"}
            assert all(one.labels["sure"] == 0.5 for one in mine)
            assert all("open whether witnessed" in one.tags for one in mine)
            assert {one.labels["type"] for one in mine} <= {"past-absence", "past-only"}
        plain = await asked_worlds(log, ["w"], WANTED)
        assert all(one.kind != UNSURE for one in grid(plain, WANTED))
        assert [one for one in grid(some, wanted) if one.kind != UNSURE] == grid(plain, WANTED)
