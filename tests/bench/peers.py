"""The library eventsourcing, with its own SQLite recorder, on the same appends and reads.

It is installed into an environment of its own, its version pinned, and runs there as a program.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from appends import on_sqlite
from figure import Figure, Reach
from msgspec import Struct
from peer import installed, run
from reads import filled, one_world
from session import Session
from story import lines, opening
from tasks import TASKS

from whoknew.eventlog import Log
from whoknew.eventlog.stores.volatile import VolatileStore

VERSION = "9.5.6"

PROGRAM = Path(__file__).with_name("peer_eventsourcing.py")


class Peer(Struct, frozen=True):
    appends: float
    reads: float
    reads_by_msgspec: float


def figures(session: Session) -> Iterator[Figure]:
    python = installed(session, f"eventsourcing=={VERSION}", f"msgspec=={msgspec.__version__}")
    bodies = session.folder / "bodies.jsonl"
    bodies.write_bytes(b"\n".join(asyncio.run(_bodies())))
    count = session.size(200_000, 2_000)
    path = filled(session, count)

    def appends(tasks: int, each: int) -> Callable[[], float]:
        return lambda: on_sqlite(session.file("ours.db"), tasks, each, "sqlite3").rate

    def peer() -> Peer:
        for suffix in (".appends", ".bytes", ".own"):
            session.file("peer.db" + suffix)
        return _run(python, session.folder / "peer.db", bodies, count)

    many, alone, reads, peers = session.in_turn(
        appends(TASKS, session.size(400, 10)),
        appends(1, session.size(5000, 20)),
        lambda: one_world(path, "sqlite3"),
        peer,
    )
    of = f"beside eventsourcing {VERSION}"
    recorder = "insert_events of its SQLite recorder, one event a call, one thread"
    appended = [one.appends for one in peers]
    yield Figure(
        f"appends of {TASKS} tasks {of}", "ev/s", many, appended, recorder, Reach(10, "times")
    )
    yield Figure(f"appends of one task {of}", "ev/s", alone, appended, recorder)
    yield Figure(
        f"reads {of}",
        "ev/s",
        reads,
        [one.reads for one in peers],
        "select_notifications of its SQLite recorder by 1,000, decoded by its mapper",
        Reach(5, "times"),
    )
    yield Figure(
        "the same, its bytes decoded by msgspec",
        "ev/s",
        reads,
        [one.reads_by_msgspec for one in peers],
        "select_notifications by 1,000, decoded by msgspec, which it does not offer",
    )


async def _bodies() -> list[bytes]:
    """Events as we encode them, without those that open their world."""
    store, opened = VolatileStore(), opening()
    async with Log(store) as log:
        await log.append("world", opened)
        await log.append("world", [line.draft(turn) for turn, line in enumerate(lines(2000))])
        return await store.read("world", len(opened), 10**9, 10**9)


def _run(python: Path, path: Path, bodies: Path, count: int) -> Peer:
    # -P: the bench's own modules are not in its way.
    done = run([python, "-P", PROGRAM, path, bodies, count])
    return msgspec.json.decode(done, type=Peer)
