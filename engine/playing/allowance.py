"""What a chain may still do: each turn and each call asks for leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NoReturn

from whoknew.agents.models.model import EMBED, Request, prompt_tokens
from whoknew.agents.models.prices import Price
from whoknew.engine.errors import LimitReached, Suspended
from whoknew.engine.plan.plan import NO_LIMIT, Limit, Scope
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.engine.playing.control import LOOK, Control, Flight, at_limit
from whoknew.engine.playing.spent import NO_COST, Cost, Spent
from whoknew.engine.playing.state import ChainState
from whoknew.eventlog.machinery import CallStarted

SetAside = tuple[list[Spent], Cost]
"""What a call may take, and of what."""

NOTHING: SetAside = [], NO_COST

ScopeLimits = Mapping[Scope, Limit]
"""What a plan sets a limit to, and which."""


def limits_of(control: Control, rules: PlayRules) -> ScopeLimits:
    """The limits of a run and of a chain in it."""
    limits: dict[Scope, Limit] = {
        "run": control.limit,
        "chain": rules.chain,
        "episode": rules.episode,
        "character": rules.character,
    }
    return {scope: limit for scope, limit in limits.items() if limit != NO_LIMIT}


class Allowance:
    """The limits of a plan, measured on how its chain stands; `control` can stop all of the run."""

    def __init__(
        self,
        *,
        world: str,
        state: ChainState,
        limits: ScopeLimits,
        control: Control,
        lease: str | None = None,
    ) -> None:
        """What is lost to another process is the `lease` of its world, or of a part of it."""
        self._lease = lease or world
        self._world, self._state, self._control = world, state, control
        self._limits = limits
        self._chain, self._episode = limits.get("chain"), limits.get("episode")
        self._character = limits.get("character")
        self._answered: list[SetAside] = []
        """What is set aside for calls that are answered, until they are on the log."""
        self._nothing = Writing(control, ())

    def check(self) -> None:
        """A moment at which a run can stop: between two turns, and before each call."""
        self._control.check()
        if self._control.lost and (lost := self._control.lost.get(self._lease)):
            raise lost
        if self._chain and (reached := self._state.spent.over(self._chain)):
            raise Suspended(at_limit("chain", reached))

    async def going_on(self) -> None:
        """Wait for as long as its run is paused, and then `check`."""
        if self._control.paused:
            await self._control.going_on(self._lease)
        self.check()

    async def leave(
        self, who: str, model: str, price: Price | None, request: Request, *, acting: bool
    ) -> Leave:
        """Leave for one call, which is made within it: `acting` is of a character in its turn."""
        self.check()
        aside = NOTHING
        scopes = self._scopes(who, acting=acting) if self._limits else []
        if scopes or self._control.budget:
            cost = _cost(request, price, self._control.spent.largest)
            await self._room(scopes, cost)
            aside = self._aside(scopes), cost
        flight = Flight(self._world, who, model, datetime.now(UTC))
        return Leave(self._control, flight, aside, self._answered)

    def started(
        self, model: str, price: Price | None, request: Request, key: str = ""
    ) -> CallStarted:
        """That a call is about to be made, and what it may take at most: in an exam of what has a `key`."""
        cost = _cost(request, price, self._control.spent.largest)
        return CallStarted(
            purpose=request.purpose,
            model=model,
            digest=request.digest,
            tokens=cost.tokens,
            money=cost.money if price else None,
            key=key,
            lease=self._lease if key else "",
        )

    def writing(self) -> Writing:
        """An append of all that is answered, after which it counts as what is on the log."""
        if not self._answered:
            return self._nothing
        answered = self._answered.copy()
        self._answered.clear()
        return Writing(self._control, answered)

    def count(self, what: str, tried: int, failed: int) -> None:
        """How much of what was tried could not be had: where it is too much, the run stops."""
        self._control.count(what, tried, failed)

    def episode_limit(self) -> str | None:
        """Why the episode in hand must end, where its limit is reached."""
        limit = self._episode
        return self._state.episode_spent.over(limit) if limit else None

    def character_limit(self, who: str) -> str | None:
        limit = self._character
        spent = self._state.spent_by.get(who) if limit else None
        return spent.over(limit) if limit and spent else None

    def _scopes(self, who: str, *, acting: bool) -> list[tuple[Scope, Limit, Spent]]:
        """What a call counts for, where there is a limit. To remember and to judge is left to whoever
        is at one."""
        return [
            (scope, limit, self._spent(scope, who))
            for scope, limit in self._limits.items()
            if acting or scope in ("run", "chain")
            if scope != "run" or self._control.budget is None
        ]

    def _aside(self, scopes: Sequence[tuple[Scope, Limit, Spent]]) -> list[Spent]:
        """What a call is set aside of. Of a budget that processes share a chain has slices of its
        own."""
        spents = [spent for _, _, spent in scopes]
        if self._control.budget and not any(one is self._state.spent for one in spents):
            spents.append(self._state.spent)
        return spents

    def _spent(self, scope: Scope, who: str) -> Spent:
        match scope:
            case "run":
                return self._control.spent
            case "chain":
                return self._state.spent
            case "episode":
                return self._state.episode_spent
            case "character":
                return self._state.spent_by[who]

    async def _room(self, scopes: Sequence[tuple[Scope, Limit, Spent]], cost: Cost) -> None:
        """Room for one more call: where those in flight may take what is left, wait for what they
        take."""
        while True:
            refused: list[tuple[Scope, Spent, str]] = [
                (scope, spent, why)
                for scope, limit, spent in scopes
                if (why := spent.forbids(limit, cost))
            ]
            if not refused:
                if await self._is_granted(cost):
                    return
                continue
            scope, spent, why = refused[0]
            if spent.under_way.calls == 0:
                self._refuse(scope, why)
            await self._control.landing()
            self.check()

    async def _is_granted(self, cost: Cost) -> bool:
        """Whether the budget that processes share has room for one more call: where not, it has been
        asked, or waited for a while."""
        budget = self._control.budget
        if budget is None or budget.covers(self._lease, self._state.spent, cost):
            return True
        if refusal := await budget.ask(self._lease, cost):
            if refusal.final:
                self._refuse("run", refusal.why)
            await self._control.pause(LOOK)
        self.check()
        return False

    def _refuse(self, scope: Scope, why: str) -> NoReturn:
        if scope in ("episode", "character"):
            raise LimitReached(scope, why)
        if scope == "run":
            self._control.stop(at_limit("run", why))
            self._control.check()
        raise Suspended(at_limit("chain", why))


class Leave:
    """Leave for one call, which is made while it is entered. What it may take is set aside from then on
    until it is on the log."""

    def __init__(
        self, control: Control, flight: Flight, aside: SetAside, answered: list[SetAside]
    ) -> None:
        self._control, self._flight = control, flight
        self._aside, self._answered = aside, answered

    def __enter__(self) -> None:
        spents, cost = self._aside
        for spent in spents:
            spent.under_way += cost
        self._control.flights.add(self._flight)

    def __exit__(self, *error: object) -> None:
        self._control.flights.remove(self._flight)
        if self._aside is not NOTHING:
            self._answered.append(self._aside)


class Writing:
    """An append of what was answered. Once it is over, however that went, nothing is set aside for it
    any more."""

    def __init__(self, control: Control, answered: Sequence[SetAside]) -> None:
        self._control, self._answered = control, answered

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        for spents, cost in self._answered:
            for spent in spents:
                spent.under_way -= cost
        if self._answered:
            self._control.landed()


def _cost(request: Request, price: Price | None, largest: int) -> Cost:
    """What one more call may take: its prompt by our own count, and a reply as long as it may be, or
    where that is not said as long as the largest so far."""
    prompt, reply = prompt_tokens(request), request.sampling.max_tokens or largest
    if request.purpose == EMBED:
        reply = 0  # vectors are not made of tokens
    money = price.money(prompt, reply) if price else None
    return Cost(1, prompt + reply, money or 0.0)
