"""Those who play one world, and what they play by: all that an episode needs of its chain."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import NoReturn

from whoknew.agents.agent import Agent
from whoknew.agents.models.model import Request
from whoknew.agents.models.prices import Price
from whoknew.engine.errors import BeingPlayed, LimitReached, Suspended
from whoknew.engine.plan.plan import Limit, Scope
from whoknew.engine.plan.rules import PlayRules
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.ledger import Ledger
from whoknew.engine.playing.panel import Panel
from whoknew.engine.playing.spent import Cost, Spent
from whoknew.engine.playing.state import ChainState
from whoknew.eventlog import Draft, Event, Log, exactly
from whoknew.eventlog.errors import Conflict

ACTING = ("act", "think")
"""What a call is for that decides upon an action."""


class ChainRun:
    """`control` can stop all of the run; `watch` hears of every event that goes in."""

    def __init__(
        self,
        *,
        log: Log,
        world: str,
        rules: PlayRules,
        standing: ChainState,
        control: Control,
        watch: Callable[[Event | Draft], None],
    ) -> None:
        self.log, self.world, self.rules, self.standing = log, world, rules, standing
        self._control, self._watch = control, watch
        self.agents: Mapping[str, Agent] = {}
        self.bench: Panel | None = None
        self.ledger = Ledger(self.append, self._calling, keep_prompts=rules.keep_prompts)
        self.ledger.resume(standing.pending)
        self._answered: list[tuple[list[Spent], Cost]] = []
        """What is set aside for calls that are answered, until they are on the log."""

    async def append(self, drafts: Sequence[Draft]) -> None:
        """Append what happens next. Nobody else writes this world meanwhile."""
        head = self.standing.head
        answered, self._answered = self._answered, []
        self.standing.go_on(drafts)
        try:
            await self.log.append(self.world, drafts, expect=exactly(head))
        except Conflict as error:
            raise BeingPlayed(
                f"{self.world!r} is written to by somebody else, too: #{head} was its newest "
                f"event when this turn began, and #{error.actual} is now. Let one process play it: "
                "nothing that is on the log is lost"
            ) from error
        else:
            for draft in drafts:
                self._watch(draft)
        finally:
            self._give_back(answered)

    @asynccontextmanager
    async def _calling(
        self, who: str, model: str, price: Price | None, request: Request
    ) -> AsyncIterator[None]:
        """One call, for which there must be leave. What it may take is set aside from when it is
        made until it is on the log."""
        cost = self._control.spent.cost(request, price)
        scopes = self._scopes(who, request)
        await self._leave(scopes, cost)
        spents = [spent for _, _, spent in scopes]
        for spent in spents:
            spent.under_way += cost
        try:
            with self._control.flying(self.world, who, model):
                yield
        finally:
            self._answered.append((spents, cost))

    def _scopes(self, who: str, request: Request) -> list[tuple[Scope, Limit, Spent]]:
        """What a call counts for. To remember and to judge is left to whoever is at a limit."""
        stand, rules = self.standing, self.rules
        scopes: list[tuple[Scope, Limit, Spent]] = [
            ("run", self._control.limit, self._control.spent),
            ("chain", rules.chain, stand.spent),
        ]
        if request.purpose in ACTING:
            own = stand.spent_by.setdefault(who, Spent())
            scopes += [
                ("episode", rules.episode, stand.episode_spent),
                ("character", rules.character, own),
            ]
        return scopes

    async def _leave(self, scopes: Sequence[tuple[Scope, Limit, Spent]], cost: Cost) -> None:
        """Leave to call: where those in flight may take what is left, wait for what they take."""
        while True:
            self.pause()
            refused = [
                (scope, spent, why)
                for scope, limit, spent in scopes
                if (why := spent.forbids(limit, cost))
            ]
            if not refused:
                return
            scope, spent, why = refused[0]
            if spent.under_way.calls == 0:
                self._refuse(scope, why)
            await self._control.landing()

    def _refuse(self, scope: Scope, why: str) -> NoReturn:
        if scope in ("episode", "character"):
            raise LimitReached(scope, why)
        if scope == "run":
            self._control.stop(f"the limit of the run is reached: {why}")
            self._control.check()
        raise Suspended(f"the limit of a chain is reached: {why}")

    def _give_back(self, answered: Sequence[tuple[Sequence[Spent], Cost]]) -> None:
        for spents, cost in answered:
            for spent in spents:
                spent.under_way -= cost
        if answered:
            self._control.landed()

    def count(self, what: str, tried: int, failed: int) -> None:
        """How much of what was tried could not be had: where it is too much, the run stops."""
        self._control.count(what, tried, failed)

    def pause(self) -> None:
        """A moment at which a run can stop: between two turns, and before each call."""
        self._control.check()
        if reached := self.standing.spent.over(self.rules.chain):
            raise Suspended(f"the limit of a chain is reached: {reached}")

    def episode_limit(self) -> str | None:
        """Why the episode in hand must end, where its limit is reached."""
        return self.standing.episode_spent.over(self.rules.episode)

    def character_limit(self, who: str) -> str | None:
        spent = self.standing.spent_by.get(who)
        return spent.over(self.rules.character) if spent else None
