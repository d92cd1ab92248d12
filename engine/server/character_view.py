"""All that one reader perceived of a world, in its own numbers: what is sent to a character.

Whatever a character's token reaches is answered from here, and from nothing else. It is a fold of
the events that it witnessed: the same, whatever happened that it did not (law 4).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Protocol

from msgspec import Struct

from whoknew.engine.server.errors import RequestRefused
from whoknew.engine.server.pages import page_of
from whoknew.engine.travel.character_events import Perceived, perceived
from whoknew.engine.travel.whereabouts import Onstage
from whoknew.eventlog import Event, Log
from whoknew.eventlog.counted import counted_or_no
from whoknew.eventlog.cursor import AtEnd, AtEpisode, AtSeq, AtStoryTime, When, parse
from whoknew.eventlog.errors import NoSuchMoment
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened

PAGE = 500

KEPT = 1000
"""So many views are kept in a server's memory, used or unused: where there are so many, all are forgotten
at the next look, and folded anew as they are asked for."""


class Witnessed(Protocol):
    """The events that a reader may see, in order."""

    @property
    def who(self) -> str | None: ...

    async def seqs(self, after: int, at: When) -> Sequence[int]:
        """Of those past the first `after`, up to a cursor at least."""
        ...

    async def events(self, after: int, upto: int) -> list[Event]:
        """Those at the places past `after`, up to and including `upto`."""
        ...


class OfCharacter:
    """What a character witnessed: its view, as it grows."""

    def __init__(self, log: Log, world: str, who: str) -> None:
        self._log, self._world, self.who = log, world, who

    async def seqs(self, after: int, at: When) -> Sequence[int]:
        return (await self._log.view(self._world, self.who, at)).seqs(after)

    async def events(self, after: int, upto: int) -> list[Event]:
        return await (await self._log.view(self._world, self.who)).events(after, upto)


class OfPublic:
    """What happened in the open, before all who were there, and before all whose seats are taken:
    so that whoever has such a seat learns nothing by it."""

    who = None

    def __init__(self, log: Log, world: str, onstage: Onstage, taken: frozenset[str]) -> None:
        self._log, self._world = log, world
        self._onstage, self._taken = onstage, taken
        self._seqs: list[int] = []
        self._done = 0

    async def seqs(self, after: int, at: When) -> Sequence[int]:
        await self._onstage.catch_up((await self._log.cursor(self._world, at)).seq)
        fresh, self._done = self._onstage.public[self._done :], len(self._onstage.public)
        self._seqs += [seq for seq, witnesses in fresh if witnesses >= self._taken]
        return self._seqs[after:]

    async def events(self, after: int, upto: int) -> list[Event]:
        return await self._log.lineage.pick(self._world, self._seqs[after:upto])


class OwnEpisode(Struct, kw_only=True):
    """An episode as a reader went through it: from its `first` event of it to its `last`, once it
    is over for it."""

    number: int
    scenario: str
    place: str | None
    at: datetime
    first: int
    last: int | None = None


class Own:
    """What one reader perceived of one world so far: the events 1 to `count`."""

    def __init__(
        self,
        log: Log,
        world: str,
        witnessed: Witnessed,
        onstage: Onstage,
        taken: frozenset[str] = frozenset(),
    ) -> None:
        self._log, self.world, self._taken = log, world, taken
        self._witnessed, self._onstage = witnessed, onstage
        self._seqs = array("Q")
        self._episode, self._turn = array("L"), array("L")
        """In which episode and turn of its own each event was; 0 outside of all."""
        self._world_episode = self._world_turn = self._turns = self._newest = 0
        self.episodes: list[OwnEpisode] = []

    @property
    def who(self) -> str | None:
        return self._witnessed.who

    @property
    def key(self) -> tuple[str, ...]:
        """What those have in common who are sent the same."""
        return ("own", self.world, self.who or "", *sorted(self._taken))

    @property
    def count(self) -> int:
        return len(self._seqs)

    def seq(self, number: int) -> int:
        """The seq of an event of its own; of none, before the first. Never told to a character."""
        return self._seqs[number - 1] if number else 0

    async def catch_up(self, at: When = "end") -> None:
        """Take in what it has perceived since, up to a cursor at least."""
        while await self._witnessed.seqs(done := self.count, at):
            events = await self._witnessed.events(done, done + PAGE)
            if self.count == done:  # nobody else took them meanwhile
                for event in events:
                    self._take(event)

    async def events(self, after: int, upto: int) -> list[Perceived]:
        """What it perceived past `after`, up to and including `upto`."""
        return [event for event in await self.told(after, upto) if event is not None]

    async def told(self, after: int, upto: int) -> list[Perceived | None]:
        """The same, with nothing in the place of each event that is no part of any story."""
        events = await self._witnessed.events(after, upto)
        if events:
            await self._onstage.catch_up(events[-1].seq)
        told: list[Perceived | None] = []
        for number, event in enumerate(events, start=after + 1):
            episode, turn = self._episode[number - 1], self._turn[number - 1]
            stand = self._onstage.at(event)
            told.append(perceived(event, self.who, episode, turn, stand, self.number))
        return told

    async def head(self) -> int:
        await self.catch_up()
        return self.count

    async def page(self, after: int) -> tuple[list[Perceived], int]:
        """The next events past `after`, and how far that is."""
        page = await page_of(self.told, after, min(self.count, after + PAGE))
        return page.events, page.upto

    async def follow(self, after: int) -> AsyncIterator[tuple[list[Perceived], int]]:
        """What it perceives past `after` as it happens, each time with how far that is."""
        async for event in self._log.follow(self.world, AtSeq(self.seq(after))):
            await self.catch_up(AtSeq(event.seq))
            if self.count > after:
                found, after = await self.page(after)
                yield found, after

    def number(self, seq: int) -> int | None:
        """Which number an event has for this reader, if it perceived it."""
        place = bisect_left(self._seqs, seq)
        there = place < len(self._seqs) and self._seqs[place] == seq
        return place + 1 if there else None

    async def resolve(self, at: str) -> int:
        """The number that a cursor comes to, of its own events, episodes and turns alone."""
        match parse(at):
            case AtEnd():
                return self.count
            case AtSeq(number):
                if number > self.count:
                    raise NoSuchMoment(
                        f"{number}: so far these are {counted_or_no(self.count, 'event')}"
                    )
                return number
            case AtEpisode(episode, turn):
                return self._within(episode, turn)
            case AtStoryTime(time):
                return await self._by(time)
            case _:
                raise RequestRefused(
                    "a character knows no marks and no wall clock: take the number of one of its "
                    "events, an episode and turn of its own, a story time, or end"
                )

    def _within(self, episode: int, turn: int | None) -> int:
        """The end of an episode of its own, or of a turn in it."""
        if not 0 < episode <= len(self.episodes):
            raise NoSuchMoment(
                f"E{episode}: so far these are {counted_or_no(len(self.episodes), 'episode')}"
            )
        found = self.episodes[episode - 1]
        last = self._newest if found.last is None else found.last
        if turn is None:
            return last
        numbers = [n for n in range(found.first, last + 1) if self._episode[n - 1] == episode]
        turns = self._turn[numbers[-1] - 1]
        if turn > turns:
            raise NoSuchMoment(f"E{episode}.T{turn}: so far it has {counted_or_no(turns, 'turn')}")
        return max((n for n in numbers if self._turn[n - 1] <= turn), default=found.first - 1)

    async def _by(self, time: datetime) -> int:
        """Its newest event by a story time, which never runs backwards (law 11)."""
        low, high = 0, self.count
        while low < high:
            middle = (low + high + 1) // 2
            (event,) = await self._witnessed.events(middle - 1, middle)
            low, high = (middle, high) if event.at <= time else (low, middle - 1)
        return low

    def _take(self, event: Event) -> None:
        number = self.count + 1
        if event.episode:
            if event.episode != self._world_episode:
                self._begin(event, number)
            elif event.turn > self._world_turn:
                self._world_turn, self._turns = event.turn, self._turns + 1
            self._newest = number
            if isinstance(event.body, EpisodeClosed):
                self.episodes[-1].last = number
        self._seqs.append(event.seq)
        self._episode.append(len(self.episodes) if event.episode else 0)
        self._turn.append(self._turns if event.episode else 0)

    def _begin(self, event: Event, number: int) -> None:
        if self.episodes and self.episodes[-1].last is None:
            self.episodes[-1].last = self._newest
        body = event.body
        self.episodes.append(
            OwnEpisode(
                number=len(self.episodes) + 1,
                scenario=body.scenario if isinstance(body, EpisodeOpened) else "",
                place=event.place,
                at=event.at,
                first=number,
            )
        )
        self._world_episode, self._world_turn = event.episode, event.turn
        self._turns = min(event.turn, 1)


class Owns:
    """The readers of a server that were asked for lately."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._owns: dict[tuple[str, str | frozenset[str]], Own] = {}
        self._onstage: dict[str, Onstage] = {}

    async def of(self, world: str, who: str) -> Own:
        """What a character perceived so far."""
        own = self._owns.get((world, who))
        if own is None:
            witnessed = OfCharacter(self._log, world, who)
            own = Own(self._log, world, witnessed, self.onstage(world))
        return await self._kept(own, who)

    async def public(self, world: str, taken: frozenset[str]) -> Own:
        """What happened in public so far, while some seats are taken."""
        own = self._owns.get((world, taken))
        if own is None:
            onstage = self.onstage(world)
            own = Own(self._log, world, OfPublic(self._log, world, onstage, taken), onstage, taken)
        return await self._kept(own, taken)

    async def _kept(self, own: Own, who: str | frozenset[str]) -> Own:
        if len(self._owns) >= KEPT:
            self._owns.clear()
            self._onstage.clear()
        self._owns[own.world, who] = own
        await own.catch_up()
        return own

    def onstage(self, world: str) -> Onstage:
        return self._onstage.setdefault(world, Onstage(self._log, world))
