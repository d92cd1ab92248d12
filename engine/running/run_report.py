"""What came of a run, chain by chain."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from whoknew.engine.plan.plan import Scope
from whoknew.engine.playing.state import ChainState

State = Literal["finished", "suspended", "refused", "failed"]


class ChainResult(Struct, frozen=True, kw_only=True):
    """How one chain came out of a run: it is over, can go on, cannot by this plan, or met a fault of
    ours."""

    world: str
    state: State
    episodes: int
    turns: int
    calls: int
    tokens: int
    money: float | None
    priced_money: float
    """What those of its calls cost whose price is known; all of them, where `money` is."""
    reason: str | None = None
    failed: dict[str, int] = {}
    """How often what could not be had: a call, a turn, a memory, a review."""
    at_limits: dict[Scope, int] = {}
    """How many episodes ended, and how many turns were passed over, at a limit of theirs."""
    unanswered: int = 0
    """Calls that were started and have no answer on the log: they may have been paid for, too."""
    unanswered_money: float = 0.0
    """What those may have cost at most."""


class RunReport(Struct, frozen=True):
    """What came of a run. `reason` says why it stopped before its end, `failing` what failed more
    often than it may though it came to its end."""

    log: str
    chains: tuple[ChainResult, ...]
    reason: str | None = None
    failing: str | None = None

    @property
    def finished(self) -> bool:
        return all(one.state == "finished" for one in self.chains) and not self.reason

    @property
    def failed(self) -> bool:
        """Whether some chain broke off by a fault, or could not be played."""
        return any(one.state in ("refused", "failed") for one in self.chains)

    @property
    def goes_on(self) -> bool:
        """Whether the same command, given again, has something to go on with."""
        return any(one.state in ("suspended", "failed") for one in self.chains)

    @property
    def code(self) -> int:
        """How a command ends that has played it."""
        if self.failed or (self.finished and self.failing):
            return 1
        return 0 if self.finished else 3


def ended(world: str, state: State, reason: str | None, stand: ChainState) -> ChainResult:
    tally, spent = stand.tally, stand.spent
    return ChainResult(
        world=world,
        state=state,
        episodes=tally.closed,
        turns=tally.turns,
        calls=spent.calls,
        tokens=spent.tokens,
        money=spent.dollars,
        priced_money=round(spent.money, 6),
        reason=reason,
        failed=dict(tally.failed),
        at_limits={scope: count for scope, count in tally.at_limits.items() if count},
        unanswered=tally.unanswered.calls,
        unanswered_money=round(tally.unanswered.money, 6),
    )
