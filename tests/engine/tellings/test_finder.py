"""What a speech tells its hearers of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from whoknew.engine.tellings.finder import Finder, Found
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted

NOON = datetime(1600, 1, 1, 12)

Line = tuple[str, str, tuple[str, ...]]
"""Who says what, and who hears it."""

MET = ("Ann", "The lantern broke beneath the old aqueduct.", ("Ann", "Bob"))
TOLD = ("Bob", "Ann broke the lantern beneath the aqueduct.", ("Bob", "Cid"))


def events(*lines: Line) -> list[Event]:
    return [
        Event("w", seq, NOON, NOON, Acted(text), actor=actor, witnesses=witnesses)
        for seq, (actor, text, witnesses) in enumerate(lines, start=1)
    ]


def found(*lines: Line) -> list[Found]:
    return heard(events(*lines))


def heard(story: Sequence[Event]) -> list[Found]:
    finder = Finder()
    return [one for event in story for one in finder.hear(event)]


def test_who_was_not_there_is_told_by_one_who_was() -> None:
    (one,) = found(MET, TOLD)
    assert (one.speech, one.of, one.by, one.hearers, one.knew) == (2, 1, "Bob", ("Cid",), True)


def test_who_was_there_is_told_nothing() -> None:
    assert found(MET, ("Bob", TOLD[1], ("Ann", "Bob"))) == []


def test_who_was_told_is_not_told_again_and_can_tell() -> None:
    again = ("Cid", TOLD[1], ("Bob", "Cid", "Dot"))
    told = {(one.of, one.hearers) for one in found(MET, TOLD, again) if one.speech == 3}
    assert (1, ("Dot",)) in told
