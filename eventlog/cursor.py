"""Every form of "when", and the place in a world's log that it comes to.

    #1200  or  1200              a seq
    E3     E3.T5                 the end of episode 3; its turn 5
    @1599-06-01T21:00            story time
    recorded:2026-11-20T20:00    wall clock, UTC unless it says otherwise
    "Christmas, year 1"          a mark (the quotes may be left out)
    end                          the newest event

An equal point counts as past: a cursor is "up to and including".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime

from msgspec import Struct

from whoknew.eventlog.counted import counted_or_no
from whoknew.eventlog.errors import BadCursor, NoSuchMoment, missing
from whoknew.eventlog.event import Event
from whoknew.eventlog.fork import Lineage
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened, MarkPlaced
from whoknew.eventlog.nearest import listed, nearest

FORMS = '#1200, E3, E3.T5, @1599-06-01T21:00, recorded:2026-11-20T20:00, "a mark", end'

SPLIT = 32
"""Into so many parts a world is split at a time, where a time is looked for in it: two looks find it among a
thousand events, and to read so many takes half as long as one look more."""


_SEQ = re.compile(r"#?([0-9]{1,18})")
_EPISODE = re.compile(r"E([0-9]{1,9})(?:\.T([0-9]{1,9}))?", re.IGNORECASE)


class Cursor(Struct, frozen=True):
    """A place in a world's log; up to and including."""

    world: str
    seq: int

    def __str__(self) -> str:
        return f"{self.world} #{self.seq}"


class AtSeq(Struct, frozen=True):
    seq: int


class AtEpisode(Struct, frozen=True):
    episode: int
    turn: int | None = None


class AtStoryTime(Struct, frozen=True):
    at: datetime


class AtRecorded(Struct, frozen=True):
    recorded: datetime


class AtMark(Struct, frozen=True):
    name: str

    def __str__(self) -> str:
        """As it is written: in quotes where it would be something else without."""
        with suppress(BadCursor):
            if parse(self.name) == self:
                return self.name
        return f'"{self.name}"'


class AtEnd(Struct, frozen=True):
    pass


ParsedWhen = AtSeq | AtEpisode | AtStoryTime | AtRecorded | AtMark | AtEnd

When = str | ParsedWhen | Cursor
"""Whatever says when: a text such as "E3.T5", its parsed form, or a cursor already found."""


def parse(text: str) -> ParsedWhen:
    """The one parser of cursors, the same everywhere."""
    text = text.strip()
    if match := _SEQ.fullmatch(text):
        return AtSeq(int(match[1]))
    if match := _EPISODE.fullmatch(text):
        return AtEpisode(int(match[1]), int(match[2]) if match[2] else None)
    if text.lower() == "end":
        return AtEnd()
    if text.startswith("@"):
        return AtStoryTime(_story_time(text))
    if text.lower().startswith("recorded:"):
        return AtRecorded(_wall_clock(text))
    quoted = len(text) >= 2 and text[0] == text[-1] == '"'
    name = text[1:-1] if quoted else text
    if not name or text.startswith("#"):
        raise BadCursor(f"{text!r} is no cursor: use one of {FORMS}")
    return AtMark(name)


def parsed(at: When) -> ParsedWhen | Cursor:
    """Whatever says when, but what it was written in. A number says neither a seq nor an episode."""
    if isinstance(at, str):
        return parse(at)
    if not isinstance(at, ParsedWhen | Cursor) or getattr(at, "seq", 0) < 0:
        raise BadCursor(f"{at!r} is no cursor: use one of {FORMS}, in a text")
    return at


