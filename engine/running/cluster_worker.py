"""A worker of a cluster: told a chain and the digest of its plan, it plays what is free of that plan.

All else it finds out where it is: the log from `WHOKNEW_LOG`, the plan on that log, keys of models in its
own environment. So nothing that is secret goes through the cluster.
"""

from __future__ import annotations

import hashlib
import os

from whoknew.agents.errors import AgentError
from whoknew.engine.errors import EngineError, PlanChanged, WrongPlan
from whoknew.engine.opening import reading, without_password
from whoknew.engine.plan.planned import written
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.control import Control
from whoknew.engine.running.chains import control_of, open_run
from whoknew.engine.running.progress import Progress
from whoknew.eventlog import Log
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.kinds import Planned
from whoknew.worlds.errors import WorldError

VARIABLE = "WHOKNEW_LOG"


def digest_of(planned: Planned) -> str:
    """Which plan it is, whatever its chain."""
    return hashlib.sha256(planned.content).hexdigest()


class ClusterWorker:
    """One process of a cluster, wherever it was started."""

    def __init__(self) -> None:
        self._control: Control | None = None
        self._reason: str | None = None

    async def play(self, world: str, digest: str) -> str:
        """Play what is free of the plan of a world, to the end of all its chains; why it stopped before,
        where it did."""
        try:
            return await self._play(world, digest)
        except (EngineError, WorldError, AgentError, LogError) as error:
            return str(error)  # as text: not each of them can be sent

    async def stop(self, reason: str) -> None:
        """Let the turns in flight finish, and begin no more."""
        self._reason = reason
        if self._control is not None:
            self._control.stop(reason)

    async def _play(self, world: str, digest: str) -> str:
        program = await _program(world, digest)
        progress = Progress()
        self._control = control_of(program, progress)
        if self._reason is not None:
            self._control.stop(self._reason)
        async with open_run(program, None, progress, self._control) as run:
            await run.survey()
            return (await run.play()).reason or ""


async def _program(world: str, digest: str) -> Program:
    """The program that a plan on the log comes to: all of its chains."""
    address = os.environ.get(VARIABLE, "")
    if not address:
        raise WrongPlan(f"a worker does not know its log: set {VARIABLE} on each machine")
    async with reading(address) as log:
        planned = await _planned(log, world, digest)
    if planned is None:
        raise PlanChanged(
            f"{without_password(address)} does not hold the plan {digest[:12]} on {world!r}: set "
            f"{VARIABLE} to the same log on each machine"
        )
    found = written(planned)
    return Program.of(found.plan, found.setting, address)


async def _planned(log: Log, world: str, digest: str) -> Planned | None:
    landmarks = await log.landmarks(world, (await log.lineage.find(world)).head)
    plans = [event.body for event in landmarks if isinstance(event.body, Planned)]
    return next((one for one in reversed(plans) if digest_of(one) == digest), None)
