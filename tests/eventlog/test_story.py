"""The digest of a story: all but wall-clock facts."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_worlds import NIGHT, WATCH, opened, said

from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.kinds import Acted, Called, Remembered
from whoknew.eventlog.story import story_digest

DAY = datetime(2026, 11, 20, tzinfo=UTC)


def call(digest: str, **facts: object) -> Draft:
    return Draft(Called("act", "m", digest, reply="Yes.", **facts), turn=1, actor="Horatio")  # type: ignore[arg-type]


def events(*drafts: Draft) -> list[Event]:
    """The drafts as a log would number them."""
    return [
        Event(
            "w",
            seq,
            draft.at or NIGHT,
            DAY,
            draft.body,
            draft.episode,
            draft.turn,
            draft.actor,
            draft.place,
            draft.witnesses,
            draft.about,
            draft.cause,
        )
        for seq, draft in enumerate([*opened(*WATCH), *drafts], start=1)
    ]


async def test_the_digest_is_the_same_on_every_store(log: Log) -> None:
    await log.append("w", [*opened(*WATCH), said("Horatio", "Who?", about=(1,)), call("a")])
    found = story_digest(await (await log.director("w")).events())
    assert found == story_digest(events(said("Horatio", "Who?", about=(1,)), call("a")))


def test_facts_of_the_day_do_not_count() -> None:
    slow = call("a", seconds=9.0, attempts=3, money=0.5, prompt=b"kept")
    assert story_digest(events(call("a"))) == story_digest(events(slow))


def test_when_it_was_recorded_and_in_which_world_does_not_count() -> None:
    told = events(said("Horatio", "Who?"))
    later = [
        msgspec.structs.replace(one, world="x", recorded=DAY.replace(year=2030), key="k")
        for one in told
    ]
    assert story_digest(told) == story_digest(later)


def test_the_order_of_calls_and_where_they_stand_does_not_count() -> None:
    first, second = said("Horatio", "Who?"), said("Bernardo", "Me.", about=(5,))
    assert story_digest(events(first, second, call("a"), call("b"))) == story_digest(
        events(call("b"), call("a"), said("Horatio", "Who?"), said("Bernardo", "Me.", about=(7,)))
    )


def test_a_call_that_failed_does_not_count() -> None:
    failed = Draft(Called("act", "m", "a", error="reset"), actor="Horatio")
    assert story_digest(events(failed, call("a"))) == story_digest(events(call("a")))


@pytest.mark.parametrize(
    "other",
    [
        call("b"),
        Draft(Called("act", "m", "a", reply="No."), turn=1, actor="Horatio"),
        Draft(Called("act", "m", "a", reply="Yes."), turn=2, actor="Horatio"),
        Draft(Called("act", "m", "a", reply="Yes."), turn=1, actor="Bernardo"),
        Draft(Called("act", "n", "a", reply="Yes."), turn=1, actor="Horatio"),
    ],
)
def test_what_was_asked_and_answered_counts(other: Draft) -> None:
    assert story_digest(events(call("a"))) != story_digest(events(other))


@given(st.data())
def test_anything_that_happens_otherwise_counts(data: st.DataObject) -> None:
    told = Draft(
        Acted("Who?"),
        at=NIGHT,
        episode=1,
        turn=2,
        actor="Horatio",
        place="wall",
        witnesses=("Horatio",),
        about=(1,),
        cause=2,
    )
    changed = {
        "body": Acted("Who!"),
        "at": NIGHT.replace(hour=22),
        "episode": 2,
        "turn": 3,
        "actor": "Bernardo",
        "place": "gate",
        "witnesses": ("Horatio", "Bernardo"),
        "about": (2,),
        "cause": 1,
    }
    field = data.draw(st.sampled_from(sorted(changed)))
    other = msgspec.structs.replace(told, **{field: changed[field]})
    assert story_digest(events(told)) != story_digest(events(other))


def test_what_memory_rests_on_is_named_by_its_place_in_the_story() -> None:
    spoken = said("Horatio", "Who?")
    kept = Draft(Remembered("Horatio", "summary", "Who.", (5,), 5), witnesses=("Horatio",))
    moved = Draft(Remembered("Horatio", "summary", "Who.", (6,), 6), witnesses=("Horatio",))
    assert story_digest(events(spoken, call("a"), kept)) == story_digest(
        events(call("a"), spoken, moved)
    )
