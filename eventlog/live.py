"""What a process keeps in memory of a world: who witnessed what, and the newest events.

All of it is a fold of the log, made when the world is first read and gone with the process. The
arrays say, for each character, which seqs it witnessed; a view is a bisect and a slice of one.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.eventlog.errors import Damaged, missing
from whoknew.eventlog.event import Event, Outline
from whoknew.eventlog.kinds import CharacterAdded, Doubted
from whoknew.eventlog.newest import Newest
from whoknew.eventlog.recall import Postings
from whoknew.eventlog.tellings import ON_TELLINGS, Tellings

UNFOLDED = 1000
"""So many events may wait to be folded: most worlds are appended to more often than read."""

ROOM = 2000
"""So much room is made at a time: nobody waits longer than a millisecond while it is. (250,000 events
at once take 0.1 s and more.) A whole world is let go of only when there are too many worlds."""

JOINED = frozenset((CharacterAdded, Doubted))
"""What adds a character, or a doubt."""

_outline = msgspec.json.Decoder(Outline).decode


class _Words(Struct):
    writer: str | None = None


class _Reading(Struct):
    """Of a letter that is read aloud whose words they are."""

    body: _Words


_reading = msgspec.json.Decoder(_Reading).decode

WRITTEN = b'"writer":'
"""Stands in such a reading, and in no text: there the quotes are escaped."""


def _outlined(body: bytes) -> Outline:
    one = _outline(body)
    if one.about and WRITTEN in body:
        return replace(one, teller=_reading(body).body.writer or one.teller)
    return one


class LiveWorld:
    """The fold of a world up to and including `upto`."""

    def __init__(self, world: str) -> None:
        self.world = world
        self.upto = 0
        self.cast: dict[str, int] = {}
        """Each character, with the seq at which it came into the world."""
        self.witnessed: dict[str, array[int]] = {}
        self.doubts: dict[int, list[tuple[int, Doubted]]] = {}
        """Of which events it is open who witnessed them: what says so, each with its seq, in order."""
        self.tellings = Tellings(self.witnessed)
        self.postings: dict[str, Postings] = {}
        self._kept = Newest()
        self.newest = self._kept.events
        """The newest events, as far back as memory goes, without a gap."""
        self._unfolded: list[Event] = []

    def catch_up(self, bodies: Iterable[bytes]) -> None:
        """Go on with events read from the store, which are not kept: up to the first that is not the one
        that is due."""
        self.settle()
        self._kept.clear()
        fold, due = self._fold, self.upto
        try:
            for one in map(_outlined, bodies):
                due += 1
                if one.seq != due:
                    raise missing(self.world, due)
                fold(one)
                self.upto = due
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Damaged(
                f"an event is not what was written ({error}): see what `whoknew log verify` says"
            ) from None

    def extend(self, events: Sequence[Event], sizes: Sequence[int] = ()) -> None:
        """Go on with events just appended, of so many bytes each, which stay at hand; folded when somebody
        asks."""
        self.upto = events[-1].seq
        self._kept.extend(events, sizes or [0] * len(events))
        self._unfolded += events
        if len(self._unfolded) > UNFOLDED:
            self.settle()

    def settle(self) -> None:
        """Fold what has been appended since: before anything but the newest events is asked for."""
        events, self._unfolded = self._unfolded, []
        if not events:
            return
        for event in events:
            self._fold(event)
        kinds = {type(event.body) for event in events}
        if not kinds.isdisjoint(JOINED):
            self.join(events)
        if self.tellings.upto >= events[0].seq - 1:
            told = () if kinds.isdisjoint(ON_TELLINGS) else events
            self.tellings.go_on(told, events[-1].seq)

    def join(self, events: Iterable[Event]) -> None:
        """Take in the characters and the doubts that these events add."""
        for event in events:
            body = event.body
            if type(body) is CharacterAdded:
                self.cast[body.name] = event.seq
            elif type(body) is Doubted and event.cause is not None:
                known = self.doubts.setdefault(event.cause, [])
                if not known or known[-1][0] < event.seq:  # two who read may bring the same
                    known.append((event.seq, body))

    def _fold(self, one: Outline | Event) -> None:
        seq = one.seq
        witnessed = self.witnessed
        for witness in one.witnesses:
            try:
                witnessed[witness].append(seq)
            except KeyError:
                witnessed[witness] = array("Q", [seq])
        if one.about:
            self.tellings.declare(one if isinstance(one, Outline) else one.outline)

    def seen(self, character: str, seq: int) -> bool:
        seqs = self.witnessed.get(character, ())
        place = bisect_left(seqs, seq)
        return place < len(seqs) and seqs[place] == seq

    def count(self, character: str, upto: int) -> int:
        """How many events the character had witnessed by then."""
        seqs = self.witnessed.get(character, ())
        return bisect_right(seqs, upto) if seqs and seqs[-1] > upto else len(seqs)

    @property
    def base(self) -> int:
        """The seq before the newest events."""
        return self.upto - len(self.newest)

    @property
    def room(self) -> int:
        """How many events those at hand count for."""
        return self._kept.room

    def forget(self, spare: int) -> int:
        """Let go of the oldest events at hand, which the log still has, until so much room is made; of how
        much."""
        before = self.room
        self._kept.forget(spare)
        return before - self.room


class LiveWorlds:
    """The worlds at hand, the ones least recently used given up first."""

    def __init__(self, keep_worlds: int, keep_events: int) -> None:
        self._worlds: OrderedDict[str, LiveWorld] = OrderedDict()
        self._keep_worlds, self._keep_events = keep_worlds, keep_events
        self._kept = 0
        """At most so many events are kept, a long one for several; counted anew when there may be too
        many."""

    def get(self, world: str) -> LiveWorld | None:
        return self._worlds.get(world)

    def touch(self, world: str) -> LiveWorld:
        if world not in self._worlds:
            self._worlds[world] = LiveWorld(world)
            if len(self._worlds) > max(1, self._keep_worlds):
                self._worlds.popitem(last=False)
        self._worlds.move_to_end(world)
        return self._worlds[world]

    def extend(self, world: str, events: Sequence[Event], sizes: Sequence[int]) -> None:
        """Hear of a batch, of so many bytes each. A world that is not at hand, or is behind, reads it when
        it is asked."""
        first = events[0].seq
        live = self.touch(world) if first == 1 else self._worlds.get(world)
        if live is None or live.upto != first - 1:
            return
        before = live.room
        live.extend(events, sizes)
        self._kept += live.room - before
        if self._kept > self._keep_events:
            self._make_room()

    def _make_room(self) -> None:
        """Let go of the oldest at hand, of the worlds that were longest not asked for."""
        self._kept = sum(live.room for live in self._worlds.values())
        spare = self._kept - self._keep_events + min(ROOM, self._keep_events // 2)
        for live in self._worlds.values():
            if spare <= 0:
                break
            freed = live.forget(spare)
            spare, self._kept = spare - freed, self._kept - freed
