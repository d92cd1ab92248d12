"""Runs that a server plays: begun from a plan, paused, gone on with, stopped."""

from __future__ import annotations

import asyncio
import tomllib
from itertools import count
from typing import Annotated, Literal

import structlog
from msgspec import Meta, Struct
from msgspec.structs import replace

from whoknew.engine.conduct import planned_on
from whoknew.engine.errors import EngineError
from whoknew.engine.program import Program
from whoknew.engine.progress import Progress
from whoknew.engine.run import Ended, Run, check_prices
from whoknew.engine.server.seat import Seats
from whoknew.engine.wiring import Wiring
from whoknew.eventlog import Log
from whoknew.worlds.plan import Loaded, Seat, bundled_plan, parse_plan
from whoknew.worlds.shelf import bundled

State = Literal["playing", "pausing", "paused", "stopping", "stopped", "finished", "failed"]


class NoSuchRun(EngineError):
    """No run of that number is known here."""


class Begin(Struct, frozen=True):
    """What to play: a bundled world by name, a world of the log by the plan on it, or a plan as
    TOML. `name` is what the world is called; `seats` are those whom people play."""

    world: Annotated[str, Meta(max_length=400)] | None = None
    plan: Annotated[str, Meta(max_length=200_000)] | None = None
    go_on: Annotated[str, Meta(max_length=400)] | None = None
    name: Annotated[str, Meta(max_length=200)] | None = None
    seats: tuple[str, ...] = ()


class RunLine(Struct, frozen=True):
    """A run at a glance."""

    id: int
    state: State
    source: str
    worlds: tuple[str, ...]
    seats: tuple[str, ...]
    chains: int
    episodes: int
    episodes_done: int
    turns: int
    calls: int
    tokens: int
    money: float
    failures: int
    reason: str | None
    ended: tuple[Ended, ...]


class Playing:
    """One run: the plan that it goes by, and how far it is."""

    def __init__(self, number: int, loaded: Loaded, log: Log, seats: Seats) -> None:
        self.id, self._loaded, self._log, self._seats = number, loaded, log, seats
        self.program = Program.of(loaded.plan, loaded.setting, "")
        self.state: State = "playing"
        self.reason: str | None = None
        self.ended: tuple[Ended, ...] = ()
        self.progress = Progress()
        self._run: Run | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def seats(self) -> tuple[str, ...]:
        people = [one.name for one in self._loaded.setting.characters]
        return tuple(name for name in people if self._loaded.plan.seat(name).agent == "human")

    def begin(self) -> None:
        self.state, self.reason = "playing", None
        self._task = asyncio.get_running_loop().create_task(self._play())

    async def stop(self, *, pausing: bool) -> None:
        """Let the turns in flight finish; seats that wait for a person do not."""
        if self._run is not None and self.state == "playing":
            self.state = "pausing" if pausing else "stopping"
            self._run.control.stop("paused" if pausing else "stopped")
            waiting = any(self._waits(world) for world in self.program.worlds)
            if waiting and self._task is not None:
                self._task.cancel()
        if self._task is not None:
            await asyncio.wait([self._task])

    def _waits(self, world: str) -> bool:
        return any(self._seats.at(world, who).moment is not None for who in self.seats)

    async def _play(self) -> None:
        self.progress = Progress()
        try:
            async with Wiring(self.program.chains, self._seats.person) as wiring:
                check_prices(self.program)
                self._run = Run(self.program, self._log, wiring, self.progress)
                await self._run.survey()
                report = await self._run.play()
            self.ended, self.reason = report.chains, report.reason
            failed = [one.reason for one in report.chains if one.state == "failed"]
            suspended = [one.reason for one in report.chains if one.state == "suspended"]
            self.reason = self.reason or next(iter([*failed, *suspended]), None)
            self.state = _ended(self.state, finished=report.finished, failed=bool(failed))
        except asyncio.CancelledError:
            self.state = "paused" if self.state == "pausing" else "stopped"
        except Exception as error:  # noqa: BLE001  (one run's failure is not the server's)
            structlog.get_logger().exception("a run failed", run=self.id)
            self.state, self.reason = "failed", str(error)
        finally:
            self._run = None

    def line(self) -> RunLine:
        progress, tally = self.progress, self.progress.tally
        return RunLine(
            self.id,
            self.state,
            self._loaded.source,
            self.program.worlds,
            self.seats,
            progress.chains,
            progress.episodes,
            tally.closed,
            tally.turns,
            tally.spent.calls,
            tally.spent.tokens,
            tally.spent.money,
            tally.failures,
            self.reason,
            self.ended,
        )


