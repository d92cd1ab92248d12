"""Worlds in which things happen before some and are told to others, in episodes and between them; and
who knows what in them, worked out from their events alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from small_worlds import opened

from whoknew.eventlog import Draft, Event, Kind
from whoknew.eventlog.kinds import (
    Acted,
    EpisodeClosed,
    EpisodeOpened,
    GoalGiven,
    Narrated,
    Remembered,
    TellingFound,
    Traced,
)

NAMES = ("Ana", "Bo", "Cy", "Di")
BEGUN = 1 + len(NAMES)
"""Events before anything happens."""

_some = st.lists(st.sampled_from(NAMES), unique=True, max_size=len(NAMES))


@st.composite
def happenings(draw: st.DrawFn, seq: int, episode: int) -> Draft:
    actor = draw(st.sampled_from(NAMES))
    kinds: list[Kind] = [
        Acted("x"),
        Narrated("x"),
        Traced("letter", "x"),
        GoalGiven(actor, "x"),
        Remembered(actor, "entire", "x"),
    ]
    earlier = st.integers(BEGUN + 1, max(BEGUN + 1, seq - 1))
    about = draw(st.lists(earlier, unique=True, max_size=2)) if seq > BEGUN + 1 else []
    body = draw(st.sampled_from(kinds))
    return Draft(
        body,
        episode=episode,
        turn=1 if episode else 0,
        actor=None if isinstance(body, Narrated) else actor,
        witnesses=tuple(draw(_some)),
        about=tuple(about),
    )


@st.composite
def told_worlds(draw: st.DrawFn) -> list[Draft]:
    """Up to four episodes, one after another."""
    drafts = opened(*NAMES)
    for episode in range(1, draw(st.integers(1, 4)) + 1):
        for _ in range(draw(st.integers(0, 2))):
            drafts.append(draw(happenings(len(drafts) + 1, 0)))
        drafts.append(Draft(EpisodeOpened("x", NAMES), episode=episode, witnesses=NAMES))
        for _ in range(draw(st.integers(0, 6))):
            drafts.append(draw(happenings(len(drafts) + 1, episode)))
        drafts.append(Draft(EpisodeClosed("over"), episode=episode, witnesses=NAMES))
    return [*drafts, *draw(findings(drafts))]


@st.composite
def findings(draw: st.DrawFn, drafts: list[Draft]) -> list[Draft]:
    """Tellings that were found afterwards, some of them too unsure to count."""
    found = []
    for speech in draw(st.lists(st.integers(BEGUN + 2, len(drafts)), unique=True, max_size=3)):
        fact = draw(st.integers(BEGUN + 1, speech - 1))
        score = draw(st.sampled_from((0.3, 0.8)))
        teller = drafts[speech - 1].actor
        found.append(Draft(TellingFound(fact, teller, score=score), cause=speech))
    return found


def known(events: list[Event], who: str, recorded: Sequence[Event] = ()) -> dict[int, Any]:
    """How `who` knows of each event that it knows of: as a witness, or told (by whom, where). What
    is `recorded` later of tellings counts, too."""
    revealed: dict[int, set[int]] = {}
    found: dict[int, set[int]] = {}
    for event in recorded or events:
        if isinstance(event.body, TellingFound) and event.body.score >= 0.5:
            found.setdefault(event.cause or 0, set()).add(event.body.fact)
    for event in events:
        earlier = {*event.about, *found.get(event.seq, ())}
        revealed[event.seq] = earlier.union(*(revealed[seq] for seq in earlier))
    ways: dict[int, Any] = {}
    for event in events:
        if who in event.witnesses and who != event.actor:
            for seq in revealed[event.seq]:
                ways.setdefault(seq, (event.actor, event.seq))
    ways.update((event.seq, "present") for event in events if who in event.witnesses)
    return ways
