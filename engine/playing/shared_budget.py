"""The limit of a run that several processes keep together: what is left of it is granted to each chain in
slices, so that most calls ask nobody, and none is made that the limit has no room for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from math import ceil

from whoknew.engine.plan.plan import Limit
from whoknew.engine.playing.spent import NO_COST, Cost, Spent
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.logger import logger
from whoknew.eventlog.stores.slices import NOTHING, Amount, Granted, SliceAsked, Slices

BILLION = 10**9


class SharedBudget:
    """What the chains of one run may spend, whoever plays them."""

    def __init__(self, slices: Slices, scope: str, limit: Limit) -> None:
        self._slices, self._scope, self.limit = slices, scope, limit
        money = None if limit.money is None else round(limit.money * BILLION)
        self._most = limit.calls, limit.tokens, money
        self._spent: dict[str, Spent] = {}
        self._lost: dict[str, Cost] = {}
        self._ceilings: dict[str, Amount] = {}
        """Of each chain that is played here what it may come to, by what was granted."""
        self._one_by_one = asyncio.Lock()
        self._round = _Round()

    async def known(self, used: Iterable[tuple[str, Spent]]) -> None:
        """Chains have spent so much at least."""
        await self._slices.known(self._scope, [(world, _amount(spent)) for world, spent in used])

    def begin(self, world: str, lost: Cost) -> None:
        """A chain is played here from now on; so much may have been paid for by those who died at it."""
        self._lost[world] = lost

    def covers(self, world: str, spent: Spent, cost: Cost) -> bool:
        """Whether a chain that has spent so much has been granted enough for one more call."""
        self._spent[world] = spent
        taken = self._used(world) + _cost(spent.under_way) + _cost(cost)
        ceiling = self._ceilings.get(world)
        return ceiling is not None and self._limited(taken).fits(ceiling)

    async def ask(self, world: str, cost: Cost) -> NotGranted | None:
        """Ask for one more call of a chain. Why there is no room for it, where there is none: others
        ask at the same time, and some may be done soon."""
        now = self._round
        now.needs[world] = _larger(now.needs.get(world, NOTHING), self._limited(_cost(cost)))
        async with self._one_by_one:
            if now.granted is None:
                self._round = _Round()
                now.granted = await self._send(now.needs)
        times = now.granted.times.get(world)
        if times:
            return None
        if times is None:
            return NotGranted(f"{world!r} is played by another process by now", final=False)
        used = now.granted.used
        spent = Spent(calls=used.calls, tokens=used.tokens, money=used.money / BILLION)
        return NotGranted(spent.forbids(self.limit, cost) or "", final=not now.granted.under_way)

    async def give_back(self, *worlds: str) -> None:
        """Set nothing aside any more but what is under way: for chains that are over, or else for all."""
        async with self._one_by_one:
            if given := self._ceilings.keys() & (worlds or self._ceilings):
                await self._send(dict.fromkeys(given, NOTHING))
        for world in worlds:
            self._ceilings.pop(world, None)
            self._spent.pop(world, None)
            self._lost.pop(world, None)

    async def beat(self, seconds: float) -> None:
        """Give back now and then what nobody has used, for ever: others may wait for it."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.give_back()
            except LogError as error:
                logger().warning("slices.kept", why=str(error))

    async def _send(self, needs: dict[str, Amount]) -> Granted:
        """What was granted and not used goes back as more is asked for."""
        asked = []
        for world, need in needs.items():
            if (spent := self._spent.get(world)) is None:
                continue  # it is over meanwhile
            used, under = self._limited(self._used(world)), self._limited(_cost(spent.under_way))
            self._ceilings[world] = used + under
            asked.append(SliceAsked(world, used, under, need))
        granted = await self._slices.grant(self._scope, asked, self._most)
        for one in asked:
            more = one.need.times(granted.times.get(one.world, 0))
            self._ceilings[one.world] += more
        return granted

    def _used(self, world: str) -> Amount:
        return _amount(self._spent[world]) + _cost(self._lost.get(world, NO_COST))

    def _limited(self, amount: Amount) -> Amount:
        """Only what there is a limit to counts."""
        _, tokens, money = self._most
        return Amount(
            amount.calls,
            0 if tokens is None else amount.tokens,
            0 if money is None else amount.money,
        )


class NotGranted:
    """Why one more call is not granted; `final` where nothing is under way that could leave room."""

    def __init__(self, why: str, *, final: bool) -> None:
        self.why, self.final = why, final


class _Round:
    """What is asked in one statement, for all chains that need it at once."""

    def __init__(self) -> None:
        self.needs: dict[str, Amount] = {}
        self.granted: Granted | None = None


def _amount(spent: Spent) -> Amount:
    return Amount(spent.calls, spent.tokens, round(spent.money * BILLION))


def _cost(cost: Cost) -> Amount:
    return Amount(cost.calls, cost.tokens, ceil(cost.money * BILLION))


def _larger(one: Amount, two: Amount) -> Amount:
    return Amount(max(one.calls, two.calls), max(one.tokens, two.tokens), max(one.money, two.money))
