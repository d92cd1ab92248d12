"""Sessions of a talk between two, which both witness: each becomes an episode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import MAXYEAR, datetime, timedelta

from msgspec import Struct

from whoknew.eventlog import Draft, Kind
from whoknew.eventlog.kinds import Acted, EpisodeClosed, EpisodeOpened
from whoknew.worlds.errors import BadSource

TURN = timedelta(seconds=30)


class TalkLine(Struct, frozen=True):
    """What somebody says; `source` is what it is called where it comes from."""

    speaker: str
    words: str
    source: str


def session(
    number: int, lines: Sequence[TalkLine], at: datetime, people: tuple[str, str], source: str
) -> Iterator[Draft]:
    """The events of one, which begins at a time, with its number among the others."""
    if at.year == MAXYEAR:
        raise BadSource(f"{source} is of the last year that there is: correct its date")

    def draft(body: Kind, turn: int, actor: str | None, source: str) -> Draft:
        when = at + turn * TURN
        return Draft(
            body, at=when, episode=number, turn=turn, actor=actor, witnesses=people, source=source
        )

    about = f"{people[0]} and {people[1]} chat."
    opened = EpisodeOpened(about, people, "as-written", name=f"session {number}")
    yield draft(opened, 0, None, source)
    for place, line in enumerate(lines, start=1):
        yield draft(Acted(line.words), place, line.speaker, line.source)
    yield draft(EpisodeClosed("the session ends"), len(lines), None, source)
