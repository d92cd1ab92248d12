"""What calls have used up, and what they may: a fold of the calls on the log."""

from __future__ import annotations

from msgspec import Struct

from whoknew.engine.plan.plan import Limit
from whoknew.eventlog.kinds import Called


class Spent(Struct):
    """`unpriced` calls cost something that nobody knows."""

    calls: int = 0
    tokens: int = 0
    money: float = 0.0
    seconds: float = 0.0
    unpriced: int = 0
    under_way: int = 0
    """Calls that are not answered yet: they count, so that a limit of calls is never passed."""

    def add(self, called: Called) -> None:
        self.calls += 1
        self.tokens += (called.tokens_in or 0) + (called.tokens_out or 0)
        self.seconds += called.seconds or 0.0
        if called.money is not None:
            self.money += called.money
        elif called.reply is not None:
            self.unpriced += 1

    def join(self, other: Spent) -> None:
        self.calls += other.calls
        self.tokens += other.tokens
        self.money += other.money
        self.seconds += other.seconds
        self.unpriced += other.unpriced

    def over(self, limit: Limit, *, waited: bool = True) -> str | None:
        """Which limit is reached, in words; `waited` counts the time that calls took, too."""
        if limit.calls is not None and self.calls + self.under_way >= limit.calls:
            return f"{self.calls + self.under_way} of {limit.calls} calls made"
        if limit.tokens is not None and self.tokens >= limit.tokens:
            return f"{self.tokens:,} of {limit.tokens:,} tokens used"
        if limit.money is not None and self.money >= limit.money:
            return f"${self.money:.2f} of ${limit.money:.2f} spent"
        if waited and limit.minutes is not None and self.seconds >= 60 * limit.minutes:
            return f"{self.seconds / 60:.1f} of {limit.minutes:g} minutes waited for models"
        return None