def _ended(state: State, *, finished: bool, failed: bool) -> State:
    if finished:
        return "finished"
    if failed:
        return "failed"
    return "paused" if state in ("pausing", "playing") else "stopped"


class Runs:
    """The runs of a server, by number."""

    def __init__(self, log: Log, seats: Seats) -> None:
        self._log, self._seats = log, seats
        self._runs: dict[int, Playing] = {}
        self._numbers = count(1)

    def all(self) -> tuple[RunLine, ...]:
        return tuple(one.line() for one in self._runs.values())

    async def begin(self, wanted: Begin) -> RunLine:
        loaded = await self._loaded(wanted)
        playing = Playing(next(self._numbers), loaded, self._log, self._seats)
        taken = {
            world
            for one in self._runs.values()
            if one.state in ("playing", "pausing", "stopping")
            for world in one.program.worlds
        }
        if clash := taken.intersection(playing.program.worlds):
            raise EngineError(f"{min(clash)!r} is being played already: give another name")
        self._runs[playing.id] = playing
        playing.begin()
        await asyncio.sleep(0)
        return playing.line()

    async def pause(self, number: int) -> RunLine:
        playing = self._find(number)
        await playing.stop(pausing=True)
        return playing.line()

    async def resume(self, number: int) -> RunLine:
        playing = self._find(number)
        if playing.state in ("playing", "pausing", "stopping"):
            raise EngineError(f"run {number} is {playing.state}")
        playing.begin()
        await asyncio.sleep(0)
        return playing.line()

    async def stop(self, number: int) -> RunLine:
        playing = self._find(number)
        await playing.stop(pausing=False)
        return playing.line()

    async def close(self) -> None:
        """All suspend in order; they can go on by the same plans."""
        async with asyncio.TaskGroup() as group:
            for one in self._runs.values():
                group.create_task(one.stop(pausing=True))

    def _find(self, number: int) -> Playing:
        if number not in self._runs:
            known = ", ".join(map(str, self._runs)) or "none yet"
            raise NoSuchRun(f"there is no run {number}; there are: {known}")
        return self._runs[number]

    async def _loaded(self, wanted: Begin) -> Loaded:
        given = [one for one in (wanted.world, wanted.plan, wanted.go_on) if one is not None]
        if len(given) != 1:
            raise EngineError("give one of `world`, `plan` and `go_on`")
        if wanted.go_on is not None:
            loaded = await planned_on(self._log, wanted.go_on)
        elif wanted.world is not None:
            loaded = bundled_plan(wanted.world)
        else:
            loaded = parse_plan(_bundled(wanted.plan or ""), "the plan")
        plan = loaded.plan
        people = {who: replace(plan.seat(who), agent="human") for who in wanted.seats}
        agents: dict[str, Seat] = {**plan.agents, **people}
        return replace(loaded, plan=replace(plan, agents=agents, name=wanted.name or plan.name))


def _bundled(plan: str) -> str:
    """A plan that came over the network plays what comes with Whoknew: it names no file here."""
    try:
        world = tomllib.loads(plan).get("world")
    except tomllib.TOMLDecodeError:
        return plan  # what is wrong with it is told with its line
    if isinstance(world, str) and world not in bundled():
        raise EngineError(f"{world!r} is no world of Whoknew's: take one of {', '.join(bundled())}")
    return plan
