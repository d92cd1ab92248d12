"""The rule by which drafts become events: pure, and all of a batch or nothing.

It gives each its seq, both its times and its hash, and refuses what would break a law: story time
that runs backwards, witnesses that the world does not have, references to what is yet to come.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NoReturn

from msgspec import Struct, field

from whoknew.eventlog.chain import GENESIS, link
from whoknew.eventlog.errors import (
    BadName,
    Refused,
    TimeRanBack,
    TooLarge,
    UnknownWitness,
    unfit,
)
from whoknew.eventlog.event import Draft, Event
from whoknew.eventlog.key_table import KeyTable
from whoknew.eventlog.kind import RECORD
from whoknew.eventlog.kinds import (
    CharacterAdded,
    EvidenceNoted,
    TellingFound,
    TellingsSought,
    WorldForked,
)
from whoknew.eventlog.stores.store import Record, World, is_name

LARGEST = 64 * 2**20
"""Bytes that an event may have, encoded: a larger event is too large. Every store takes so many in one
piece: SQLite ends at 1 GB a row, PostgreSQL at 1 GB a statement, and a statement holds many."""


LARGEST_BATCH = 512 * 2**20
"""Bytes that the events of a batch may have together: PostgreSQL takes 1 GB a statement, and breaks the
connection off at more."""

FIRST_HAND = frozenset((WorldForked, EvidenceNoted))
"""Kinds that not everybody may append in every way."""


class Tip(Struct, kw_only=True):
    """What must be known of a world to append to it. `opens` is set until it exists."""

    world: str
    seq: int = 0
    hash: bytes = GENESIS
    at: datetime | None = None
    recorded: datetime | None = None
    cast: frozenset[str] = frozenset()
    keys: KeyTable = field(default_factory=KeyTable)
    opens: World | None = None
    settled: int = 0
    """Up to there it is known to stand on the log, with its keys; what comes after is on its way."""
    ahead: dict[str, int] = {}
    """The keys of that."""

    def place(self, key: str) -> int | None:
        """Where a batch under this key begins; None where there is none."""
        return self.ahead[key] if key in self.ahead else self.keys.get(key)

    def advance(self, stamped: Stamped) -> None:
        """Move to the end of a batch that is on its way to the store."""
        newest = stamped.events[-1]
        self.seq, self.hash, self.cast = newest.seq, stamped.records[-1].hash, stamped.cast
        self.at, self.recorded = newest.at, newest.recorded
        self.opens = None
        if newest.key is not None:
            self.ahead[newest.key] = stamped.events[0].seq

    def settle(self, key: str | None, last: int) -> None:
        """A batch under a key has gone in, and so has all before it."""
        self.settled = max(self.settled, last)
        if key is not None and (first := self.ahead.pop(key, None)) is not None:
            self.keys[key] = first

    def settled_keys(self) -> KeyTable:
        """The keys of all that stands on the log."""
        for key, seq in self.ahead.items():
            if seq <= self.settled:
                self.keys[key] = seq
        return self.keys


class Stamped(Struct, frozen=True, gc=False):
    """A batch with its place in the log, and the world's characters after it."""

    events: list[Event]
    records: list[Record]
    cast: frozenset[str]


def stamp(
    tip: Tip,
    drafts: Sequence[Draft],
    key: str | None,
    recorded: datetime,
    encode: Callable[[Event], bytes],
) -> Stamped:
    """What `drafts` become right after `tip`, which stays as it is."""
    if not drafts:
        raise Refused(f"nothing to append to {tip.world!r}: give at least one draft")
    if tip.recorded is not None and tip.recorded > recorded:
        recorded = tip.recorded
    world, seq, previous, at, cast = tip.world, tip.seq, tip.hash, tip.at, tip.cast
    events: list[Event] = []
    records: list[Record] = []
    size = 0
    for draft in drafts:
        seq += 1
        try:
            at, cast = admit(draft, world, seq, at, cast)
        except (AttributeError, TypeError) as error:
            raise unfit(world, seq, draft.body, error) from error
        body = draft.body
        if type(body) in FIRST_HAND:
            _check_first_hand(
                draft, world, seq, forks=not records and bool(tip.opens and tip.opens.parent)
            )
        event = Event(
            world,
            seq,
            at,
            recorded,
            body,
            draft.episode,
            draft.turn,
            draft.actor,
            draft.place,
            draft.witnesses,
            draft.about,
            draft.cause,
            key,
            draft.source,
        )
        encoded = encode(event)
        size += len(encoded)
        if len(encoded) > LARGEST:
            raise _too_large(world, seq, encoded)
        if size > LARGEST_BATCH:
            raise TooLarge(
                f"{world!r} #{seq}: the events that are appended at once have at most "
                f"{LARGEST_BATCH:,} bytes: append them in several batches"
            )
        previous = link(previous, encoded)
        events.append(event)
        label = None if records else key
        records.append(Record(seq, previous, encoded, label, body.landmark or None))
    return Stamped(events, records, cast)


def _check_first_hand(draft: Draft, world: str, seq: int, *, forks: bool) -> None:
    """What holds of what is written, and not of all that was: earlier logs may hold it."""
    if type(draft.body) is WorldForked and not forks:
        raise Refused(f"{world!r} #{seq}: only `fork` says of a world that it is one")
    if type(draft.body) is EvidenceNoted and draft.witnesses:
        raise Refused(
            f"{world!r} #{seq}: evidence is witnessed by nobody, not by "
            f"{', '.join(draft.witnesses)}: whoever is asked would find the answer in it"
        )


