"""Who stands where in a world, openly or hidden, at any of its events: a fold of its log.

From it follows whom a character perceives: those who are openly where it is, and not invisible.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from whoknew.eventlog import Event, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import (
    Acted,
    Became,
    Entered,
    EpisodeClosed,
    EpisodeOpened,
    Left,
    Narrated,
    Seen,
)

SHARED = (EpisodeOpened, Entered, Left, Acted, Seen, Became, Narrated, EpisodeClosed)
"""The kinds that happen before people, who see that the others see it too."""

Places = Mapping[str, str | None]
"""People, each with where it is: None where a story plays in one place."""


class Stand(Struct, frozen=True):
    """How everybody stands, until somebody comes or goes. The invisible are nobody's company."""

    openly: Places = {}
    hidden: Places = {}
    invisible: frozenset[str] = frozenset()

    def around(self, who: str | None, place: str | None) -> frozenset[str]:
        """Those whom somebody perceives besides itself: openly where it is, or, of one who is
        nowhere on stage, where it all happens."""
        for places in (self.openly, self.hidden):
            place = places.get(who or "", place)
        here = (name for name, at in self.openly.items() if at == place and name != who)
        return frozenset(here) - self.invisible


class Onstage:
    """The stands of one world, up to and including `upto`."""

    def __init__(self, log: Log, world: str) -> None:
        self._log, self._world = log, world
        self.upto = 0
        self._seqs = [0]
        self._stands = [Stand()]
        self.public: list[tuple[int, frozenset[str]]] = []
        """The events that all who were there saw of each other, with their witnesses."""

    async def catch_up(self, upto: int) -> None:
        if self.upto < upto:
            async for event in self._log.read(self._world, AtSeq(self.upto), AtSeq(upto)):
                if event.seq == self.upto + 1:  # nobody else took it meanwhile
                    self._take(event)

    def at(self, event: Event) -> Stand:
        """How all stood as it happened: whoever comes is there, whoever goes is there still."""
        ends = isinstance(event.body, Left | EpisodeClosed)
        place = (bisect_left if ends else bisect_right)(self._seqs, event.seq)
        return self._stands[place - 1]

    def _take(self, event: Event) -> None:
        self.upto = event.seq
        stand = after(self._stands[-1], event)
        if stand is not self._stands[-1]:
            self._seqs.append(event.seq)
            self._stands.append(stand)
        if _is_public(event, self.at(event)):
            self.public.append((event.seq, frozenset(event.witnesses)))


def _is_public(event: Event, stand: Stand) -> bool:
    """Whether it happened in the open, before all who were there: no thought, and no whisper."""
    body, witnesses = event.body, set(event.witnesses)
    if not isinstance(body, SHARED) or len(witnesses) < 2:
        return False
    if isinstance(body, Acted):
        private = body.to and witnesses <= {event.actor, *body.also, *body.to}
        if body.act == "none" or private:
            return False
    return witnesses >= {*stand.openly, *stand.hidden}


def after(stand: Stand, event: Event) -> Stand:
    match event.body:
        case EpisodeOpened(cast=cast):
            return Stand(dict.fromkeys(cast, event.place), {}, stand.invisible)
        case EpisodeClosed():
            return Stand({}, {}, stand.invisible)
        case Became("invisible") if event.actor:
            return replace(stand, invisible=stand.invisible | {event.actor})
        case Became("visible") if event.actor:
            return replace(stand, invisible=stand.invisible - {event.actor})
        case Entered(hidden):
            openly, hiding = _without(stand, event.actor)
            (hiding if hidden else openly)[event.actor or ""] = event.place
            return Stand(openly, hiding, stand.invisible)
        case Left():
            return Stand(*_without(stand, event.actor), stand.invisible)
    return stand


def _without(stand: Stand, who: str | None) -> tuple[dict[str, str | None], dict[str, str | None]]:
    openly = {name: at for name, at in stand.openly.items() if name != who}
    return openly, {name: at for name, at in stand.hidden.items() if name != who}
