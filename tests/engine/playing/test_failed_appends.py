"""When what a chain writes cannot be written: nothing paid for is lost, and nobody else is blamed."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from adversity.failing_disk import Disk, failing_disk
from model_servers import Doing, Server, by_digest, serving

from whoknew.engine.errors import BeingPlayed
from whoknew.engine.plan.plan import Episodes, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.playing import chain
from whoknew.engine.playing.settling import settle_all
from whoknew.engine.playing.tally import Tally
from whoknew.engine.running.chains import Run
from whoknew.engine.running.models import ModelPool
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.run_report import RunReport
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.errors import OutOfSpace, Refused, StoreUnavailable
from whoknew.eventlog.kinds import Called, MarkPlaced, Narrated
from whoknew.eventlog.stores.sqlite import SqliteStore
from whoknew.eventlog.writer import Appended
from whoknew.testing.small_chain import SETTING, chain_of_minds, episodes
from whoknew.testing.stub_models import ByDigest
from whoknew.worlds.setting import Order

ORDERS: tuple[Order, ...] = ("round-robin", "simultaneous")


class Away(Log):
    """A log whose database is away for a moment, when the n-th batch with calls is to be written."""

    def __init__(self, file: Path, nth: int = 0) -> None:
        super().__init__(SqliteStore(file))
        self._nth = nth

    def append(
        self, world: str, drafts: Sequence[Draft], **given: Any
    ) -> Coroutine[Any, Any, Appended]:
        self._nth -= any(isinstance(one.body, Called) for one in drafts)
        if self._nth == 0:
            self._nth = -1
            return self._away()
        return super().append(world, drafts, **given)

    async def _away(self) -> Appended:
        await asyncio.sleep(0)
        raise StoreUnavailable("the database went away for a moment")


def plan(server: Server, order: Order, chains: int = 2) -> Plan:
    model = f"{server.url}#m"
    return Plan(
        "ferry",
        chains=chains,
        episodes=Episodes(play=("sunday",), turns=3, order=order),
        agents={"everyone": Seat(model=model, memory="none")},
        models={model: ModelSettings(attempts=1)},
    )


async def played(plan: Plan, log: Log) -> RunReport:
    program = Program.of(plan, SETTING, "")
    async with ModelPool(program.chains) as models:
        run = Run(program, log, models, Progress())
        await run.survey()
        return await run.play()


async def tallies(log: Log) -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    async for placed in log.read_all():
        found.setdefault(placed.event.world, Tally()).take(placed.event)
    return found


async def check_figures(report: RunReport, log: Log) -> int:
    """A report says what its log holds; the calls in all."""
    on_log = await tallies(log)
    for one in report.chains:
        tally = on_log.get(one.world, Tally())
        assert (one.calls, one.turns) == (tally.spent.calls, tally.turns), one.world
    return sum(one.spent.calls for one in on_log.values())


@pytest.mark.parametrize("nth", [1, 2, 5])
@pytest.mark.parametrize("order", ORDERS)
async def test_every_answer_outlives_an_append_that_failed(
    tmp_path: Path, order: Order, nth: int
) -> None:
    async with (
        serving("openai", after=by_digest) as server,
        Away(tmp_path / "a.db", nth) as log,
    ):
        report = await played(plan(server, order), log)
        assert report.reason == "the database went away for a moment", "it stops all"
        assert not any("somebody else" in (one.reason or "") for one in report.chains)
        assert await check_figures(report, log) == server.calls
        assert (await played(plan(server, order), log)).finished
        assert sum(one.spent.calls for one in (await tallies(log)).values()) == server.calls


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    with failing_disk(monkeypatch) as disk:
        yield disk


@pytest.mark.parametrize("order", ORDERS)
async def test_on_a_full_disk_a_run_reports_what_its_log_holds(
    tmp_path: Path, disk: Disk, order: Order
) -> None:
    calls = 0

    def fills(asked: Any) -> Doing:
        nonlocal calls
        calls += 1
        if calls == 4:
            disk.left = 0
        return by_digest(asked)

    async with (
        serving("openai", after=fills) as server,
        Log(SqliteStore(tmp_path / "a.db", driver="apsw")) as log,
    ):
        report = await played(plan(server, order), log)
        assert "full" in (report.reason or "")
        lost = server.calls - await check_figures(report, log)
        assert lost <= 6, "no more than were in flight"
        disk.left = None
        assert (await played(plan(server, order), log)).finished
        on_log = sum(one.spent.calls for one in (await tallies(log)).values())
        assert server.calls - on_log == lost, "no answer that is on the log is paid for twice"


async def test_what_a_refused_turn_was_answered_is_on_the_log(tmp_path: Path) -> None:
    """A batch that breaks a law is refused alone."""
    async with Log(SqliteStore(tmp_path / "a.db")) as log:
        run = await chain_of_minds(log, ByDigest())
        await chain.play(run, SETTING, episodes()[:1])
        head = run.state.head
        run.log.hold(Draft(Called("act", "digest:", "d", reply="Paid."), actor="Oda"))
        with pytest.raises(Refused):
            await run.log.append([Draft(MarkPlaced("x"), witnesses=("Nobody",))])
        await run.log.save_held()
        assert run.state.head == (await log.head("ferry")).seq == head + 1


async def test_appends_of_one_chain_go_one_after_another(tmp_path: Path) -> None:
    async with Log(SqliteStore(tmp_path / "a.db")) as log:
        run = await chain_of_minds(log, ByDigest())
        await chain.play(run, SETTING, episodes()[:1])
        await asyncio.gather(*(run.log.append([Draft(MarkPlaced(f"{n}"))]) for n in range(20)))
        assert run.state.head == (await log.head("ferry")).seq


async def test_an_append_that_is_under_way_is_seen_to_its_end_when_cancelled(
    tmp_path: Path,
) -> None:
    async with Log(SqliteStore(tmp_path / "a.db")) as log:
        run = await chain_of_minds(log, ByDigest())
        await chain.play(run, SETTING, episodes()[:1])
        appending = asyncio.create_task(run.log.append([Draft(MarkPlaced("x"))]))
        await asyncio.sleep(0)
        appending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await appending
        assert run.state.head == (await log.head("ferry")).seq
        await run.log.append([Draft(MarkPlaced("y"))])


async def test_after_a_failed_append_the_first_error_is_raised_again(tmp_path: Path) -> None:
    async with Log(SqliteStore(tmp_path / "a.db")) as log:
        run = await chain_of_minds(log, ByDigest())
        await chain.play(run, SETTING, episodes()[:1])
        await log.append("ferry", [Draft(Narrated("Somebody else goes on."))])
        for _ in range(2):
            with pytest.raises(BeingPlayed, match="somebody else"):
                await run.log.append([Draft(MarkPlaced("x"))])


async def test_of_several_errors_one_that_concerns_all_is_raised() -> None:
    async def fails(error: Exception) -> None:
        raise error

    with pytest.raises(OutOfSpace):
        await settle_all([fails(BeingPlayed("one")), fails(OutOfSpace("full"))])
