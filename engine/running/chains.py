"""A run: many chains at once, each in a world of its own, from wherever the log stands."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Literal

from msgspec import Struct

from whoknew.agents.errors import AgentError
from whoknew.agents.methods.guarded import LineGuard
from whoknew.engine.errors import EngineError, NoPrice, PlanChanged, Suspended, concerns_all
from whoknew.engine.opening import writing
from whoknew.engine.plan.program import Chain, Program
from whoknew.engine.playing import chain
from whoknew.engine.playing.allowance import Allowance, limits_of
from whoknew.engine.playing.chain_log import ChainLog
from whoknew.engine.playing.chain_run import ChainRun
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.guard import ChainGuard, SeatGuard
from whoknew.engine.playing.ledger import Ledger
from whoknew.engine.playing.scanning import ChainScan, PromptCheck, texts_in
from whoknew.engine.playing.seeker import Seeker
from whoknew.engine.playing.state import ChainState
from whoknew.engine.registry import told
from whoknew.engine.running.fitting import fitted
from whoknew.engine.running.models import ModelPool, Person, addresses, bench, price_at
from whoknew.engine.running.progress import Progress
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.logger import logged_with, logger
from whoknew.worlds.errors import WorldError

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
    reason: str | None = None
    failed: dict[str, int] = {}
    """How often what could not be had: a call, a turn, a memory, a review."""


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
        """Whether some chain has come to an end that the same command does not mend."""
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


class Run:
    """One start of a program on an open log."""

    def __init__(
        self,
        program: Program,
        log: Log,
        wiring: ModelPool,
        progress: Progress,
        control: Control | None = None,
    ) -> None:
        """`control` is brought by whoever may have to stop it before it is open."""
        self.program, self.log, self._wiring = program, log, wiring
        self.progress = progress
        self.control = control or control_of(program, progress)
        self._stands: dict[str, ChainState] = {}
        self._ended: dict[str, ChainResult] = {}

    async def survey(self) -> None:
        """See how each world stands, before anything goes on."""
        self.program = await fitted(self.log, self.program)
        program, progress = self.program, self.progress
        there = {one.name for one in await self.log.worlds()}
        progress.chains = len(program.chains)
        for one in program.chains:
            episodes = one.count()
            progress.episodes += episodes
            stand = ChainState(one.reach)
            if one.world in there:
                stand = await chain.standing(self.log, one.world, one.setting)
                self._stands[one.world] = stand
            progress.found(one.world, stand, episodes)

    async def play(self) -> RunReport:
        """Play every chain to its end, or until the run is stopped."""
        logger().info("run.started", chains=len(self.program.chains))
        waiting = iter(self.program.chains)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self.program.at_once, len(self.program.chains))):
                    group.create_task(self._work(waiting))
        finally:
            ended = Counter(one.state for one in self._ended.values())
            logger().info("run.ended", why=self.control.reason, chains=ended)
        chains = tuple(self._ended[world] for world in self.program.worlds if world in self._ended)
        reason = self.control.reason
        return RunReport(
            self.program.log, chains, reason, None if reason else self.control.failing()
        )

    async def _work(self, waiting: Iterator[Chain]) -> None:
        for one in waiting:
            await self.chain(one)

    async def chain(self, one: Chain) -> ChainResult:
        """Play one of its chains to its end, or until the run is stopped."""
        stand = self._stands.pop(one.world, None) or ChainState(one.reach)
        with logged_with(world=one.world):
            state, reason = await self._chain(one, stand)
        self._ended[one.world] = result = _ended(one.world, state, reason, stand)
        self.progress.ended(state)
        return result

    async def _chain(self, one: Chain, stand: ChainState) -> tuple[State, str | None]:
        """Play one chain, and say how it came out. One failure stays one failure."""
        try:
            if stand.closed < one.count():
                self.control.check()  # a chain that has not begun yet is not begun any more
            await chain.play(await self._started(one, stand), one.setting, one.episodes())
        except Suspended as stopped:
            return "suspended", stopped.reason
        except PlanChanged as error:
            return "refused", str(error)
        except (EngineError, WorldError, AgentError, LogError) as error:
            if concerns_all(error):
                self.control.stop(str(error))
            return "suspended", str(error)
        except asyncio.CancelledError as error:
            if (task := asyncio.current_task()) and task.cancelling():
                raise
            return "failed", told(error)  # something in it cancelled itself
        except (Exception, SystemExit) as error:  # noqa: BLE001  (one failure stays one failure)
            logger().exception("chain.failed")
            return "failed", told(error)
        return "finished", None

    async def _started(self, one: Chain, stand: ChainState) -> ChainRun:
        rules, world = one.rules(), one.world
        allowance = Allowance(
            world=world,
            state=stand,
            limits=limits_of(self.control, rules),
            control=self.control,
        )
        guard = await ChainGuard.of(self.log, world) if one.is_guarded else None
        scan = await ChainScan.of(self.log, world) if rules.scan_prompts else None
        progress = self.progress.watcher(world)
        listeners = [one for one in (guard, scan) if one is not None]

        def watch(draft: Event | Draft) -> None:
            progress(draft)
            for listener in listeners:
                listener.take(stand.head, draft)

        log = ChainLog(
            log=self.log,
            world=world,
            state=stand,
            allowance=allowance,
            watch=watch,
            seeker=await Seeker.of(self.log, world) if rules.tellings else None,
        )
        check = prompt_check(one, stand, scan) if scan else None
        ledger = Ledger(log, allowance, keep_prompts=rules.keep_prompts, check=check)
        voice = await self._wiring.voices(one, ledger)

        def guards(who: str, sure: float) -> LineGuard:
            assert guard is not None, "a seat says so"
            return SeatGuard(who, sure, guard, ledger)

        return ChainRun(
            rules=rules,
            log=log,
            allowance=allowance,
            ledger=ledger,
            agents=self._wiring.agents(one, voice, guards),
            panel=bench(one, voice),
        )


def prompt_check(one: Chain, stand: ChainState, scan: ChainScan) -> PromptCheck:
    """The check of a chain's prompts: what a plan gives to a part, that part may say."""
    seat = one.plan.seat

    def parts(who: str) -> str:
        return f"the memory {seat(who).memory!r} and the method {seat(who).method!r}"

    return PromptCheck(
        state=stand,
        scan=scan,
        share=one.plan.scan_prompts,
        parts=parts,
        known=lambda who: texts_in(seat(who).settings),
    )


