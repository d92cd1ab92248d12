"""A cluster of Ray: workers that play what is free, or sit what is free of an exam, as processes on several
machines do.

Ray starts them, and tells when one has died: then another is started, which takes over what its leases
left. Nothing else is left to it: it makes no call again by itself, and is told names and a digest.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from logging import WARNING
from typing import Any, Protocol

from whoknew.engine.errors import BeingPlayed, ClusterFault, WrongPlan
from whoknew.engine.opening import file_of
from whoknew.engine.plan.loading import code_of
from whoknew.engine.plan.program import Program
from whoknew.engine.playing import chain
from whoknew.engine.playing.control import Control
from whoknew.engine.running.chains import Run, control_of, open_run
from whoknew.engine.running.cluster_worker import (
    VARIABLE,
    ChainTask,
    ChainWorker,
    ClusterWorker,
    digest_of,
)
from whoknew.engine.running.free_chains import HEARTBEAT, LASTS, WINDOW, holder, waiting_for
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.run import Watching
from whoknew.engine.running.run_report import RunReport
from whoknew.engine.running.signals import stopped_by_signals
from whoknew.eventlog import exactly

LOCAL = "local"

LOOKS = 0.5
"""Seconds after which it is looked how far the workers are."""

DEATHS = 5
"""So many workers that die one after another, while the log does not grow, end the work."""

NO_MACHINE = (
    "no machine of the cluster is left: start it again, then give the same command, which goes on"
)

MEMORY = 80 * 2**20
"""Bytes for what is sent through Ray, the fewest that it takes: next to nothing is."""


async def run_on_cluster(
    program: Program, address: str, workers: int, watching: Watching
) -> RunReport:
    """Have workers play a program, and start others for those that die, until it is over or has to
    stop."""
    _check(program)
    progress = Progress()
    control = control_of(program, progress)
    with connected(address, workers, program.log) as ray, stopped_by_signals(control):
        async with open_run(program, None, progress, control) as run:
            await run.survey()
            with waiting_for(run.log.store.leases, control):
                if task := await published(run):
                    with watching(run):
                        await Crew(ray, ChainWorker, task, workers).work(run)
            return run.report()


def _check(program: Program) -> None:
    check_shared(program.log)
    for plan in {id(one.plan): one.plan for one in program.chains}.values():
        if code := [name for _, name in code_of(plan)]:
            raise WrongPlan(
                f"the plan names code beside it ({', '.join(code)}), which workers do not have: "
                "start the same command on each machine instead, without --cluster"
            )
        if any(seat.by_person for seat in plan.agents.values()):
            raise WrongPlan(NO_PERSON)


NO_PERSON = "a person at this terminal is none on a cluster: leave out --cluster"


def check_shared(log: str) -> None:
    """Refuse a log that one process alone writes."""
    if file_of(log) is not None:
        raise WrongPlan(
            f"{log} is a file, which one process writes: a cluster plays into a log on PostgreSQL "
            "(--log postgresql://..., or WHOKNEW_LOG)"
        )


@contextmanager
def connected(address: str, workers: int, log: str) -> Iterator[Any]:
    """Ray, with its token asked for, and nothing of it open to others; the one that is started here
    ends with this."""
    if os.environ.setdefault("RAY_AUTH_MODE", "token") != "token":
        raise ClusterFault(
            f"RAY_AUTH_MODE is {os.environ['RAY_AUTH_MODE']!r}: whoever reaches the cluster could run "
            "anything on it; set it to token, on each machine"
        )
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ[VARIABLE] = log
    try:
        ray = import_module("ray")
    except ModuleNotFoundError:
        raise ClusterFault("ray is not installed: pip install 'whoknew[cluster]'") from None
    with _said(ray, address):
        if address == LOCAL:
            ray.init(
                address=LOCAL,
                logging_level=WARNING,
                num_cpus=workers,
                include_dashboard=False,
                log_to_driver=False,
                object_store_memory=MEMORY,
                _node_ip_address="127.0.0.1",
            )
        else:
            ray.init(address=address, logging_level=WARNING, log_to_driver=False)
    try:
        if not _asks_for_token():
            raise ClusterFault("this Ray asks for no token: take 2.52 or later")
        yield ray
    finally:
        ray.shutdown()


def _asks_for_token() -> bool:
    """As Ray itself says, in a place that it may move, and had not before 2.52."""
    try:
        checks = import_module("ray._private.authentication.authentication_utils")
        return bool(checks.is_token_auth_enabled())
    except (ImportError, AttributeError):
        raise ClusterFault(
            "whether this Ray asks for a token cannot be seen: take 2.52 or later, as far as 2.60"
        ) from None


@contextmanager
def _said(ray: Any, address: str) -> Iterator[None]:
    try:
        yield
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise ClusterFault(f"{address}: the cluster cannot be reached: {error}") from error


async def published(run: Run) -> ChainTask | None:
    """A chain on whose log the plan stands, where it is written if need be, and the plan's digest;
    nothing where every chain is over."""
    left = {one.world: one for one in run.program.chains if not run.is_over(one)}
    for one in left.values():
        planned = run.stand(one).planned
        if planned and digest_of(planned) == digest_of(one.planned):
            return ChainTask(one.world, digest_of(planned))
    if not left:
        return None
    leases = run.log.store.leases
    assert leases is not None, "it is no file"
    some = list(left)[:WINDOW]
    claimed = await leases.claim(some, holder(), LASTS * HEARTBEAT, again=some)
    if not claimed:
        raise BeingPlayed(
            f"{some[0]!r} and all others are played by another plan's run: wait for it"
        )
    one = left[claimed[0]]
    try:
        await run.catch_up(one)
        stand, rules = run.stand(one), one.rules()
        drafts = chain.replanned(stand, rules)
        if stand.head == 0:
            drafts = chain.opening(one.setting, rules, one.count())
        await run.log.append(one.world, drafts, expect=exactly(stand.head))
    finally:
        await leases.release([one.world])
    return ChainTask(one.world, digest_of(one.planned))


class WatchedWork(Protocol):
    """What workers do together, as whoever started them sees it."""

    control: Control

    @property
    def all_over(self) -> bool: ...

    @property
    def done(self) -> int:
        """How much of it: a number that grows."""
        ...

    async def look(self) -> None:
        """See how far they are."""
        ...


class Crew:
    """Workers of a kind at one task, until each has ended. Who dies is replaced, where more was
    done since the last death, or there were few in a row."""

    def __init__(self, ray: Any, kind: type[ClusterWorker], task: Any, size: int) -> None:
        self._ray, self._task, self._size = ray, task, size
        # Ray's own restarts are off: whoever takes over does it by leases.
        self._kind = ray.remote(max_restarts=0, max_task_retries=0, max_concurrency=2, num_cpus=1)(
            kind
        )
        self._deaths, self._grown = 0, 0
        self._at_work: dict[asyncio.Future[str], Any] = {}

    async def work(self, work: WatchedWork) -> None:
        for _ in range(self._size):
            self._start()
        stopping = False
        while self._at_work:
            done, _ = await asyncio.wait(
                self._at_work, timeout=LOOKS, return_when="FIRST_COMPLETED"
            )
            for one in done:
                self._ended(one, work)
            await work.look()
            if self._deaths and not await asyncio.to_thread(self._has_machine):
                work.control.stop(NO_MACHINE)
                return
            if work.control.reason is not None and not stopping:
                stopping = True
                for worker in self._at_work.values():
                    worker.stop.remote(work.control.reason)

    def _has_machine(self) -> bool:
        """Whether any is left: what is started on none waits for ever."""
        try:
            return any(one["Alive"] for one in self._ray.nodes())
        except (self._ray.exceptions.RayError, RuntimeError):
            return False  # nor anybody who would know

    def _start(self) -> None:
        worker = self._kind.remote()
        ref = worker.work.remote(self._task)
        self._at_work[asyncio.wrap_future(ref.future())] = worker

    def _ended(self, one: asyncio.Future[str], work: WatchedWork) -> None:
        del self._at_work[one]
        error = one.exception()
        if error is None:
            if (reason := one.result()) and not work.all_over:
                work.control.stop(reason)
        elif not isinstance(error, self._ray.exceptions.RayError):
            raise error
        elif work.control.reason is None:
            self._died(error, work)

    def _died(self, error: BaseException, work: WatchedWork) -> None:
        self._deaths = 1 if work.done > self._grown else self._deaths + 1
        self._grown = work.done
        if self._deaths >= DEATHS:
            work.control.stop(f"{DEATHS} workers died one after another: {error}")
        else:
            self._start()
