"""Whether a log is what was written, and heads that were kept still stand in it: `whoknew log verify`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from whoknew.engine.opening import reading
from whoknew.eventlog import Fault, Head, Log, verify
from whoknew.eventlog.errors import Damaged, NoSuchWorld


class Checked(Struct, frozen=True, kw_only=True):
    """What was checked and what was found. `unchecked` events stand behind a fault; of the `kept`
    heads that were given, `standing` are still so."""

    events: int
    heads: tuple[Head, ...]
    faults: tuple[Fault, ...]
    unchecked: int = 0
    kept: int = 0
    standing: int = 0


async def check(address: str, world: str | None = None, kept: Sequence[Head] = ()) -> Checked:
    """Check the chain of events, and that heads kept elsewhere still stand in it."""
    async with reading(address) as log:
        return await checked(log, world, kept)


async def checked(log: Log, world: str | None = None, kept: Sequence[Head] = ()) -> Checked:
    ends = {one.name: one.head for one in await log.worlds()}
    found = await verify(log, world)
    lost = [fault for head in kept if (fault := await _lost(log, head))]
    unchecked = sum(max(0, ends.get(head.world, 0) - head.seq) for head in found.heads)
    faults = (*found.faults, *lost)
    return Checked(
        events=found.events,
        heads=found.heads,
        faults=faults,
        unchecked=unchecked,
        kept=len(kept),
        standing=len(kept) - len(lost),
    )


async def _lost(log: Log, head: Head) -> Fault | None:
    try:
        record = await log.lineage.record(head.world, head.seq)
    except NoSuchWorld:
        return Fault("the head that was kept is of a world that is gone", *_at(head))
    except Damaged as error:
        return Fault(f"the head that was kept cannot be looked up: {error}", *_at(head))
    if record is None:
        ends = (await log.lineage.find(head.world)).head
        return Fault(f"the head that was kept is gone: the world ends at #{ends}", *_at(head))
    if record.hash != head.hash:
        return Fault("another history: its hash is not the one that was kept", *_at(head))
    return None


def _at(head: Head) -> tuple[str, int]:
    return head.world, head.seq