def admit(
    draft: Draft | Event, world: str, seq: int, at: datetime | None, cast: frozenset[str]
) -> tuple[datetime, frozenset[str]]:
    """The world's present and its characters after a draft, or what one became; refused where it
    breaks a law."""
    body, actor, witnesses = draft.body, draft.actor, draft.witnesses
    if type(body) is CharacterAdded:
        cast |= {_character(body.name, cast, world, seq)}
    if at is None or (draft.at is not None and draft.at is not at):
        at = _story_time(draft.at, at, world, seq)
    if actor is not None and actor not in cast:
        _refuse_people(draft, cast, world, seq)
    if witnesses and (len(seen := frozenset(witnesses)) != len(witnesses) or not seen <= cast):
        _refuse_people(draft, cast, world, seq)
    if draft.about or not (draft.cause is None or 0 < draft.cause < seq):
        _check_references(draft, world, seq)
    if body.landmark == RECORD:
        _check_record(draft, world, seq, cast)
    return at, cast


def check_hearers(found: Draft, speech: Draft | Event, world: str) -> None:
    """That whom a speech told had witnessed it."""
    body = found.body
    assert isinstance(body, TellingFound)
    if unaware := sorted(set(body.hearers).difference(speech.witnesses)):
        raise Refused(
            f"{world!r}: #{found.cause} cannot have told {', '.join(map(repr, unaware))} of "
            f"#{body.fact}: it was witnessed by {', '.join(speech.witnesses) or 'nobody'} alone"
        )


def check_size(world: str, seq: int, body: bytes) -> None:
    if len(body) > LARGEST:
        raise _too_large(world, seq, body)


def check_name(name: str, what: str) -> None:
    """World names go into addresses, file names and commands, keys into an index."""
    if not is_name(name):
        raise BadName(
            f"{name!r:.210} cannot be {what}: take 1 to 200 printable characters, "
            "with no space at either end"
        )


def _character(name: str, cast: frozenset[str], world: str, seq: int) -> str:
    if not name or name != name.strip():
        raise BadName(f"{world!r} #{seq}: {name!r} cannot name a character: give it a name")
    if name in cast:
        raise Refused(f"{world!r} #{seq}: {name!r} is a character there already")
    return name


def _story_time(at: datetime | None, now: datetime | None, world: str, seq: int) -> datetime:
    if at is None:
        raise Refused(f"{world!r} #{seq}: a world's first event says when its story begins: at=...")
    if at.tzinfo is not None:
        raise Refused(
            f"{world!r} #{seq}: story time has no time zone, but `at` is {at.isoformat()}"
        )
    if now is not None and at < now:
        raise TimeRanBack(
            f"{world!r} #{seq}: story time never runs backwards: at={at.isoformat()} "
            f"is before {now.isoformat()}, the world's present"
        )
    return at


def _refuse_people(draft: Draft | Event, cast: frozenset[str], world: str, seq: int) -> NoReturn:
    people = {*draft.witnesses, *([] if draft.actor is None else [draft.actor])}
    if unknown := sorted(people - cast):
        raise UnknownWitness(
            f"{world!r} #{seq}: {', '.join(map(repr, unknown))} "
            f"{'is' if len(unknown) == 1 else 'are'} not among its characters "
            f"({', '.join(sorted(cast)) or 'no one yet'}): "
            "add a character before it acts or witnesses"
        )
    raise Refused(f"{world!r} #{seq}: a witness is named twice: {', '.join(draft.witnesses)}")


def _check_references(draft: Draft | Event, world: str, seq: int) -> None:
    referred = draft.about if draft.cause is None else (*draft.about, draft.cause)
    for other in referred:
        if not 0 < other < seq:
            raise Refused(
                f"{world!r} #{seq} refers to #{other}: an event refers to earlier ones only"
            )


def _check_record(draft: Draft | Event, world: str, seq: int, cast: frozenset[str]) -> None:
    """What is said of tellings stands beside the story: nobody witnesses it (laws 3 and 4)."""
    body = draft.body
    if draft.witnesses or draft.about:
        raise Refused(
            f"{world!r} #{seq}: what was found of tellings is witnessed by nobody, and is about nothing"
        )
    if isinstance(body, TellingsSought) and not 0 <= body.upto < seq:
        raise Refused(
            f"{world!r} #{seq}: tellings cannot have been looked for up to #{body.upto}, which "
            "has not happened yet"
        )
    if not isinstance(body, TellingFound):
        return
    if draft.cause is None or not 0 < body.fact < draft.cause:
        speech = "no speech" if draft.cause is None else f"#{draft.cause}"
        raise Refused(
            f"{world!r} #{seq}: {speech} cannot tell of #{body.fact}: give the speech as the cause, "
            "and an event before it"
        )
    if not 0 <= body.score <= 1:
        raise Refused(f"{world!r} #{seq}: a telling has a score from 0 to 1, not {body.score}")
    people = {*body.hearers, *([] if body.teller is None else [body.teller])}
    if unknown := sorted(people - cast):
        raise UnknownWitness(
            f"{world!r} #{seq}: {', '.join(map(repr, unknown))} told of nothing and was told of "
            f"nothing: name characters ({', '.join(sorted(cast)) or 'no one yet'})"
        )


def _too_large(world: str, seq: int, body: bytes) -> TooLarge:
    return TooLarge(
        f"{world!r} #{seq} takes {len(body):,} bytes, and an event has at most {LARGEST:,}: "
        "split it, or keep the large part elsewhere and say where"
    )
