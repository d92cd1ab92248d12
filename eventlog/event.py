"""One thing that happened: the envelope around a body."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct, field
from msgspec.structs import force_setattr

from whoknew.eventlog.kinds import Acted, Body, Kind


class Draft(Struct, frozen=True, gc=False):
    """What a writer knows of an event: all but its place in the log, which appending gives it.

    Without `at` it happens at the world's present story time. Story time has no time zone. `source`
    is the id that an imported event had where it came from.
    """

    body: Kind
    at: datetime | None = None
    episode: int = 0
    turn: int = 0
    actor: str | None = None
    place: str | None = None
    witnesses: tuple[str, ...] = ()
    about: tuple[int, ...] = ()
    cause: int | None = None
    source: str | None = None

    def __post_init__(self) -> None:
        if type(self.witnesses) is not tuple:
            force_setattr(self, "witnesses", tuple(self.witnesses))
        if type(self.about) is not tuple:
            force_setattr(self, "about", tuple(self.about))


StoryTime = Annotated[datetime, Meta(tz=False)]
RecordTime = Annotated[datetime, Meta(tz=True)]
"""Bytes that hold the other kind are refused where they are read: the two are never compared."""


class Event(Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that happened; never changed, never removed.

    `at` is when it happened in the story, `recorded` when it was written down. `about` names the
    earlier seqs that it reveals or refers to, `cause` the one that brought it about. `world` is
    where it happened: an event that a fork shares keeps the name of the world it came from.
    """

    world: str
    seq: int
    at: StoryTime
    recorded: RecordTime
    body: Body
    episode: int = 0
    turn: int = 0
    actor: str | None = None
    place: str | None = None
    witnesses: tuple[str, ...] = ()
    about: tuple[int, ...] = ()
    cause: int | None = None
    key: str | None = None
    source: str | None = None

    @property
    def text(self) -> str:
        """The event in words, as it can be read or searched: its actor's name and what it says."""
        words = self.body.words
        return f"{self.actor}: {words}" if self.actor and words else words

    @property
    def teller(self) -> str | None:
        """Who tells others by it: who acts; of a letter that is read aloud, whoever wrote it."""
        body = self.body
        return (type(body) is Acted and body.writer) or self.actor

    @property
    def outline(self) -> Outline:
        return Outline(self.seq, self.teller, self.witnesses, self.about)

    @property
    def draft(self) -> Draft:
        """The event without its place in the log: what its writer handed in."""
        return Draft(
            self.body,
            at=self.at,
            episode=self.episode,
            turn=self.turn,
            actor=self.actor,
            place=self.place,
            witnesses=self.witnesses,
            about=self.about,
            cause=self.cause,
            source=self.source,
        )


class Outline(Struct, frozen=True, gc=False):
    """As much of an event as says who witnessed it, and what it tells them of: it is decoded in a third of the
    time."""

    seq: int
    teller: str | None = field(default=None, name="actor")
    witnesses: tuple[str, ...] = ()
    about: tuple[int, ...] = ()
