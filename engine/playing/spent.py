"""What calls have used up of a budget, and what they may: a fold of the calls on the log."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING

from msgspec import Struct

from whoknew.eventlog.kinds import Called

if TYPE_CHECKING:  # whoever only looks at a world needs no plan
    from whoknew.engine.plan.plan import Limit


class Cost(Struct, frozen=True):
    """What calls that are not on the log yet may take."""

    calls: int = 0
    tokens: int = 0
    money: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        money = self.money + other.money
        return Cost(self.calls + other.calls, self.tokens + other.tokens, money)

    def __sub__(self, other: Cost) -> Cost:
        money = self.money - other.money if self.calls > other.calls else 0.0
        return Cost(self.calls - other.calls, self.tokens - other.tokens, money)


NO_COST = Cost()


class Spent(Struct):
    """`unpriced` calls cost something that nobody knows."""

    calls: int = 0
    tokens: int = 0
    money: float = 0.0
    seconds: float = 0.0
    unpriced: int = 0
    largest: int = 0
    """The tokens of the largest reply."""
    under_way: Cost = NO_COST
    """What is set aside for calls that are not on the log yet, so that no limit is passed."""

    def add(self, called: Called) -> None:
        if called.answered_by:
            return
        reply = called.tokens_out or 0
        self.calls += 1
        self.tokens += (called.tokens_in or 0) + reply
        if reply > self.largest:  # noqa: PLR1730  (max takes longer than all the rest)
            self.largest = reply
        self.seconds += called.seconds or 0.0
        if called.money is not None:
            self.money += called.money
        else:
            self.unpriced += 1

    @property
    def dollars(self) -> float | None:
        """As a report has it; None where some of it is not known."""
        return None if self.unpriced else round(self.money, 6)

    def join(self, other: Spent) -> None:
        if not other.calls:
            return
        self.calls += other.calls
        self.tokens += other.tokens
        self.money += other.money
        self.seconds += other.seconds
        self.unpriced += other.unpriced
        self.largest = max(self.largest, other.largest)

    def since(self, before: Spent) -> Spent:
        """What was spent since so much was."""
        return Spent(
            calls=self.calls - before.calls,
            tokens=self.tokens - before.tokens,
            money=self.money - before.money,
            seconds=self.seconds - before.seconds,
            unpriced=self.unpriced - before.unpriced,
            largest=self.largest,
        )

    def forbids(self, limit: Limit, cost: Cost) -> str | None:
        """Which limit one more call could pass, in words."""
        taken = self.under_way + cost
        if limit.calls is not None and self.calls + taken.calls > limit.calls:
            return f"{self.calls} of {limit.calls} calls made"
        if limit.tokens is not None and self.tokens + taken.tokens > limit.tokens:
            used = f"{self.tokens:,} of {limit.tokens:,} tokens used"
            return f"{used}, and the next call may take {cost.tokens:,}"
        if limit.money is not None and self.money + taken.money > limit.money:
            used = f"{dollars(self.money, limit.money)} of {dollars(limit.money)} spent"
            return f"{used}, and the next call may cost {dollars(cost.money)}"
        return None

    def over(self, limit: Limit, *, waited: bool = True) -> str | None:
        """Which limit is reached, in words; `waited` counts the time that calls took, too."""
        if limit.calls is not None and self.calls >= limit.calls:
            return f"{self.calls} of {limit.calls} calls made"
        if limit.tokens is not None and self.tokens >= limit.tokens:
            used = f"{self.tokens:,} of {limit.tokens:,} tokens used"
            return used + (BEYOND if self.tokens > limit.tokens else "")
        if limit.money is not None and self.money >= limit.money:
            used = f"{dollars(self.money, limit.money)} of {dollars(limit.money)} spent"
            return used + (BEYOND if self.money > limit.money else "")
        if waited and limit.minutes is not None and self.seconds >= 60 * limit.minutes:
            return f"{self.seconds / 60:.1f} of {limit.minutes:g} minutes waited for models"
        return None


AT_EPISODES = "the limit of an episode is reached: "
"""So begins why an episode ended, where it is that."""


def at_characters(who: str) -> str:
    """So begins why a turn of somebody was passed over, where it is that."""
    return f"{who}'s limit is reached: "


BEYOND = ": servers billed more than could be set aside"
"""A prompt is counted by ourselves, and a reply may have been the largest."""

DIGITS = 9
"""A token costs no smaller part of a dollar."""


def dollars(amount: float, beside: float | None = None) -> str:
    """Cents at least; of less than that two digits that say something, and as many more as tell an
    amount from what stands beside it."""
    places = 2 if amount == 0 else min(DIGITS, max(2, 1 - floor(log10(abs(amount)))))
    if beside is not None and amount != beside:
        while places < DIGITS and round(amount, places) == round(beside, places):
            places += 1
    whole, _, part = f"{amount:,.{places}f}".partition(".")
    return f"${whole}.{part.rstrip('0'):0<2}"
