"""What came to be known to a character in an episode, a turn, or some events."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_worlds import elsinore, opened, said
from told_worlds import NAMES, known, told_worlds

from whoknew.engine.errors import BadQuestion
from whoknew.engine.travel.learnt import Learnt, learnt
from whoknew.eventlog import Draft, Event, Log, open_log
from whoknew.eventlog.errors import NoSuchCharacter, NoSuchMoment
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened, MarkPlaced, TellingFound


@given(told_worlds(), st.sampled_from(NAMES))
def test_what_was_new_in_all_episodes_is_all_that_is_known_at_the_end(
    drafts: list[Draft], who: str
) -> None:
    async def asked() -> tuple[list[Learnt], list[Event]]:
        async with open_log(":memory:") as log:
            await log.append("w", drafts)
            episodes = sum(isinstance(draft.body, EpisodeOpened) for draft in drafts)
            news = [
                await learnt(log, "w", who, f"E{number}", limit=len(drafts))
                for number in range(1, episodes + 1)
            ]
            return news, await (await log.director("w")).events()

    news, events = asyncio.run(asked())
    ways = known(events, who)
    rows = [row for found in news for row in found.rows]
    assert len(rows) == len(ways)
    for row in rows:
        told = row.known.by, row.known.at
        assert ways[row.event.seq] == ("present" if row.known.answer == "present" else told)
        assert (row.speech.seq if row.speech else None) == (
            told[1] if told[1] != row.event.seq else None
        )
    for found in news:
        assert found.total == found.told + found.witnessed == len(found.rows)
        there = [found.after < (row.speech or row.event).seq <= found.cursor for row in found.rows]
        assert all(there)


@given(told_worlds(), st.sampled_from(NAMES), st.integers(1, 4))
def test_pages_put_together_are_the_whole(drafts: list[Draft], who: str, limit: int) -> None:
    async def asked() -> tuple[Learnt, list[Learnt]]:
        async with open_log(":memory:") as log:
            await log.append("w", drafts)
            whole = await learnt(log, "w", who, f"#1-{len(drafts)}", limit=len(drafts))
            skips = range(0, whole.total + limit, limit)
            every = f"1-{len(drafts)}"
            return whole, [await learnt(log, "w", who, every, limit=limit, skip=n) for n in skips]

    whole, pages = asyncio.run(asked())
    assert [row for page in pages for row in page.rows] == list(whole.rows)
    assert {(one.total, one.told) for one in pages} == {(whole.total, whole.told)}


async def new(log: Log, who: str, span: str, at: str = "end") -> list[tuple[int, int | None]]:
    found = await learnt(log, "elsinore", who, span, at)
    return [(row.event.seq, row.speech.seq if row.speech else None) for row in found.rows]


async def test_a_span_is_an_episode_a_turn_an_event_or_several(log: Log) -> None:
    await elsinore(log)
    assert await new(log, "Horatio", "E1") == [(7, 8), (8, None)]
    assert await new(log, "Horatio", "E1.T2") == []
    assert await new(log, "Horatio", "E1.T3") == [(7, 8), (8, None)]
    assert await new(log, "Horatio", "#8") == await new(log, "Horatio", "#7-8")
    assert await new(log, "Bernardo", "E2") == [(8, 12), (12, None), (13, None)]
    assert await new(log, "Bernardo", "E2.T2") == []


async def test_an_episode_goes_on_from_the_one_before_it_whatever_its_number() -> None:
    async with open_log(":memory:") as log:
        drafts = opened("A", "B")
        for number in (3, 7):
            heard = said("A", "hello", "B", episode=number, turn=1)
            drafts += [
                Draft(EpisodeOpened("A room", ("A", "B")), episode=number, witnesses=("A", "B")),
                heard,
                Draft(EpisodeClosed("over"), episode=number),
                said("A", "in between", "B"),
            ]
        await log.append("w", drafts)
        for span, after, cursor in (("E3", 0, 6), ("E3.T0", 0, 4), ("E7", 6, 10), ("E7.T1", 8, 9)):
            found = await learnt(log, "w", "B", span)
            assert (found.after, found.cursor) == (after, cursor)


async def test_only_what_had_happened_by_the_cursor_is_new(log: Log) -> None:
    await elsinore(log)
    assert await new(log, "Bernardo", "E2", "#12") == [(8, 12), (12, None)]
    assert await new(log, "Bernardo", "E2", "E1") == []


async def test_what_one_was_told_before_is_not_new(log: Log) -> None:
    await log.append(
        "elsinore", [*opened("A", "B"), said("A", "x"), said("A", "y", "B", about=[4])]
    )
    await log.append("elsinore", [said("A", "again", "B", about=[4])])
    await log.append("elsinore", [Draft(MarkPlaced("x", upto=4, secret=True))])
    assert await new(log, "B", "#6") == [(6, None)]
    assert (await learnt(log, "elsinore", "B", "#5")).rows[0].mark == "x"


async def test_what_is_no_span_is_refused(log: Log) -> None:
    await elsinore(log)
    for moment in ("end", "cockcrow", "@1599-06-01T21:00"):
        with pytest.raises(BadQuestion, match=r"is a moment: name what it was new in: an episode"):
            await new(log, "Horatio", moment)
    with pytest.raises(BadQuestion, match="runs backwards: write it as 7-8"):
        await new(log, "Horatio", "8-7")
    with pytest.raises(NoSuchMoment, match="ends at #14"):
        await new(log, "Horatio", "12-15")
    with pytest.raises(NoSuchMoment, match="E3"):
        await new(log, "Horatio", "E3")
    with pytest.raises(NoSuchCharacter, match="no character 'Hamlet'"):
        await new(log, "Hamlet", "E1")


async def test_what_was_new_is_told_as_it_was_on_record(log: Log) -> None:
    ana, bo, cy, _ = NAMES
    await log.append("w", [*opened(*NAMES), said(ana, "a secret", bo), said(bo, "it is so", cy)])
    await log.append("w", [Draft(TellingFound(6, bo, (cy,), 0.7), cause=7)])
    assert (await learnt(log, "w", cy, "#7")).told == 1
    assert (await learnt(log, "w", cy, "#7", recorded_at="#7")).told == 0
    assert (await learnt(log, "w", cy, "#7", sure=0.8)).told == 0
