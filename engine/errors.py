"""What can keep a run from going on.

EngineError
├── Suspended      a run or one of its chains stops in order, and can go on later
└── PlanChanged    the log holds something else than what the plan says
"""

from __future__ import annotations


class EngineError(Exception):
    """Whatever keeps a run from going on."""


class Suspended(EngineError):
    """It stops in order, and the same command goes on later. `whole` stops all chains."""

    def __init__(self, reason: str, *, whole: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.whole = reason, whole


class PlanChanged(EngineError):
    """The log holds something else than what the plan says."""
