"""Worlds of any shape to ask about: who speaks before whom, of what, at one time with others; some were heard
otherwise than first written, of some it is open. And what of them is known, counted without the package."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from hypothesis import strategies as st
from msgspec import Struct
from small_worlds import NIGHT

from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import Acted, Amended, Doubted, EpisodeClosed, EpisodeOpened

CAST = ("Ann", "Bob", "Cid")
SCENE = 3
"""Speeches of an episode."""


class Line(Struct, frozen=True):
    """Somebody speaks before some, of what happened so many speeches ago, or of nothing earlier. Of one
    it may be open whether it heard; a person may have said who heard. It may name somebody."""

    by: str
    to: tuple[str, ...]
    back: int = 0
    open_to: str = ""
    amended: bool = False
    naming: str = ""


lines = st.builds(
    Line,
    by=st.sampled_from(CAST),
    to=st.lists(st.sampled_from(CAST), unique=True).map(tuple),
    back=st.integers(0, 4),
    open_to=st.sampled_from(("", "", "", *CAST)),
    amended=st.booleans(),
)


def tangled(some: Sequence[Line], first: int, episode: int = 1, name: str = "") -> list[Draft]:
    """An episode for each three speeches, of which all happen at the same time, with those who speak or hear
    in it; the first event is the seq `first`. `name` tells its words from those of others."""
    found: list[Draft] = []
    spoken: list[int] = []
    for place, one in enumerate(some):
        number = episode + place // SCENE
        at = NIGHT + timedelta(hours=number)
        if place % SCENE == 0:
            scene = some[place : place + SCENE]
            cast = tuple(who for who in CAST if any(who in (it.by, *it.to) for it in scene))
            opened = EpisodeOpened("A room.", cast, name=f"chapter {1 + number // 3}-{number}")
            found.append(Draft(opened, at, number, witnesses=cast))
        about = (spoken[-one.back],) if 0 < one.back <= len(spoken) else ()
        heard = tuple(dict.fromkeys([one.by, *one.to]))
        words = f"The {name}{number} kettle {place} sings upon its blue hook."
        words += f" So {one.naming} told me." if one.naming else ""
        found.append(
            Draft(Acted(words), at, number, place + 1, actor=one.by, witnesses=heard, about=about)
        )
        spoken.append(first + len(found) - 1)
        if one.open_to:
            found.append(Draft(Doubted(one.open_to, "who knows?"), at, cause=spoken[-1]))
        if one.amended:
            found.append(Draft(Amended("so it was", one.to), at, cause=spoken[-1]))
        if place % SCENE == SCENE - 1 or place == len(some) - 1:
            found.append(Draft(EpisodeClosed("over"), at, number))
    return found


def reached(events: Sequence[Event], seq: int, upto: int) -> set[str]:
    """Whom a telling of an event reached, or a telling of a telling: walked on until nothing is added."""
    about, told = {seq}, set[str]()
    for event in events:
        if event.seq <= upto and not about.isdisjoint(event.about):
            about.add(event.seq)
            told.update(name for name in event.witnesses if name != event.actor)
    return told


def speeches(events: Sequence[Event]) -> list[Event]:
    """Those of which is asked: of episodes that are scenes."""
    every = [one for one in events if isinstance(one.body, Acted)]
    return [one for one in every if sum(a.episode == one.episode for a in every) >= SCENE]


def clause(event: Event) -> str:
    """A speech as it stands in questions."""
    assert isinstance(event.body, Acted)
    return f'{event.actor} said, "{event.body.text.rstrip(".")}"'


def open_to(events: Sequence[Event]) -> set[tuple[int, str]]:
    """Which event it is open that who heard."""
    return {
        (one.cause or 0, name)
        for one in events
        if isinstance(one.body, Doubted)
        for name in one.body.names
    }