class Resolver:
    """Finds what a "when" comes to in a world of this log."""

    def __init__(
        self,
        past: Lineage,
        landmarks: Callable[[str, int], Awaitable[list[Event]]],
        pick: Callable[[str, Sequence[int]], Awaitable[list[Event]]],
    ) -> None:
        self._past, self._landmarks, self._pick = past, landmarks, pick

    async def resolve(self, world: str, when: ParsedWhen) -> Cursor:
        head = (await self._past.find(world)).head
        seq = head
        match when:
            case AtEnd():
                pass
            case AtSeq(wanted):
                seq = wanted
                if seq > head:
                    raise NoSuchMoment(f"#{seq}: {world!r} ends at #{head}")
            case AtEpisode(episode, None):
                seq = (await self._episode(world, head, episode))[1]
            case AtEpisode(episode, int() as turn):
                seq = await self._turn(world, head, episode, turn)
            case AtStoryTime(at):
                seq = await self._last(world, head, lambda event: event.at <= at)
            case AtRecorded(recorded):
                seq = await self._last(world, head, lambda event: event.recorded <= recorded)
            case AtMark(name):
                seq = await self._mark(world, head, name)
        return Cursor(world, seq)

    async def _episode(self, world: str, head: int, episode: int) -> tuple[int, int]:
        """Its first seq and its last: where it closed, or else the newest event so far."""
        opened: dict[int, int] = {}
        closed: dict[int, int] = {}
        going: list[int] = []
        for event in await self._landmarks(world, head):
            if isinstance(event.body, EpisodeOpened):
                closed.update((one, event.seq - 1) for one in going)
                opened[event.episode], going = event.seq, [event.episode]
            elif isinstance(event.body, EpisodeClosed):
                closed[event.episode], going = event.seq, []
        if episode not in opened:
            raise NoSuchMoment(f"E{episode}: {_has(repr(world), len(opened), 'episode')}")
        return opened[episode], closed.get(episode, head)

    async def _turn(self, world: str, head: int, episode: int, turn: int) -> int:
        """The newest event of the turn; of the one before, where nothing happened in it."""
        first, last = await self._episode(world, head, episode)
        found, reached, turns = first, 0, 0
        while first <= last:
            bodies = await self._past.read(world, first - 1, last, 1000)
            if not bodies:
                raise missing(world, first)
            for event in await self._past.decoded(bodies):
                first = event.seq + 1
                if event.episode == episode:
                    turns = max(turns, event.turn)
                    if turns <= turn and reached <= event.turn:
                        found, reached = event.seq, event.turn
        if turn > turns:
            raise NoSuchMoment(f"E{episode}.T{turn}: {_has(f'episode {episode}', turns, 'turn')}")
        return found

    async def _last(self, world: str, head: int, past: Callable[[Event], bool]) -> int:
        """The newest seq that is past, in a log whose times never run backwards. Between two landmarks
        several are looked at at a time: to go to the store and back takes longer than to read them."""
        marks = await self._landmarks(world, head)
        count = bisect_left(marks, True, key=lambda event: not past(event))
        low = marks[count - 1].seq if count else 0
        high = marks[count].seq - 1 if count < len(marks) else head
        while low < high:
            step = -(-(high - low) // SPLIT)
            seqs = range(low + step, high + 1, step)
            events = await self._pick(world, seqs)
            count = bisect_left(events, True, key=lambda event: not past(event))
            low, high = low + step * count, min(high, low + step * (count + 1) - 1)
        return low

    async def _mark(self, world: str, head: int, name: str) -> int:
        marks = [
            (event.body.name, event.body.upto or event.seq)
            for event in await self._landmarks(world, head)
            if isinstance(event.body, MarkPlaced)
        ]
        found = [seq for mark, seq in marks if mark == name]
        if len(found) == 1:
            return found[0]
        if found:
            places = listed([f"#{seq}" for seq in found])
            raise NoSuchMoment(f'"{name}" is marked {len(found)} times in {world!r}: say {places}')
        known = nearest(name, (mark for mark, _ in marks))
        raise NoSuchMoment(
            f'"{name}": {world!r} has no such mark ({known}); other forms of a cursor are {FORMS}'
        )


def _story_time(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text[1:])
    except ValueError:
        raise BadCursor(f"{text!r}: a story time is written like @1599-06-01T21:00") from None
    if at.tzinfo is not None:
        raise BadCursor(f"{text!r}: story time has no time zone; leave it out")
    return at


def _wall_clock(text: str) -> datetime:
    try:
        recorded = datetime.fromisoformat(text.partition(":")[2])
    except ValueError:
        raise BadCursor(f"{text!r}: write it like recorded:2026-11-20T20:00") from None
    return recorded if recorded.tzinfo else recorded.replace(tzinfo=UTC)


def _has(what: str, count: int, noun: str) -> str:
    return f"{what} has {counted_or_no(count, noun)}"
