"""A run: many chains at once, each in a world of its own, from wherever the log stands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Literal

import structlog
from msgspec import Struct

from whoknew.agents.errors import AgentError, ModelError
from whoknew.engine import chain
from whoknew.engine.control import Control
from whoknew.engine.errors import EngineError, NoPrice, Suspended
from whoknew.engine.opening import writing
from whoknew.engine.program import Program
from whoknew.engine.progress import Progress
from whoknew.engine.standing import Standing
from whoknew.engine.troupe import Troupe
from whoknew.engine.wiring import Person, Wiring
from whoknew.eventlog import Log
from whoknew.eventlog.errors import LogError
from whoknew.worlds.errors import WorldError
from whoknew.worlds.plan import Plan
from whoknew.worlds.setting import Setting

State = Literal["finished", "suspended", "failed"]


class Ended(Struct, frozen=True):
    """How one chain came out of a run: it is over, can go on, or met a fault of ours."""

    world: str
    state: State
    episodes: int
    turns: int
    calls: int
    tokens: int
    money: float | None
    reason: str | None = None


class Report(Struct, frozen=True):
    """What came of a run. `reason` says why it stopped before its end."""

    log: str
    chains: tuple[Ended, ...]
    reason: str | None = None

    @property
    def finished(self) -> bool:
        return all(one.state == "finished" for one in self.chains) and not self.reason

    @property
    def failed(self) -> bool:
        return any(one.state == "failed" for one in self.chains)


class Run:
    """One start of a program on an open log."""

    def __init__(self, program: Program, log: Log, wiring: Wiring, progress: Progress) -> None:
        self.program, self.log, self._wiring = program, log, wiring
        self.progress = progress
        self.control = Control(program.limit("run"), progress.spent)
        self._stands: dict[str, Standing] = {}
        self._ended: dict[str, Ended] = {}

    async def survey(self) -> None:
        """See how each world stands, before anything goes on."""
        program, progress = self.program, self.progress
        there = {one.name for one in await self.log.worlds()}
        progress.chains = len(program.worlds)
        progress.episodes = len(program.worlds) * len(program.episodes(0))
        for world in program.worlds:
            stand = Standing(program.hears)
            if world in there:
                stand = self._stands[world] = await chain.standing(self.log, world, program.setting)
            progress.found(stand, len(program.episodes(0)))

    async def play(self) -> Report:
        """Play every chain to its end, or until the run is stopped."""
        waiting = iter(enumerate(self.program.worlds))
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self.program.at_once, len(self.program.worlds))):
                group.create_task(self._work(waiting))
        chains = tuple(self._ended[world] for world in self.program.worlds if world in self._ended)
        return Report(self.program.log, chains, self.control.reason)

    async def _work(self, waiting: Iterator[tuple[int, str]]) -> None:
        for number, world in waiting:
            stand = self._stands.pop(world, None) or Standing(self.program.hears)
            state, reason = await self._chain(number, world, stand)
            self._ended[world] = _ended(world, state, reason, stand)
            self.progress.ended(state)

    async def _chain(self, number: int, world: str, stand: Standing) -> tuple[State, str | None]:
        """Play one chain, and say how it came out. One failure stays one failure."""
        program = self.program
        try:
            rules = program.rules(number)
            watch = self.progress.watcher(world)
            troupe = Troupe(self.log, world, rules, stand, self.control, watch)
            troupe.agents = await self._wiring.agents(troupe)
            await chain.play(troupe, program.setting, program.episodes(number))
        except Suspended as stopped:
            return "suspended", stopped.reason
        except (ModelError, LogError) as error:
            # What one chain cannot reach, no other can.
            self.control.stop(str(error))
            return "suspended", str(error)
        except (EngineError, WorldError, AgentError) as error:
            return "suspended", str(error)
        except Exception as error:  # noqa: BLE001  (one failure stays one failure)
            structlog.get_logger().exception("a chain failed", world=world)
            return "failed", f"{type(error).__name__}: {error}"
        return "finished", None


@asynccontextmanager
async def open_run(
    plan: Plan, setting: Setting, log: str, person: Person | None = None
) -> AsyncIterator[Run]:
    """A run of a plan, with its log and its models open."""
    program = Program(plan, setting, log)
    async with Wiring(plan, setting, person) as wiring, writing(log) as opened:
        check_prices(program, wiring)
        yield Run(program, opened, wiring, Progress())


def check_prices(program: Program, wiring: Wiring) -> None:
    """A limit in money needs prices: without one it would never be reached."""
    unpriced = [one for one in wiring.addresses if wiring.price(one) is None]
    scopes = [scope for scope, limit in program.plan.limits.items() if limit.money is not None]
    if unpriced and scopes:
        raise NoPrice(
            f"limits.{scopes[0]}.money is set, but the price of {unpriced[0]} is not known: "
            f'give price_in and price_out under [models."{unpriced[0]}"]'
        )


def _ended(world: str, state: State, reason: str | None, stand: Standing) -> Ended:
    spent = stand.spent
    money = None if spent.unpriced else round(spent.money, 6)
    return Ended(world, state, stand.closed, stand.turns, spent.calls, spent.tokens, money, reason)
