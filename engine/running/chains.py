"""A run: many chains at once, each in a world of its own, from wherever the log stands."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from msgspec.structs import replace

from whoknew.agents.errors import AgentError
from whoknew.agents.methods.guarded import LineGuard
from whoknew.engine.errors import EngineError, NoPrice, PlanChanged, Suspended, concerns_all
from whoknew.engine.opening import writing
from whoknew.engine.part_code import told
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
from whoknew.engine.running.fitting import fitted, parted_by
from whoknew.engine.running.free_chains import FreeChains, holder, waiting_for
from whoknew.engine.running.models import ModelPool, Person, addresses, bench, price_at
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.run_report import ChainResult, RunReport, State, ended
from whoknew.engine.running.sharing import SharedPlan, Sharing
from whoknew.eventlog import Event, Log
from whoknew.eventlog.errors import LeaseLost, LogError
from whoknew.eventlog.logger import logged_with, logger
from whoknew.eventlog.shown_address import without_password
from whoknew.eventlog.stores.store import Segment
from whoknew.worlds.errors import WorldError


class Run:
    """One start of a program on an open log."""

    def __init__(
        self,
        program: Program,
        log: Log,
        wiring: ModelPool,
        progress: Progress,
        control: Control | None = None,
        *,
        seats: tuple[str, ...] = (),
    ) -> None:
        """`control` is brought by whoever may have to stop it before it is open; `seats` are those that
        people take at a server."""
        self.program, self.log, self._wiring = program, log, wiring
        self.progress = progress
        self.control = control or control_of(program, progress)
        self._seats = seats
        self._stands: dict[str, ChainState] = {}
        self._ended: dict[str, ChainResult] = {}
        self._unplayable: dict[str, Exception] = {}
        """Those that others have ended in a way that this one cannot take in."""
        self._sharing: Sharing | None = None
        """What it has in common with others that play its chains."""

    def share(self, sharing: Sharing) -> None:
        """Play beside others, one by one, what whoever asks for it shares with them."""
        self._sharing = sharing

    async def survey(self) -> None:
        """See how each world stands, before anything goes on."""
        self.program = await fitted(self.log, self.program)
        program, progress = self.program, self.progress
        settings = {one.world: one.setting for one in program.chains}
        self._stands = await chain.stands(self.log, settings)
        progress.chains = len(program.chains)
        for one in program.chains:
            episodes = one.count()
            progress.episodes += episodes
            stand = self._stands.get(one.world) or ChainState(one.reach)
            progress.found(one.world, stand, episodes)

    async def play(self) -> RunReport:
        """Play every chain to its end, or until the run is stopped."""
        logger().info("run.started", chains=len(self.program.chains))
        leases = self.log.store.leases
        if leases is not None:
            limits = self._wiring.shared
            shared = replace(SharedPlan.of(self.program), seats=self._seats)
            self._sharing = Sharing(leases, shared, self.control, limits)
            await self._sharing.begin((name, one.spent) for name, one in self._stands.items())
        chains = {one.world: one for one in self.program.chains}
        free = FreeChains(
            chains,
            over=self._over(),
            see=lambda worlds: self._see([chains[one] for one in worlds]),
            about_to_begin=self.log.expect_new,
            control=self.control,
            leases=leases,
            progress=self.progress,
        )
        who = {"worker": holder()} if leases else {}
        try:
            with logged_with(**who), waiting_for(leases, self.control):
                async with asyncio.TaskGroup() as group:
                    beating = [group.create_task(one) for one in self._beats(free)]
                    try:
                        await self._work_all(free, chains)
                    finally:
                        for one in beating:
                            one.cancel()
        finally:
            if self._sharing is not None:
                await self._sharing.end()
            ended = Counter(one.state for one in self._ended.values())
            logger().info("run.ended", why=self.control.reason, chains=ended)
        results = tuple(self._ended[world] for world in chains if world in self._ended)
        reason = self.control.reason
        return RunReport(
            without_password(self.program.log),
            results,
            reason,
            None if reason else self.control.failing(),
        )

    def _beats(self, free: FreeChains) -> Iterator[Coroutine[Any, Any, None]]:
        if self._sharing is not None:
            yield free.beat()
            yield from self._sharing.beats(free.heartbeat)

    def _over(self) -> list[str]:
        """Those that were found played to their end."""
        return [one.world for one in self.program.chains if self.is_over(one)]

    def is_over(self, one: Chain) -> bool:
        """Whether a chain was seen at its end."""
        stand = self._stands.get(one.world)
        return stand is not None and stand.closed >= one.count()

    @property
    def all_over(self) -> bool:
        return all(map(self.is_over, self.program.chains))

    @property
    def done(self) -> int:
        """How many turns were had, by all who play it, as far as was seen."""
        return self.progress.tally.turns

    def stand(self, one: Chain) -> ChainState:
        """How a chain stood when it was seen last."""
        return self._stands.setdefault(one.world, ChainState(one.reach))

    async def look(self) -> None:
        """See how far others are with its chains."""
        were_over = sum(map(self.is_over, self.program.chains))
        wrong = await self._read_newer(self.program.chains)
        self.progress.finished += sum(map(self.is_over, self.program.chains)) - were_over
        for error in wrong.values():
            raise error

    def report(self) -> RunReport:
        """What all chains have come to, whoever played them."""
        reason = self.control.reason
        states: dict[bool, State] = {True: "finished", False: "suspended"}
        chains = [
            ended(one.world, states[self.is_over(one)], reason, self.stand(one))
            for one in self.program.chains
        ]
        return RunReport(without_password(self.program.log), tuple(chains), reason)

    async def _work_all(self, free: FreeChains, chains: Mapping[str, Chain]) -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self.program.at_once, len(chains))):
                group.create_task(self._work(free, chains))

    async def _work(self, free: FreeChains, chains: Mapping[str, Chain]) -> None:
        while world := await free.next():
            try:
                result = await self.chain(chains[world])
            except LeaseLost as error:
                logger().warning("lease.lost", why=str(error))
                await self._end(world, free.lost)
            else:
                over = result.state == "finished"
                if over and self._sharing is not None:
                    await self._sharing.over(world)
                await self._end(world, partial(free.done, over=over))

    async def _end(self, world: str, how: Callable[[str], Awaitable[None]]) -> None:
        if self._sharing is not None:
            await self._sharing.end_chain(world)
        await how(world)

    async def _see(self, chains: Sequence[Chain]) -> set[str]:
        """Take in what others have played of these; which are over, or cannot be gone on with."""
        self._unplayable |= await self._caught_up(chains)
        return {one.world for one in chains if one.world in self._unplayable or self.is_over(one)}

    async def chain(self, one: Chain) -> ChainResult:
        """Play one of its chains to its end, or until the run is stopped; LeaseLost, where another
        process plays it by now."""
        stand = self.stand(one)
        with logged_with(world=one.world):
            state, reason = await self._chain(one, stand)
        del self._stands[one.world]
        self._ended[one.world] = result = ended(one.world, state, reason, stand)
        self.progress.ended(state)
        return result

    async def _chain(self, one: Chain, stand: ChainState) -> tuple[State, str | None]:
        """Play one chain, and say how it came out. One failure stays one failure."""
        try:
            if error := self._unplayable.get(one.world):
                raise error
            if not self.is_over(one):
                self.control.check()  # a chain that has not begun yet is not begun any more
                await self.catch_up(one)
            if not self.is_over(one):
                await chain.play(await self._started(one, stand), one.setting, one.episodes())
        except Suspended as stopped:
            return "suspended", stopped.reason
        except LeaseLost:
            raise
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

    async def catch_up(self, one: Chain) -> None:
        """Take in what another process has played of a chain since this one saw it last."""
        leases = self.log.store.leases
        if leases is None or leases.is_first(one.world):
            return
        for error in (await self._caught_up([one])).values():
            raise error

    async def _caught_up(self, chains: Sequence[Chain]) -> dict[str, EngineError | LogError]:
        """Take in what others have played of these; what is wrong with those that cannot be gone on with."""
        before = [self.stand(one).planned for one in chains]
        wrong = await self._read_newer(chains)
        for one, planned in zip(chains, before, strict=True):
            stand = self.stand(one)
            newest = None if stand.planned is planned else stand.planned
            if one.world not in wrong and (
                how := parted_by(one, stand.scenarios, newest, judged=self.program.judged)
            ):
                wrong[one.world] = PlanChanged(
                    f"{one.world!r} is played by another plan meanwhile: {'; '.join(how)}"
                )
        return wrong

    async def _read_newer(self, chains: Sequence[Chain]) -> dict[str, EngineError | LogError]:
        """Read what others have played of these since they were seen last; what is wrong with those of
        which it cannot be read."""
        try:
            there = await self.log.found([one.world for one in chains])
            stands = {one.world: self.stand(one) for one in chains if one.world in there}
            newer = [Segment(world, one.head, there[world].head) for world, one in stands.items()]
            async for world, events in self.log.read_several(newer):
                self._fold(world, stands[world], events)
        except LogError as error:
            if len(chains) == 1 or concerns_all(error):
                return {one.world: error for one in chains}
            each = [await self._read_newer([one]) for one in chains]  # to see whose fault it is
            return {world: error for wrong in each for world, error in wrong.items()}
        return {}

    def _fold(self, world: str, stand: ChainState, events: Sequence[Event]) -> None:
        """Take in what was read of a chain. Of one of which nothing was known it is counted as a whole, which
        takes a seventh less than event by event."""
        is_new = stand.head == 0
        stand.take_all(events)
        if is_new:
            self.progress.count(world, stand)
        else:
            for event in events:
                self.progress.watch(world, event)

    async def _started(self, one: Chain, stand: ChainState) -> ChainRun:
        rules, world = one.rules(), one.world
        allowance = Allowance(
            world=world,
            state=stand,
            limits=limits_of(self.control, rules),
            control=self.control,
        )
        guard = ChainGuard(self.log, world, stand) if one.is_guarded else None
        scan = ChainScan(self.log, world, stand) if rules.scan_prompts else None
        watch = self.progress.watcher(world)
        if self._sharing is not None:
            self._sharing.begin_chain(world, stand.tally.unanswered)
            watch = self._sharing.watcher(world, watch, lambda: stand.closed >= one.count())
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
        world=one.world,
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
    progress = progress or Progress()
    control = control or control_of(program, progress)
    pool = ModelPool(program.chains, person, control=control, at_once=program.at_once)
    async with pool as wiring, writing(program.log) as opened:
        check_prices(program)
        yield Run(program, opened, wiring, progress, control)


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
