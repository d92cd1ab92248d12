"""What goes wrong with one chain stays with it; what concerns all of them stops all."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from model_servers import Doing, Server, by_digest, serving
from waiting import until

from whoknew.agents import errors as agents
from whoknew.engine.errors import concerns_all
from whoknew.engine.plan.plan import Episodes, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.run_report import RunReport
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog import errors as eventlog
from whoknew.eventlog.kinds import Called, Narrated
from whoknew.testing.small_chain import SETTING


def plan(server: Server, chains: int = 8) -> Plan:
    model = f"{server.url}#m"
    return Plan(
        "ferry",
        chains=chains,
        episodes=Episodes(play=("sunday",), turns=3),
        agents={"everyone": Seat(model=model, memory="none")},
        models={model: ModelSettings(attempts=1)},
    )


async def played(plan: Plan, log: Path | str) -> RunReport:
    async with open_run(Program.of(plan, SETTING, str(log))) as run:
        await run.survey()
        return await run.play()


def states(report: RunReport) -> list[str]:
    return sorted(one.state for one in report.chains)


@pytest.mark.parametrize("status", [400, 404, 413, 422])
async def test_one_refused_call_suspends_its_own_chain_alone(tmp_path: Path, status: int) -> None:
    refusals = [Doing("the context is too long", status)]
    async with serving("openai", refusals, after=by_digest) as server:
        report = await played(plan(server), tmp_path / "a.db")
        assert states(report) == ["finished"] * 7 + ["suspended"]
        assert report.reason is None
        (one,) = [one for one in report.chains if one.state == "suspended"]
        assert "the context is too long" in (one.reason or "")
        assert (await played(plan(server), tmp_path / "a.db")).finished


@pytest.mark.parametrize("status", [401, 402, 403, 500])
async def test_a_key_that_is_refused_or_a_server_that_stays_away_stops_all(
    tmp_path: Path, status: int
) -> None:
    async with serving("openai", after=Doing("no", status)) as server:
        report = await played(plan(server, 80), tmp_path / "a.db")
        assert states(report) == ["suspended"] * 80
        assert f"answered {status}" in (report.reason or "")
        assert server.calls <= 64, "only those that were at it have asked"


async def test_a_call_that_waited_as_its_run_was_stopped_is_told_by_what_its_server_said(
    tmp_path: Path,
) -> None:
    """And costs nothing, where that refused it."""
    busy = Doing("slow down", 429, {"Retry-After": "60"})
    async with serving("openai", [Doing("overloaded", 500)], after=busy) as server:
        address = f"{server.url}#m"
        plan = Plan(
            "ferry",
            episodes=Episodes(play=("sunday",), turns=2),
            agents={"everyone": Seat(model=address, memory="none")},
            models={address: ModelSettings(price_in=1.0, price_out=1.0)},
        )
        async with open_run(Program.of(plan, SETTING, str(tmp_path / "log.db"))) as run:
            await run.survey()
            playing = asyncio.create_task(run.play())
            await until(lambda: "slow down" in run.control.retried.get(address, ""))
            run.control.stop("stopped by a test")
            report = await playing
            events = [event async for event in run.log.read("ferry")]
    (call,) = [event.body for event in events if isinstance(event.body, Called)]
    assert call.error == f"{address} answered 429: slow down; not made again: stopped by a test"
    assert (call.attempts, call.money) == (2, 0.0)
    assert report.chains[0].money == 0.0


async def test_who_loses_the_head_of_its_world_is_suspended_alone(
    tmp_path: Path, database: str
) -> None:
    """Another process goes on with the story of one of the worlds that are being played."""
    async with serving("openai", after=by_digest) as server, open_log(database) as other:
        server.going.clear()
        playing = asyncio.create_task(played(plan(server, 4), database))
        await server.until_asked(4)  # each of its worlds has begun
        await other.append("ferry-2", [Draft(Narrated("The tide turns."))])
        server.going.set()
        report = await playing
        assert states(report) == ["finished"] * 3 + ["suspended"]
        assert report.reason is None
        (one,) = [one for one in report.chains if one.state == "suspended"]
        assert one.world == "ferry-2"
        assert "'ferry-2' is written to by somebody else" in (one.reason or "")
        assert (await played(plan(server, 4), database)).finished
        events = await (await other.director("ferry-2")).events()
    calls = [one.body.digest for one in events if isinstance(one.body, Called)]
    assert len(calls) == len(set(calls))


@pytest.mark.parametrize(
    ("error", "all_of_them"),
    [
        (agents.ServerUnavailable("gone"), True),
        (agents.Busy("later"), True),
        (agents.KeyRefused("401"), True),
        (agents.Rejected("400"), False),
        (agents.NotRecorded("nothing"), False),
        (eventlog.OutOfSpace("full"), True),
        (eventlog.OutcomeUnknown("broken"), True),
        (eventlog.LogClosed("closed"), True),
        (eventlog.Conflict("ferry", 1, 2), False),
        (eventlog.Refused("no"), False),
        (eventlog.Damaged("one event"), False),
        (ZeroDivisionError("ours"), False),
    ],
)
def test_what_concerns_all_is_told_from_what_concerns_one(
    error: Exception, all_of_them: bool
) -> None:
    assert concerns_all(error) == all_of_them


async def test_a_world_that_the_index_of_names_has_lost_is_not_begun_again(tmp_path: Path) -> None:
    """A byte of its name is another one there: the table has it still."""
    log = tmp_path / "a.db"
    alone = Plan("ferry", name="qqferryqq", episodes=Episodes(turns=2))
    assert (await played(alone, log)).finished
    with closing(sqlite3.connect(log)) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_worlds_1'"
        ((page,),) = file.execute(sql)
        ((size,),) = file.execute("PRAGMA page_size")
    content = bytearray(log.read_bytes())
    place = content.index(b"qqferryqq", (page - 1) * size)
    assert place < page * size
    content[place + 2] = ord("g")
    log.write_bytes(content)
    with pytest.raises(eventlog.Damaged, match="'qqferryqq'"):
        await played(alone, log)
    with closing(sqlite3.connect(log)) as file:
        assert file.execute("SELECT name FROM worlds NOT INDEXED").fetchall() == [("qqferryqq",)]
