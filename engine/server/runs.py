"""Runs that a server plays: begun from a plan, paused, gone on with, stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import EngineError
from whoknew.engine.plan.plan import Loaded
from whoknew.engine.plan.program import Chain, Program
from whoknew.engine.playing.chain import opening
from whoknew.engine.playing.settling import settle_all
from whoknew.engine.running.chains import Run, check_prices, control_of
from whoknew.engine.running.fitting import named
from whoknew.engine.running.models import ModelPool
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.run_report import ChainResult
from whoknew.engine.running.stop import announced, check_alone
from whoknew.engine.running.workers import check_versions
from whoknew.engine.server.errors import NameTaken, NoSuchRun
from whoknew.engine.server.run_requests import Begin, check_free, loaded, name_taken
from whoknew.engine.server.seat import Seats
from whoknew.engine.server.tasks import Tasks
from whoknew.eventlog import Log
from whoknew.eventlog.errors import Conflict
from whoknew.eventlog.expected import ABSENT
from whoknew.eventlog.logger import logger

State = Literal["playing", "pausing", "paused", "stopping", "stopped", "finished", "failed"]


PATIENCE = 10.0
"""Seconds that whoever stops a run is kept waiting for its turns in flight, before being told that it
is stopping."""


KEPT = 200
"""Runs that are listed, as long as it takes no unfinished one off the list."""


class Awaited(Struct, frozen=True, kw_only=True):
    """A person whose turn it is."""

    world: str
    character: str


class RunLine(Struct, frozen=True, kw_only=True):
    """A run at a glance. To whoever may not see all of its worlds nothing is counted, and nobody is said
    to be waited for. `free` are the `seats` for people that nobody has taken."""

    id: int
    state: State
    source: str
    worlds: tuple[str, ...]
    seats: tuple[str, ...]
    chains: int
    episodes: int
    episodes_done: int | None
    turns: int | None
    calls: int | None
    tokens: int | None
    money: float | None
    failures: int | None
    reason: str | None
    ended: tuple[ChainResult, ...]
    free: tuple[str, ...] = ()
    waits: tuple[Awaited, ...] = ()

    @property
    def discreet(self) -> RunLine:
        return replace(
            self,
            episodes_done=None,
            turns=None,
            calls=None,
            tokens=None,
            money=None,
            failures=None,
            reason=None,
            ended=(),
            waits=(),
        )


class Playing:
    """One run: the plan that it goes by, and how far it is."""

    def __init__(
        self,
        number: int,
        *,
        loaded: Loaded,
        log: Log,
        address: str | None,
        seats: Seats,
        tasks: Tasks,
    ) -> None:
        self.id, self._loaded, self._log, self._address = number, loaded, log, address
        self._seats, self._tasks = seats, tasks
        self.program = Program.of(loaded.plan, loaded.setting, "")
        self.state: State = "playing"
        self.reason: str | None = None
        self.ended: tuple[ChainResult, ...] = ()
        self.progress = Progress()
        self._run: Run | None = None
        self._task: asyncio.Task[None] | None = None
        self._begun = asyncio.Event()
        self._mistake: Exception | None = None
        self._stopping: str | None = None

    @property
    def seats(self) -> tuple[str, ...]:
        people = [one.name for one in self._loaded.setting.characters]
        return tuple(name for name in people if self._loaded.plan.seat(name).by_person)

    @property
    def goes_on(self) -> bool:
        return self.state in ("playing", "pausing", "stopping")

    async def begin(self, *, new: bool = False) -> None:
        """Play, and come back when all of its worlds stand in the log: worlds of its own, where it
        is new. What keeps it from beginning is raised."""
        self.state, self.reason, self._mistake, self._stopping = "playing", None, None, None
        self._begun.clear()
        self._task = self._tasks.begin(self._play(new=new), f"run {self.id}")
        await self._begun.wait()
        if self._mistake is not None:
            raise self._mistake

    async def stop(
        self, *, pausing: bool, patience: float = PATIENCE, whose: str = "on the page"
    ) -> None:
        """Let the turns in flight finish; seats that wait for a person do not. Whoever asks is not
        kept longer than a while: the run stops all the same."""
        if self.state == "playing":
            self.state = "pausing" if pausing else "stopping"
            self._stopping = f"{'paused' if pausing else 'stopped'} {whose}"
            if self._run is not None:
                self._run.control.stop(self._stopping)
        if self._task is not None:
            await asyncio.wait([self._task], timeout=patience)

    async def close(self, grace: float) -> None:
        """Stop it now: what is in flight after the grace is dropped, and written down as that."""
        await self.stop(pausing=True, patience=grace, whose="as the server was stopped")
        if self._task is not None and not self._task.done():
            self.reason = (
                f"the calls in flight were dropped: the server waited {grace:g} s for them"
            )
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _play(self, *, new: bool) -> None:
        self.progress = Progress()
        control = control_of(self.program, self.progress)
        pool = ModelPool(
            self.program.chains,
            self._seats.person,
            control=control,
            at_once=self.program.at_once,
        )
        try:
            async with pool as wiring:
                check_prices(self.program)
                self.program = await named(self._log, self.program)
                if new:
                    await check_free(self._log, self.program.worlds)
                if (leases := self._log.store.leases) is not None:
                    await check_versions(leases.workers, self.program.worlds)
                with self._announced():
                    await self._open_worlds(new=new)
                    run = Run(
                        self.program, self._log, wiring, self.progress, control, seats=self.seats
                    )
                    await run.survey()
                    self._run = run
                    run.control.stopping.append(self._release)
                    if self._stopping is not None:  # asked for while the models were being opened
                        run.control.stop(self._stopping)
                    self._begun.set()
                    report = await run.play()
            self.ended, self.reason = report.chains, report.reason
            failed = [one.reason for one in report.chains if one.state in ("refused", "failed")]
            suspended = [one.reason for one in report.chains if one.state == "suspended"]
            self.reason = self.reason or next(iter([*failed, *suspended]), None)
            self.state = _ended(self.state, finished=report.finished, failed=bool(failed))
        except asyncio.CancelledError:
            self.state = "paused" if self.state == "pausing" else "stopped"
        except Exception as error:  # noqa: BLE001  (one run's failure is not the server's)
            self._fail(error)
        finally:
            self._run = None
            self._begun.set()

    def _announced(self) -> AbstractContextManager[None]:
        """Others are told of it, as of a command's run. A log without an address is this process's
        own."""
        if self._address is None:
            return nullcontext()
        worlds = self.program.worlds
        check_alone(self._address, worlds)
        return announced(self._address, self._loaded.source, worlds, by_server=True)

    async def _open_worlds(self, *, new: bool) -> None:
        """Begin the worlds that are not there yet: whoever began the run finds all of them. Another server
        may begin the same at this moment: whose the first is, the others are."""
        chains = [*self.program.chains]
        if not new:
            chains = [one for one in chains if await self._log.store.find(one.world) is None]
        await settle_all([self._open(one, new=new) for one in chains[:1]])
        await settle_all([self._open(one, new=new) for one in chains[1:]])

    async def _open(self, chain: Chain, *, new: bool) -> None:
        drafts = opening(chain.setting, chain.rules(), chain.count())
        try:
            await self._log.append(chain.world, drafts, expect=ABSENT)
        except Conflict:
            if new:
                raise name_taken(chain.world) from None

    def _release(self, reason: str) -> None:
        """Whoever asks it to stop, here or from elsewhere: no person is waited for any more."""
        for world in self.program.worlds:
            for who in self.seats:
                self._seats.at(world, who).release(reason)

    def _fail(self, error: Exception) -> None:
        self.state, self.reason = "failed", str(error)
        if self._begun.is_set():
            logger().exception("run.failed", run=self.id)
        else:
            self._mistake = error

    def line(self) -> RunLine:
        progress, tally = self.progress, self.progress.tally
        return RunLine(
            id=self.id,
            state=self.state,
            source=self._loaded.source,
            worlds=self.program.worlds,
            seats=self.seats,
            chains=progress.chains,
            episodes=progress.episodes,
            episodes_done=tally.closed,
            turns=tally.turns,
            calls=tally.spent.calls,
            tokens=tally.spent.tokens,
            money=tally.money,
            failures=tally.failures,
            reason=self.reason,
            ended=self.ended,
            waits=tuple(self._awaited()),
        )

    def _awaited(self) -> Iterator[Awaited]:
        for world in self.program.worlds:
            for who in self.seats:
                if self._seats.at(world, who).moment is not None:
                    yield Awaited(world=world, character=who)


def _ended(state: State, *, finished: bool, failed: bool) -> State:
    if finished:
        return "finished"
    if failed:
        return "failed"
    return "paused" if state in ("pausing", "playing") else "stopped"


class Runs:
    """The runs of a server, by number."""

    def __init__(
        self, log: Log, address: str | None, seats: Seats, recorded: Collection[str] = ()
    ) -> None:
        """`recorded` are the logs whose answers its plans may play."""
        self._log, self._address, self._seats = log, address, seats
        self._recorded = recorded
        self._runs: dict[int, Playing] = {}
        self._numbers = count(1)
        self._tasks = Tasks()
        self.looked_through: set[str] = set()
        """Worlds in which tellings are looked for: nobody plays them meanwhile."""

    def all(self) -> tuple[RunLine, ...]:
        return tuple(one.line() for one in self._runs.values())

    def people(self, world: str) -> tuple[str, ...] | None:
        """Whose seats are for people, while a world is being played; nothing, where it is not."""
        playing = [one for one in self._runs.values() if one.goes_on]
        return next((one.seats for one in playing if world in one.program.worlds), None)

    async def begin(self, wanted: Begin) -> RunLine:
        found = await loaded(self._log, wanted, self._recorded)
        playing = Playing(
            next(self._numbers),
            loaded=found,
            log=self._log,
            address=self._address,
            seats=self._seats,
            tasks=self._tasks,
        )
        self._check_alone(playing)
        self._forget()
        self._runs[playing.id] = playing
        try:
            await playing.begin(new=wanted.go_on is None)
        except Exception:
            del self._runs[playing.id]  # it never began: whoever asked is told why
            raise
        self._supersede(playing)
        return playing.line()

    async def pause(self, number: int) -> RunLine:
        playing = self._find(number)
        await playing.stop(pausing=True)
        return playing.line()

    async def resume(self, number: int) -> RunLine:
        playing = self._find(number)
        if playing.goes_on:
            raise EngineError(f"run {number} is {playing.state}")
        self._check_alone(playing)
        await playing.begin()
        return playing.line()

    async def stop(self, number: int) -> RunLine:
        playing = self._find(number)
        await playing.stop(pausing=False)
        return playing.line()

    async def close(self, grace: float) -> None:
        """All suspend in order; they can go on by the same plans."""
        async with asyncio.TaskGroup() as group:
            for one in self._runs.values():
                group.create_task(one.close(grace))
        await self._tasks.close()

    def _supersede(self, playing: Playing) -> None:
        """Runs that are over and whose worlds all go on in this one cannot go on by themselves."""
        worlds = set(playing.program.worlds)
        for one in [*self._runs.values()]:
            if one is not playing and worlds.issuperset(one.program.worlds):
                del self._runs[one.id]

    def _forget(self) -> None:
        """Of runs that are over, only the newest are listed: their worlds stand on the log."""
        over = [one.id for one in self._runs.values() if one.state == "finished"]
        for number in over[: len(self._runs) + 1 - KEPT]:
            del self._runs[number]

    def _check_alone(self, playing: Playing) -> None:
        taken = {
            world
            for one in self._runs.values()
            if one is not playing and one.goes_on
            for world in one.program.worlds
        }
        if clash := taken.intersection(playing.program.worlds):
            raise NameTaken(
                f"{min(clash)!r} is being played already: stop that run, or give another name"
            )
        if clash := self.looked_through.intersection(playing.program.worlds):
            raise NameTaken(f"tellings are being looked for in {min(clash)!r}: wait for that")

    def _find(self, number: int) -> Playing:
        if number not in self._runs:
            known = ", ".join(map(str, self._runs)) or "none yet"
            raise NoSuchRun(f"there is no run {number}; there are: {known}")
        return self._runs[number]
