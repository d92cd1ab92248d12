"""A worker of a cluster: told names and the digest of a plan, it does what is free of that plan.

All else it finds out where it is: the log from `WHOKNEW_LOG`, a run's plan on that log, keys of models in
its own environment. So nothing that is secret goes through the cluster.
"""

from __future__ import annotations

import hashlib
import os
from typing import Any

from msgspec import Struct

from whoknew.agents.errors import AgentError
from whoknew.engine.errors import EngineError, PlanChanged, WrongPlan
from whoknew.engine.opening import reading
from whoknew.engine.plan.planned import written
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.control import Control
from whoknew.engine.running.chains import control_of, open_run
from whoknew.engine.running.progress import Progress
from whoknew.eventlog import Log
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.kinds import Planned
from whoknew.eventlog.shown_address import without_password
from whoknew.eventlog.stores.patience import patient
from whoknew.worlds.errors import WorldError

VARIABLE = "WHOKNEW_LOG"


def digest_of(planned: Planned) -> str:
    """Which plan it is, whatever its chain."""
    return hashlib.sha256(planned.content).hexdigest()


class ChainTask(Struct, frozen=True):
    """What a worker is told of a run: a world on whose log its plan stands, and the digest of that."""

    world: str
    digest: str


class ClusterWorker:
    """One process of a cluster, wherever it was started."""

    def __init__(self) -> None:
        self._control: Control | None = None
        self._reason: str | None = None

    async def work(self, task: Any) -> str:
        """Do what is free of a task, until all of it is done; why it stopped before, where it did."""
        try:
            with patient(lambda: self._reason is None):  # of who starts it, it is known to be there
                return await self.do(task)
        except (EngineError, WorldError, AgentError, LogError) as error:
            return str(error)  # as text: not each of them can be sent

    async def stop(self, reason: str) -> None:
        """Let the turns in flight finish, and begin no more."""
        self._reason = reason
        if self._control is not None:
            self._control.stop(reason)

    async def do(self, task: Any) -> str:
        raise NotImplementedError

    def begin(self, control: Control) -> None:
        """From now on this is what is stopped."""
        self._control = control
        if self._reason is not None:
            control.stop(self._reason)


class ChainWorker(ClusterWorker):
    """Plays what is free of the plan of a world."""

    async def do(self, task: ChainTask) -> str:
        program = await _program(task.world, task.digest)
        progress = Progress()
        control = control_of(program, progress)
        self.begin(control)
        async with open_run(program, None, progress, control) as run:
            await run.survey()
            return (await run.play()).reason or ""


def log_here() -> str:
    """The log as this machine names it."""
    if address := os.environ.get(VARIABLE):
        return address
    raise WrongPlan(f"a worker does not know its log: set {VARIABLE} on each machine")


async def _program(world: str, digest: str) -> Program:
    """The program that a plan on the log comes to: all of its chains."""
    address = log_here()
    async with reading(address) as log:
        planned = await _planned(log, world, digest)
    if planned is None:
        raise PlanChanged(
            f"{without_password(address)} does not hold the plan {digest[:12]} on {world!r}: set "
            f"{VARIABLE} to the same log on each machine"
        )
    found = written(planned, repr(world))
    return Program.of(found.plan, found.setting, address)


async def _planned(log: Log, world: str, digest: str) -> Planned | None:
    landmarks = await log.landmarks(world, (await log.lineage.find(world)).head)
    plans = [event.body for event in landmarks if isinstance(event.body, Planned)]
    return next((one for one in reversed(plans) if digest_of(one) == digest), None)