def control_of(program: Program, progress: Progress) -> Control:
    return Control(program.limit, progress.spent, may_fail=program.may_fail)


@asynccontextmanager
async def open_run(
    program: Program,
    person: Person | None = None,
    progress: Progress | None = None,
    control: Control | None = None,
) -> AsyncIterator[Run]:
    """A run of a program, with its log and its models open."""
    async with ModelPool(program.chains, person) as wiring, writing(program.log) as opened:
        check_prices(program)
        yield Run(program, opened, wiring, progress or Progress(), control)


def check_prices(program: Program) -> None:
    """A limit in money needs prices: without one it would never be reached."""
    whole = ["run"] if program.limit.money is not None else []
    for one in program.chains:
        limits = one.plan.limits.items()
        scopes = [*whole, *(scope for scope, limit in limits if limit.money is not None)]
        for address in addresses(one) if scopes else ():
            if price_at(one.plan, address) is None:
                raise NoPrice(
                    f"limits.{scopes[0]}.money is set, but the price of {address} is not known: "
                    f'give price_in and price_out under [models."{address}"]'
                )


def _ended(world: str, state: State, reason: str | None, stand: ChainState) -> ChainResult:
    tally, spent = stand.tally, stand.spent
    money = None if tally.money is None else round(tally.money, 6)
    return ChainResult(
        world=world,
        state=state,
        episodes=tally.closed,
        turns=tally.turns,
        calls=spent.calls,
        tokens=spent.tokens,
        money=money,
        reason=reason,
        failed=dict(tally.failed),
    )
