"""A world as one character perceived it, as if it were a world of its own: only what it witnessed has
happened there, before those alone whom it saw to be there. Nothing in it counts what it did not see."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from datetime import UTC

from whoknew.engine.travel.character_events import perceived
from whoknew.engine.travel.whereabouts import Onstage
from whoknew.eventlog import Event, Knowledge, Known, Log
from whoknew.eventlog.cursor import Cursor, When
from whoknew.eventlog.kinds import EpisodeOpened
from whoknew.eventlog.live import LiveWorld

PAGE = 500


class Retelling:
    """Its events, numbered by their places in the view, with episodes as the character counts them."""

    def __init__(self, world: str, who: str) -> None:
        self.world, self.who = world, who
        self.events: list[Event] = []
        self.upto = 0
        self._seqs: list[int] = []
        self._episode = self._number = 0

    async def catch_up(self, log: Log, onstage: Onstage, at: When = "end") -> None:
        """Go on up to a cursor, if it is further than this is."""
        view = await log.view(self.world, self.who, at)
        await onstage.catch_up(view.cursor.seq)
        while self.upto < len(view):
            done = self.upto
            some = await view.events(done, done + PAGE)
            if self.upto == done:  # nobody else took them meanwhile
                for event in some:
                    self._take(event, onstage)

    def past(self, after: int, most: int | None = None) -> list[Event]:
        """Those past a number; so many of them at most."""
        begins = bisect_right(self.events, after, key=lambda event: event.seq)
        return self.events[begins : None if most is None else begins + most]

    def row(self, number: int, upto: int) -> tuple[Known, ...]:
        """What everybody knows of one of these events, as far as the character can tell."""
        live = LiveWorld(self.world)
        some = [event for event in self.events if event.seq <= upto]
        if some:
            live.extend(some)
            live.settle()
            live.tellings.sort_in(len(some))
        for event in some:
            for name in event.witnesses:
                live.cast.setdefault(name, event.seq)
        knowledge = Knowledge(live, Cursor(self.world, upto))
        return knowledge.row(number, knowledge.characters)

    def number(self, seq: int) -> int | None:
        """The number of an event that it witnessed itself."""
        place = bisect_left(self._seqs, seq)
        return place + 1 if place < len(self._seqs) and self._seqs[place] == seq else None

    def _take(self, event: Event, onstage: Onstage) -> None:
        self._seqs.append(event.seq)
        self.upto += 1
        if event.episode and event.episode != self._episode:
            self._episode, self._number = event.episode, self._number + 1
        number = self._number if event.episode else 0
        told = perceived(event, self.who, number, 0, onstage.at(event), self.number)
        if told is None:
            return
        body = told.body
        if isinstance(body, EpisodeOpened):
            body = EpisodeOpened(body.scenario, body.cast)
        self.events.append(
            Event(
                world=self.world,
                seq=told.number,
                at=told.at,
                recorded=told.at.replace(tzinfo=UTC),
                body=body,
                episode=number,
                actor=told.actor,
                place=told.place,
                witnesses=self._seen(event, told.present),
                about=told.about,
            )
        )

    def _seen(self, event: Event, present: tuple[str, ...]) -> tuple[str, ...]:
        """Those of its witnesses whom the character saw to be there, and whoever it heard or saw do it."""
        acted = (event.actor,) if event.actor in event.witnesses else ()
        return tuple(dict.fromkeys([self.who, *filter(None, acted), *present]))
