"""What can keep a run from going on.

EngineError
├── Suspended      a run or one of its chains stops in order, and can go on later
├── LimitReached   a call that an episode, or a character, has no leave for any more
├── Interrupted    it was asked twice to stop, and stopped at once
├── BeingPlayed    another process plays it
├── PlanChanged    the log holds something else than what the plan says
├── NoPrice        a limit in money, on a model whose price nobody knows
├── NoPlan         a world that no plan has played
└── BadQuestion    what is asked of a world cannot be asked like that
"""

from __future__ import annotations

from whoknew.agents import errors as agents
from whoknew.eventlog import errors as eventlog


class EngineError(Exception):
    """Whatever keeps a run from going on."""


class Suspended(EngineError):
    """It stops in order, and the same command goes on later."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class LimitReached(EngineError):
    """A call that an episode, or a character, has no leave for any more."""

    def __init__(self, scope: str, why: str) -> None:
        super().__init__(why)
        self.scope = scope


class Interrupted(EngineError):
    """It was asked twice to stop, and stopped at once."""


class BeingPlayed(EngineError):
    """Another process plays it."""


class PlanChanged(EngineError):
    """The log holds something else than what the plan says."""


class NoPrice(EngineError):
    """A limit in money, on a model whose price nobody knows."""


class NoPlan(EngineError):
    """A world that no plan has played: there is nothing to derive or to play again."""


class BadQuestion(EngineError):
    """What is asked of a world cannot be asked like that."""


SHARED = (
    agents.ServerUnavailable,
    agents.KeyRefused,
    eventlog.StoreUnavailable,
    eventlog.LogClosed,
    eventlog.LogInUse,
    eventlog.NewerSchema,
    eventlog.NotALog,
    eventlog.ReadOnly,
)


def concerns_all(error: Exception) -> bool:
    """Whether what one chain met every other would meet: the disk, the database, the key, a server
    that stays away. Whatever else goes wrong concerns the chain that it went wrong with."""
    return isinstance(error, SHARED)
