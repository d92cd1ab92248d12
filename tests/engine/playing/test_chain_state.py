"""How a chain stands comes to the same, taken in event by event, or in stretches of any length."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from small_worlds import NIGHT
from strategies import bodies_of

from whoknew.engine.playing.state import ChainState
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import (
    Acted,
    Became,
    Called,
    Described,
    EpisodeClosed,
    EpisodeOpened,
    Failed,
    Kind,
    Narrated,
    Planned,
    Remembered,
    Seen,
    WorldOpened,
)
from whoknew.eventlog.machinery import CallStarted, LineRefused

CAST = ("Ann", "Bob", "Cid")

HAPPENS = (
    Acted,
    Became,
    Called,
    CallStarted,
    Described,
    Failed,
    LineRefused,
    Narrated,
    Planned,
    Remembered,
    Seen,
)

happens = st.sampled_from(HAPPENS).flatmap(bodies_of) | st.builds(Acted, st.just("Yes."))

episodes = st.lists(st.tuples(st.lists(happens, max_size=8), st.booleans()), max_size=4)

who = st.sampled_from((None, *CAST))


@st.composite
def worlds(draw: st.DrawFn) -> list[Event]:
    """Of a world whose strangers meet, or do not: episodes that end, or are left."""
    bodies: list[tuple[int, Kind]] = [(0, WorldOpened("A room", meet=draw(st.booleans())))]
    for number, (some, ends) in enumerate(draw(episodes), 1):
        bodies.append((number, EpisodeOpened("A room.", CAST, name=f"scene {number}")))
        bodies += [(number, one) for one in some]
        bodies += [(number, EpisodeClosed("settled"))] if ends else []
    return [
        Event(
            world="w",
            seq=seq,
            recorded=NIGHT,
            at=NIGHT + timedelta(minutes=seq),
            body=body,
            episode=number,
            turn=draw(st.integers(0, 3)),
            actor=draw(who),
            witnesses=tuple(draw(st.sets(st.sampled_from(CAST)))),
            cause=draw(st.sampled_from((None, None, None, 1))),
        )
        for seq, (number, body) in enumerate(bodies, 1)
    ]


def plain(value: Any) -> Any:
    """What it holds, down to what can be compared."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    return {name: plain(one) for name, one in vars(value).items()} if holds(value) else value


def holds(value: Any) -> bool:
    return hasattr(value, "__dict__") and not isinstance(value, type)


@given(worlds(), st.lists(st.integers(0, 40)))
def test_a_stretch_comes_to_the_same_as_its_events(events: list[Event], cuts: list[int]) -> None:
    one_by_one, in_stretches = ChainState(), ChainState()
    for event in events:
        one_by_one.take(event)
    seams = sorted({0, len(events), *(cut for cut in cuts if cut < len(events))})
    for begin, end in pairwise(seams):
        in_stretches.take_all(events[begin:end])
    assert plain(in_stretches) == plain(one_by_one)
    assert in_stretches.head == len(events)
