"""The port of a store: rows of bytes, gapless per world, in one order over all worlds.

A store knows no event, no view and no fork's parent rows: it keeps what it is given and hands it
back. `volatile.py` is its definition; one suite of tests holds every store to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

from whoknew.eventlog.stores.leases import Holding, Leases

Position = tuple[int, ...]
"""The place of an event among all worlds of one store. Positions compare; nothing else is said."""

START: Position = ()

Durability = Literal["full", "normal"]
"""full: an acknowledged event survives a power cut. normal (SQLite only): it survives the end of
the program, but a power cut may take the last moments."""


PORTION = 16 * 2**20
"""With the body by which it comes to so many bytes an answer ends, before its limit. Whoever asks goes on
behind it, until nothing comes."""

BEHIND = "\U0010ffff"
"""A text with this at its end sorts behind all that begin with the text: it is the last of all characters,
which no text holds."""


def is_name(text: str) -> bool:
    """Whether a name is allowed, by its characters and its length: every store can keep it as the name
    of a world, or as a key. What is no text is none."""
    return (
        isinstance(text, str)
        and 0 < len(text) <= 200
        and text.isprintable()
        and text == text.strip()
    )


class World(Struct, frozen=True):
    """A world as the store has it. A fork has no rows up to and including `forked_at`."""

    name: str
    head: int
    parent: str | None = None
    forked_at: int = 0


class Segment(NamedTuple):
    """A stretch of a world, after `after` up to and including `upto`: of its own rows where a store is
    asked, else of all of its past, as `world` has it."""

    world: str
    after: int
    upto: int


class Record(Struct, frozen=True, gc=False):
    """An event as a store keeps it."""

    seq: int
    hash: bytes
    body: bytes
    key: str | None = None
    """Only on the first event of a batch that was appended under a key."""
    landmark: int | None = None
    """1 on the few events that cursors and casts are found by, 2 on what is on record of tellings."""


class Arrival(Struct, frozen=True, gc=False):
    position: Position
    world: str
    record: Record


class Batch(Struct, eq=False):
    """Records of one world that go in together, right after its head `after`, or not at all.

    `opens` is the world as it is to be created, where this batch is its first. `on` is the hash
    that its head must have: two writers can come to the same seq with different events. Where it goes
    in `under` a lease, that is still its writer's.
    """

    world: str
    after: int
    records: list[Record]
    opens: World | None = None
    on: bytes | None = None
    under: Holding | None = None


class StoreFacts(Struct, frozen=True):
    """What an operator asks of a store. Sizes are in bytes; None where there is nothing to say."""

    kind: str
    engine: str
    schema: int | None = None
    durability: Durability | None = None
    size: int | None = None


class Store(Protocol):
    """Every method may be called at any time, by any number of tasks, but `commit`: one at a time."""

    poll: float | None
    """How many seconds a follower may trust that silence means no news; None: for ever."""

    counted: int | None
    """How many records there were at opening, where this process alone writes and positions are
    counted from 1; None where they are not."""

    @property
    def leases(self) -> Leases | None:
        """Who plays which world, where several processes write; None where only one does."""
        ...

    @property
    def commit_now(self) -> Callable[[Batch], bool] | None:
        """`commit` of one batch, in a store that keeps nobody waiting; None in all others."""
        ...

    @property
    def pace(self) -> float:
        """Seconds from one commit to the next at least: what is handed in meanwhile goes in together."""
        ...

    async def open(self, news: Callable[[], None]) -> None:
        """Make ready. `news` is called when something new may have come from elsewhere."""
        ...

    async def close(self) -> None: ...

    async def worlds(self) -> list[World]:
        """Every world, in the order in which they were created."""
        ...

    async def find(self, world: str) -> World | None:
        """One world, or None where there is none of that name."""
        ...

    async def found(self, names: Collection[str]) -> list[World]:
        """Those worlds of these names that there are, in no order."""
        ...

    async def commit(self, batches: Sequence[Batch]) -> list[bool]:
        """Write all at once, durably. False for a batch whose world's head was not `after`, or not `on`.

        Batches of one world follow one another. When this raises, nothing was written.
        """
        ...

    async def read(
        self, world: str, after: int, upto: int, limit: int, *, backward: bool = False
    ) -> list[bytes]:
        """At most `limit` bodies, and a `PORTION` of them, with `after` < seq <= `upto`: the newest first when
        backward."""
        ...

    async def read_several(self, segments: Sequence[Segment]) -> list[bytes]:
        """The bodies of several stretches, one after another: all that there are of them."""
        ...

    async def pick(self, world: str, seqs: Sequence[int]) -> list[bytes]:
        """The bodies of these seqs, which rise, of those that there are."""
        ...

    async def landmarks(self, world: str, after: int, upto: int) -> list[bytes]:
        """The bodies of the landmarks (1) with `after` < seq <= `upto`, in order."""
        ...

    async def tellings(self, world: str, after: int, upto: int, limit: int) -> list[bytes]:
        """At most `limit` bodies of what was found of tellings (2), with `after` < seq <= `upto`, in order."""
        ...

    async def keys(self, world: str, begins: str = "", after: int = 0) -> dict[str, int]:
        """Every idempotency key of the world that begins so, of batches that begin past a seq, with the
        first seq of its batch."""
        ...

    async def records(self, world: str, after: int, upto: int, limit: int) -> list[Record]:
        """As `read`, but whole, and forward."""
        ...

    async def arrivals(self, after: Position, limit: int) -> list[tuple[Position, bytes]]:
        """At most `limit` bodies, and a `PORTION` of them, of all worlds with a position past `after`, in order.

        Nothing can appear later at a position before one that was returned.
        """
        ...

    async def page(self, after: Position, limit: int) -> list[Arrival]:
        """As `arrivals`, but whole."""
        ...

    async def facts(self) -> StoreFacts:
        """What it is kept in."""
        ...

    async def check(self) -> list[str]:
        """What the store itself finds wrong with its files, a sentence each."""
        ...
