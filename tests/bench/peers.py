"""The library eventsourcing, with its own SQLite recorder, on the same appends and reads.

It is installed into an environment of its own, its version pinned, and runs there as a program.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
from appends import on_sqlite
from figure import Figure, Reach
from msgspec import Struct
from peer import installed, run
from reads import filled, one_world
from session import Session
from story import lines, opening

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

    def ours() -> tuple[float, float]:
        appended = on_sqlite(session.file("ours.db"), each=session.size(400, 10))
        return appended.rate, one_world(path)

    def peer() -> Peer:
        for suffix in (".appends", ".bytes", ".own"):
            session.file("peer.db" + suffix)
        return _run(python, session.folder / "peer.db", bodies, count)

    pairs = session.interleaved(ours, peer)
    appends, reads = ([one[n] for one, _ in pairs] for n in (0, 1))
    yield Figure(
        f"appends beside eventsourcing {VERSION}",
        ours=appends,
        limit=[one.appends for _, one in pairs],
        beside="insert_events of its SQLite recorder, one event a call, one thread",
        reach=Reach(10, "times"),
    )
    yield Figure(
        f"reads beside eventsourcing {VERSION}",
        ours=reads,
        limit=[one.reads for _, one in pairs],
        beside="select_notifications of its SQLite recorder by 1,000, decoded by its mapper",
        reach=Reach(5, "times"),
    )
    yield Figure(
        "the same, its bytes decoded by msgspec",
        ours=reads,
        limit=[one.reads_by_msgspec for _, one in pairs],
        beside="select_notifications by 1,000, decoded by msgspec, which it does not offer",
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
