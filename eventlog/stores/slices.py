"""Limits that several processes keep together: each is granted slices of what is left.

What a chain has used of a budget, and what is set aside for its next calls, stands beside its lease, and
only who holds that may say it. So of what a dead process was granted all comes back that nothing covers,
when its chain is taken over; and nobody is granted what another may be using.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

import msgspec
from msgspec import Struct

from whoknew.eventlog.stores import postgres_slices as sql


class Amount(Struct, frozen=True):
    """Calls, tokens, and money in billionths."""

    calls: int = 0
    tokens: int = 0
    money: int = 0

    def __add__(self, other: Amount) -> Amount:
        money = self.money + other.money
        return Amount(self.calls + other.calls, self.tokens + other.tokens, money)

    def times(self, number: int) -> Amount:
        return Amount(number * self.calls, number * self.tokens, number * self.money)

    def fits(self, most: Amount) -> bool:
        return self.calls <= most.calls and self.tokens <= most.tokens and self.money <= most.money


NOTHING = Amount()

AmountLimit = tuple[int | None, int | None, int | None]
"""The most of calls, tokens and money, where there is a limit to them."""


class SliceAsked(Struct, frozen=True):
    """A world with what it has `used`, what is `under` way, and what it needs for one more call."""

    world: str
    used: Amount
    under: Amount = NOTHING
    need: Amount = NOTHING


class Granted(Struct, frozen=True):
    """For how many calls each world has room now, of those whose leases are the asker's; what all of
    a scope have used, and whether anything is still set aside for some that are being played."""

    times: dict[str, int]
    used: Amount
    under_way: bool


class Slices:
    """Limits as the store keeps them for all processes."""

    def __init__(
        self, fetch: Callable[..., Awaitable[list[Any]]], epochs: Mapping[str, int]
    ) -> None:
        """`epochs` are those of the worlds that this process holds."""
        self._fetch, self._epochs = fetch, epochs
        self._holder = uuid4().hex

    async def known(self, scope: str, used: Iterable[tuple[str, Amount]]) -> None:
        """Worlds have used so much at least, whoever plays them."""
        rows = [{"world": world, **_columns(amount)} for world, amount in used]
        await self._fetch(sql.SLICE, scope, _json(rows), None, None, None)

    async def grant(self, scope: str, asked: Sequence[SliceAsked], most: AmountLimit) -> Granted:
        """Say how worlds stand that this process holds, and be granted what they need."""
        rows = [
            {
                "world": one.world,
                "epoch": self._epochs.get(one.world, 0),
                **_columns(one.used),
                **_columns(one.under, "under_"),
                **_columns(one.need, "need_"),
            }
            for one in asked
        ]
        *worlds, total = await self._fetch(sql.SLICE, scope, _json(rows), *most)
        _, _, *used, under_way = total
        return Granted(
            {row[0]: row[1] for row in worlds}, Amount(*(int(x or 0) for x in used)), under_way
        )

    async def draw(self, name: str, per_minute: float, wanted: float) -> float:
        """So much of what is wanted as there is now, of so much a minute; less than nothing is given
        back."""
        rows = await self._fetch(sql.DRAW, name, float(per_minute), float(wanted))
        return float(rows[0][0])

    async def seat(
        self,
        name: str,
        most: int,
        *,
        taken: int,
        wanted: int,
        seconds: float,
        leaving: bool = False,
    ) -> tuple[int, bool]:
        """How many calls of a model this process may have under way, for so many seconds; and whether
        others wait to make one."""
        lasts = timedelta(seconds=seconds)
        holds = taken, wanted, leaving, lasts
        rows = await self._fetch(sql.SEAT, name, self._holder, most, *holds)
        return rows[0][0], rows[0][1]


def _columns(amount: Amount, prefix: str = "") -> dict[str, int]:
    return {f"{prefix}{name}": number for name, number in msgspec.to_builtins(amount).items()}


def _json(rows: Sequence[object]) -> str:
    return msgspec.json.encode(rows).decode()
