"""Who is together with whom, from one coming or going to the next: a fold of a world's events.

In an episode those are together who are at one place. Between episodes those are who witness one
thing, as long as it takes.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from whoknew.engine.travel.whereabouts import Places, Stand, after
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, Entered, EpisodeClosed, EpisodeOpened, Left, Seen, Traced


class Gathering(NamedTuple):
    """People at one place. Of the `hidden` the others do not learn that they are there."""

    place: str | None
    people: tuple[str, ...]
    hidden: tuple[str, ...] = ()


Together = tuple[Gathering, ...]

NOWHERE: Together = ()


class Stretch(NamedTuple):
    """From one event to another nobody comes or goes; in no episode it is of one event."""

    first: int
    last: int
    episode: int
    together: Together


class EpisodeSpan(NamedTuple):
    """Where an episode begins, and where it is over, as far as it is."""

    number: int
    first: int
    last: int | None
    name: str
    place: str | None


class Gatherings:
    """Those of a world, up to and including `upto`. What is the same is kept once."""

    def __init__(self) -> None:
        self.upto = 0
        self.episodes: list[EpisodeSpan] = []
        self._stand = Stand()
        self._firsts = array("Q")
        self._numbers = array("Q")
        self._together: list[Together] = []
        self._known: dict[Together, Together] = {}
        self._passing = False
        """Whether the newest stretch is over with its event."""

    def take(self, event: Event) -> None:
        """Go on with the next event."""
        self.upto = seq = event.seq
        body = event.body
        if isinstance(body, EpisodeOpened):
            self._end_episode(seq - 1)
            name = body.name if " " in body.name else body.scenario
            self.episodes.append(EpisodeSpan(event.episode, seq, None, name, event.place))
        before = self._stand
        self._stand = _met(after(before, event), event)
        if isinstance(body, Left | EpisodeClosed):
            if self._stand != before:
                self._begin(seq + 1, event.episode, _together(self._stand))
            if isinstance(body, EpisodeClosed):
                self._end_episode(seq)
        elif self._stand != before:
            self._begin(seq, event.episode, _together(self._stand))
        elif not event.episode or self._passing:
            self._pass_by(event)

    def stretches(self, after: int, upto: int) -> Iterator[Stretch]:
        """Those that have events past one and up to another, in order."""
        for place in range(max(0, bisect_right(self._firsts, after + 1) - 1), len(self._firsts)):
            if self._firsts[place] > upto:
                return
            ends = self._firsts[place + 1] - 1 if place + 1 < len(self._firsts) else self.upto
            first, last = max(self._firsts[place], after + 1), min(ends, upto)
            if first <= last:
                yield Stretch(first, last, self._numbers[place], self._together[place])

    @property
    def begins(self) -> int:
        """Before which event nothing is: what sets a world up takes no room."""
        return self._firsts[0] - 1 if self._firsts else 0

    def reach(self, upto: int) -> None:
        """Nothing else happened up to an event."""
        self.upto = max(self.upto, upto)

    def episodes_between(self, after: int, upto: int) -> Iterator[EpisodeSpan]:
        """Those of which any is past one event and up to another."""
        for episode in self.episodes:
            if episode.first <= upto and (episode.last is None or episode.last > after):
                yield episode

    def upto_seq(self, seq: int) -> Gatherings:
        """The same, as it stood at an event: it is not gone on with."""
        if seq >= self.upto:
            return self
        cut = Gatherings()
        cut.upto = seq
        place = bisect_left(self._firsts, seq + 1)
        cut._firsts, cut._numbers = self._firsts[:place], self._numbers[:place]
        cut._together = self._together[:place]
        cut.episodes = [
            one if one.last is not None and one.last <= seq else one._replace(last=None)
            for one in self.episodes
            if one.first <= seq
        ]
        return cut

    def _end_episode(self, seq: int) -> None:
        if self.episodes and self.episodes[-1].last is None:
            self.episodes[-1] = self.episodes[-1]._replace(last=seq)

    def _pass_by(self, event: Event) -> None:
        """What happens between episodes brings those together who witness it."""
        together = NOWHERE if event.episode else _meeting(event)
        if together or self._passing:
            self._begin(event.seq, event.episode, together or _together(self._stand))
        self._passing = bool(together)

    def _begin(self, first: int, episode: int, together: Together) -> None:
        together = self._known.setdefault(together, together)
        if self._firsts and self._firsts[-1] == first:
            self._numbers[-1], self._together[-1] = episode, together
        elif not self._together or self._together[-1] is not together or not episode:
            self._firsts.append(first)
            self._numbers.append(episode)
            self._together.append(together)
        self._passing = False


def _met(stand: Stand, event: Event) -> Stand:
    """Whoever acts, or sees somebody act, is there, also where nobody said that it came."""
    if not event.episode or not isinstance(event.body, Acted | Seen | Entered):
        return stand
    names = [event.actor, *event.witnesses] if event.actor else event.witnesses
    new = [name for name in names if name not in stand.openly and name not in stand.hidden]
    if not new:
        return stand
    return Stand({**stand.openly, **dict.fromkeys(new, event.place)}, stand.hidden, stand.invisible)


def _together(stand: Stand) -> Together:
    """People by their places, in the order of their coming."""
    found: dict[str | None, tuple[list[str], list[str]]] = {}
    for places, hides in ((stand.openly, False), (stand.hidden, True)):
        for name, place in _some(places):
            people, hidden = found.setdefault(place, ([], []))
            people.append(name)
            if hides or name in stand.invisible:
                hidden.append(name)
    return tuple(
        Gathering(place, tuple(people), tuple(hidden)) for place, (people, hidden) in found.items()
    )


def _some(places: Places) -> Iterator[tuple[str, str | None]]:
    return ((name, place) for name, place in places.items() if name)


def _meeting(event: Event) -> Together:
    if not isinstance(event.body, Acted | Seen | Traced):
        return NOWHERE
    names = [event.actor, *event.witnesses] if event.actor else event.witnesses
    people = tuple(dict.fromkeys(names))
    return (Gathering(event.place, people),) if len(people) > 1 else NOWHERE
