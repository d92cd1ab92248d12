"""What head an append may expect to find."""

from __future__ import annotations

from msgspec import Struct

from whoknew.eventlog.errors import Conflict, Refused


class Expected(Struct, frozen=True):
    """`seq` is the head that the world must have; None takes any."""

    seq: int | None

    def check(self, world: str, head: int) -> None:
        if self.seq is not None and self.seq != head:
            raise Conflict(world, self.seq, head)


ANY = Expected(None)
"""Whatever the head is."""

ABSENT = Expected(0)
"""The world must not exist yet."""


def exactly(seq: int) -> Expected:
    """The world's newest event must be `seq`."""
    if not isinstance(seq, int):
        raise Refused(f"a head is expected by its seq, a whole number, not by {seq!r}")
    return Expected(seq)
