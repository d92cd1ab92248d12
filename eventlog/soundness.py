"""What a sound log can hold: each event as an append would have written it, after all before it.

`verify` walks the worlds of a log in this way, an import those of a file, before it writes any.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec.structs import replace

from whoknew.eventlog.chain import link
from whoknew.eventlog.codec import Codec
from whoknew.eventlog.errors import Damaged, Refused
from whoknew.eventlog.event import Event
from whoknew.eventlog.kinds import WorldForked
from whoknew.eventlog.stamp import Tip, admit, check_name
from whoknew.eventlog.stores.store import Record, World


class Seams:
    """Where forks begin: their parents as they stood there, noted as the walk passes by."""

    def __init__(self, worlds: Iterable[World]) -> None:
        self._passed: dict[tuple[str, int], Tip | None] = {
            (one.parent, one.forked_at): None for one in worlds if one.parent
        }

    def note(self, tip: Tip) -> None:
        if (tip.world, tip.seq) in self._passed:
            self._passed[tip.world, tip.seq] = tip

    def beginning(self, world: World) -> Tip | None:
        """What a world goes on from; nothing where its parent has not come so far."""
        if not world.parent:
            return Tip(world=world.name)
        passed = self._passed.get((world.parent, world.forked_at))
        return passed and replace(passed, world=world.name, keys={})


class Walk:
    """Along a world's own events, from `tip` on. It stands after the last one that was sound."""

    def __init__(self, world: World, tip: Tip, codec: Codec) -> None:
        self.tip = tip
        self._world, self._codec = world, codec
        self._key: str | None = None

    def step(self, seq: int, digest: bytes, body: bytes) -> Record:
        """Go past the next event: its record as it must be. Where it is not sound, say why."""
        tip = self.tip
        if seq != tip.seq + 1:
            raise Damaged(f"it is missing: the next one is #{seq}")
        if link(tip.hash, body) != digest:
            raise Damaged("its bytes are not the ones that were hashed")
        event = self._codec.decode(body)
        self._check_place(event)
        at, cast = self._admitted(event)
        label = self._label(event)
        self.tip = replace(tip, seq=seq, hash=digest, at=at, recorded=event.recorded, cast=cast)
        self._key = event.key
        return Record(seq, digest, body, label, event.body.landmark or None)

    def _check_place(self, event: Event) -> None:
        world, tip = self._world, self.tip
        if (event.world, event.seq) != (world.name, tip.seq + 1):
            raise Damaged(f"it says of itself that it is {event.world} #{event.seq}")
        if _before(event.at, tip.at) or _before(event.recorded, tip.recorded):
            raise Damaged("its time is before that of the event before it")
        if world.parent and event.seq == world.forked_at + 1:
            if event.body != WorldForked(world.parent, world.forked_at):
                raise Damaged(f"the store has it as forked from {world.parent} #{world.forked_at}")
        elif isinstance(event.body, WorldForked):
            raise Damaged("it says that a fork begins here, and none does")

    def _admitted(self, event: Event) -> tuple[datetime, frozenset[str]]:
        try:
            if event.key is not None:
                check_name(event.key, "a key")
            return admit(event, event.world, event.seq, self.tip.at, self.tip.cast)
        except Refused as error:
            raise Damaged(f"no append would have written it: {error}") from None

    def _label(self, event: Event) -> str | None:
        """The key under which its batch is found, where it is the first of one."""
        if event.key is None or event.key == self._key:
            return None
        keys = self.tip.keys
        if event.key in keys:
            raise Damaged(f"the key {event.key!r} was used before, at #{keys[event.key]}")
        keys[event.key] = event.seq
        return event.key


def _before(time: datetime, earlier: datetime | None) -> bool:
    return earlier is not None and time < earlier
