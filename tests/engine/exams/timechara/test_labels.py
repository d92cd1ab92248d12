"""What a question is to a character at a moment: on every event, character and moment of worlds of any
shape, beside an independent look at the log."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from small_worlds import opened
from tangled_worlds import reached

from whoknew.engine.exams.timechara.labels import TYPES, Form, Mode, data_type
from whoknew.engine.exams.timechara.points import GivenPoints, distance, time_points
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import Acted, EpisodeClosed, EpisodeOpened, MarkPlaced

CAST = ("Ann", "Bob", "Cid")


class Told(Struct, frozen=True):
    """Somebody speaks before some, of what happened so many speeches ago, or of nothing earlier."""

    by: str
    to: tuple[str, ...]
    back: int


speeches = st.lists(
    st.builds(
        Told,
        by=st.sampled_from(CAST),
        to=st.lists(st.sampled_from(CAST), unique=True).map(tuple),
        back=st.integers(0, 4),
    ),
    min_size=1,
    max_size=8,
)


def drafts(some: Sequence[Told], first: int) -> list[Draft]:
    """An episode for each two speeches."""
    found: list[Draft] = []
    spoken: list[int] = []
    for number, one in enumerate(some):
        episode = number // 2 + 1
        if number % 2 == 0:
            found.append(Draft(EpisodeOpened("A room.", CAST), episode=episode, witnesses=CAST))
        about = (spoken[-one.back],) if 0 < one.back <= len(spoken) else ()
        heard = tuple(dict.fromkeys([one.by, *one.to]))
        found.append(
            Draft(
                Acted(f"Word {number}."),
                episode=episode,
                actor=one.by,
                witnesses=heard,
                about=about,
            )
        )
        spoken.append(first + len(found) - 1)
        if number % 2 or number == len(some) - 1:
            found.append(Draft(EpisodeClosed("over"), episode=episode))
    return found


async def check_all(log: Log, world: str) -> set[str | None]:
    """Every event, character and point; which types came up."""
    events = await (await log.director(world)).events()
    seen: set[str | None] = set()
    for point in (await time_points(log, world, GivenPoints())).every:
        known = await log.knowledge(world, point.at)
        for event in events:
            if not isinstance(event.body, Acted):
                continue
            for who in CAST:
                there = who in event.witnesses
                knows = there or who in reached(events, event.seq, point.seq)
                later = event.seq > point.seq
                cell = known.of(event.seq, who)
                wanted: dict[tuple[Form, Mode], str | None] = {
                    ("structured", mode): "past-presence" if there else "past-absence"
                    for mode in ("witness", "paper")
                }
                wanted["free", "witness"] = "past-only" if knows else None
                wanted["free", "paper"] = "past-only"
                for (form, mode), kind in wanted.items():
                    expected = "future" if later else kind
                    assert data_type(cell, form, mode) == expected
                    seen.add(expected)
    return seen


@given(speeches, speeches, st.integers(0, 3))
def test_every_event_at_every_point_is_what_the_log_makes_it(
    some: list[Told], others: list[Told], back: int
) -> None:
    """In a world, and in a fork of it that goes on otherwise."""

    async def check() -> None:
        async with open_log(":memory:") as log:
            beginning = opened(*CAST)
            await log.append("w", [*beginning, *drafts(some, len(beginning) + 1)])
            await check_all(log, "w")
            head = (await log.head("w")).seq
            at = max(len(beginning), head - back)
            await log.fork("w", "fork", f"#{at}")
            await log.append("fork", drafts(others, at + 2))
            await check_all(log, "fork")

    asyncio.run(check())


async def test_all_types_come_up() -> None:
    """The test above is no test of nothing."""
    some = [Told("Ann", ("Bob",), 0), Told("Bob", (), 0), Told("Bob", ("Cid",), 2)]
    async with open_log(":memory:") as log:
        await log.append("w", [*opened(*CAST), *drafts(some, 5)])
        assert await check_all(log, "w") == {*TYPES, None}


async def test_what_happens_at_the_very_moment_is_past() -> None:
    async with open_log(":memory:") as log:
        heard = Draft(Acted("The bell."), actor="Ann", witnesses=("Ann",))
        mark = Draft(MarkPlaced("the bell", upto=3))
        await log.append("w", [*opened("Ann"), heard, mark])
        (point,) = (await time_points(log, "w", GivenPoints())).every
        known = await log.knowledge("w", point.at)
        assert (point.seq, known.of(3, "Ann").answer) == (3, "present")
        assert distance([point], point, 3) == 0
