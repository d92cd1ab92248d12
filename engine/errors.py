"""What can keep a run from going on.

EngineError
├── Suspended     a run or one of its chains stops in order, and can go on later
├── LimitReached  a call that an episode, or a character, has no leave for any more
├── Interrupted   it was asked twice to stop, and stopped at once
├── SeatLeft      the person at the terminal has gone
├── BeingPlayed   another process plays it
├── NotRunning    nothing of that name is running here
├── StillRunning  it was asked to stop, and has not yet
├── PlanChanged   the log holds something else than what the plan says
├── OtherVersion  others play it by another version of Whoknew
├── WrongPlan     a plan of another command
├── NoPlan        a world that no plan has played
├── NoPrice       a limit in money, on a model whose price nobody knows
├── NoSuchPart    a name of a memory, a method, an agent or a judge that nobody brings
├── BrokenPart    a part that cannot be loaded, or does not take its settings
├── PromptLeaks   a prompt tells its character of what is not in its view
├── NotRemembered what a character remembers could not be written, or is not written yet
├── BadQuestion   what is asked of a world cannot be asked like that
├── BadHead       a line that is not a head as it was printed
├── NoReport      a file that should hold the report of an exam, and does not
├── ClusterFault  a cluster that is not there, or that anybody may use
└── CannotGrow    a bank that cannot be grown as was asked
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


class OtherVersion(EngineError):
    """Others play it by another version of Whoknew."""


class NoPrice(EngineError):
    """A limit in money, on a model whose price nobody knows."""


class NoPlan(EngineError):
    """A world that no plan has played: there is nothing to derive or to play again."""


class NoSuchPart(EngineError):
    """A name that no part has."""


class BrokenPart(EngineError):
    """A part that cannot be loaded, or does not take its settings."""


class BadQuestion(EngineError):
    """What is asked of a world cannot be asked like that."""


class PromptLeaks(EngineError):
    """A prompt tells its character of what is not in its view: a part that reads past it made it."""


class NotRemembered(EngineError):
    """What a character remembers could not be written, or is not written yet."""


class SeatLeft(EngineError):
    """The person at the terminal has gone: there is nothing more to read."""


class WrongPlan(EngineError):
    """A plan of another command."""


class NotRunning(EngineError):
    """Nothing of that name is running here."""


class StillRunning(EngineError):
    """It was asked to stop, and has not yet."""


class BadHead(EngineError):
    """A line that is not a head as it was printed."""


class CannotGrow(EngineError):
    """What cannot be grown."""


class ClusterFault(EngineError):
    """A cluster that is not there, or that anybody may use."""


class NoReport(EngineError):
    """A file that should hold the report of an exam, and does not."""


SHARED = (
    agents.ServerUnavailable,
    agents.KeyRefused,
    eventlog.StoreUnavailable,
    eventlog.LogClosed,
    eventlog.LogInUse,
    eventlog.NewerSchema,
    eventlog.NotALog,
    eventlog.ReadOnly,
    PromptLeaks,
    SeatLeft,
)


def concerns_all(error: Exception) -> bool:
    """Whether what one chain met every other would meet: the disk, the database, the key, a server or
    a person that stays away; and what must never happen, a prompt that leaks. Whatever else goes wrong concerns the chain that it went wrong with."""
    return isinstance(error, SHARED)
