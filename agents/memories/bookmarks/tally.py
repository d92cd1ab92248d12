"""What steps came to: how often a question was there already, and what that saved. All figures of banks are
taken from here."""

from __future__ import annotations

from msgspec import Struct

from whoknew.agents.memories.bookmarks.call_cost import NO_CALLS, CallCost
from whoknew.agents.memories.bookmarks.record import StepRecord


class StepTally(Struct):
    """So many `steps`, in which so much was `asked`, and of that `reused` and `derived`. `unseen` lines lay
    behind what the bookmarks took account of before, and `read` were put before an operator; from the
    beginning `scratch` would have had to be gone through. Calls that `took` so much brought that about, where
    reading from the beginning would have taken as many as `anew` says; of so many questions that is
    `unknown`."""

    steps: int = 0
    asked: int = 0
    reused: int = 0
    derived: int = 0
    unseen: int = 0
    read: int = 0
    scratch: int = 0
    unknown: int = 0
    took: CallCost = NO_CALLS
    anew: CallCost = NO_CALLS

    @classmethod
    def of(cls, record: StepRecord) -> StepTally:
        """That of one step."""
        costs = record.costs
        return cls(
            steps=1,
            asked=len(record.proposed),
            reused=sum(one.fate == "reused" for one in record.proposed),
            derived=sum(one.fate == "derived" for one in record.proposed),
            unseen=record.unseen,
            read=record.read,
            scratch=record.scratch,
            unknown=sum(one.anew is None for one in record.changes),
            took=costs.took if costs else NO_CALLS,
            anew=costs.anew if costs else NO_CALLS,
        )

    @property
    def hits(self) -> int:
        return self.reused + self.derived

    @property
    def saved(self) -> float | None:
        return saved_part(self.unseen, self.scratch)

    def join(self, other: StepTally) -> None:
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def saved_part(unseen: int, scratch: int) -> float | None:
    """Which part of the lines that reading all anew goes through was not new."""
    return 1 - unseen / scratch if scratch else None
