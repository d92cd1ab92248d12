"""Several processes at one plan and one PostgreSQL log: each chain is played once, whoever dies."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NoReturn

import asyncpg
import pytest
from model_servers import by_digest, serving
from msgspec.structs import replace
from postgres_server import Cluster
from shared_runs import Sharers, freeze, over, thaw
from waiting import until

from whoknew.engine.plan.plan import NO_LIMIT, Episodes, Plan
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.spent import Spent
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.cluster import published
from whoknew.engine.running.cluster_worker import digest_of as digest_of_plan
from whoknew.engine.running.free_chains import FreeChains
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.run_report import RunReport
from whoknew.eventlog import open_log
from whoknew.eventlog.errors import StoreUnavailable
from whoknew.eventlog.stores.postgres import PostgresStore
from whoknew.eventlog.stores.store import World
from whoknew.testing.small_chain import SETTING, digest_of

PLAN = Plan("ferry", chains=6, at_once=2, episodes=Episodes(turns=4))


async def shared(log: str, plan: Plan = PLAN) -> RunReport:
    async with open_run(Program.of(plan, SETTING, log)) as run:
        await run.survey()
        return await run.play()


async def stories(log: str) -> dict[str, str]:
    async with open_log(log, read_only=True) as opened:
        return {one.name: await digest_of(opened, one.name) for one in await opened.worlds()}


async def never(_: object) -> set[str]:
    raise AssertionError("nothing was ended by others")


@pytest.mark.usefixtures("kept_leases")
async def test_two_who_play_one_plan_share_its_chains(tmp_path: Path, database: str) -> None:
    both = await asyncio.gather(shared(database), shared(database))
    assert all(one.finished for one in both)
    assert both[0].chains == both[1].chains
    assert (await shared(str(tmp_path / "alone.db"))).chains == both[0].chains
    assert await stories(database) == await stories(str(tmp_path / "alone.db"))


@pytest.mark.usefixtures("kept_leases")
async def test_what_is_over_is_held_by_nobody(database: str) -> None:
    await shared(database)
    async with open_log(database) as log:
        assert log.store.leases is not None
        assert await log.store.leases.all() == []
    assert (await shared(database)).finished


async def test_those_who_ask_meanwhile_are_given_theirs_by_one_claim(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"w{number}" for number in range(9)]
    asked = []
    async with open_log(database) as log:
        leases = log.store.leases
        assert leases is not None
        claim = leases.claim

        async def counted(*given: Any) -> list[str]:
            asked.append(given[3])
            return await claim(*given)

        monkeypatch.setattr(leases, "claim", counted)
        free = FreeChains(
            names,
            over=(),
            see=never,
            control=Control(NO_LIMIT, Spent()),
            leases=leases,
            progress=Progress(),
        )
        given = await asyncio.gather(*(free.next() for _ in range(6)))
        assert asked == [1, 5]
        assert given == names[:6] == [one.world for one in await leases.all()]


async def test_those_that_were_claimed_together_are_looked_for_together(database: str) -> None:
    told = list[Sequence[str]]()

    async def about_to_begin(names: Sequence[str]) -> None:
        told.append(names)
        raise StoreUnavailable("away")  # then whoever plays one looks for it

    async with open_log(database) as log:
        leases = log.store.leases
        assert leases is not None
        await leases.claim(["w0"], "another", 60)
        await leases.release(["w0"])  # who held it may have begun it
        free = FreeChains(
            [f"w{number}" for number in range(6)],
            over=(),
            see=never,
            about_to_begin=about_to_begin,
            control=Control(NO_LIMIT, Spent()),
            leases=leases,
            progress=Progress(),
        )
        given = await asyncio.gather(*(free.next() for _ in range(6)))
    assert given == ["w0", "w1", "w2", "w3", "w4", "w5"]
    assert told == [["w1", "w2", "w3", "w4", "w5"]]


@pytest.mark.usefixtures("kept_leases")
async def test_a_run_looks_for_none_of_the_worlds_that_it_begins_together(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = list[str]()
    find = PostgresStore.find

    async def counted(store: PostgresStore, world: str) -> World | None:
        looked.append(world)
        return await find(store, world)

    monkeypatch.setattr(PostgresStore, "find", counted)
    async with open_run(Program.of(replace(PLAN, at_once=6), SETTING, database)) as run:
        await run.survey()
        assert (await run.play()).finished
        assert len(set(looked)) <= 1 < len(run.program.worlds)  # the first is claimed alone


@pytest.mark.usefixtures("kept_leases")
async def test_what_others_have_ended_is_held_by_nobody_to_see_that(database: str) -> None:
    async with open_run(Program.of(PLAN, SETTING, database)) as run:
        await run.survey()
        first = await shared(database)
        claimed = await epochs(database)
        report = await run.play()
    assert report.chains == first.chains
    assert await epochs(database) == claimed == dict.fromkeys(run.program.worlds, 1)


@pytest.mark.usefixtures("kept_leases")
async def test_of_what_others_have_ended_one_that_is_damaged_is_told_and_the_others_are_seen(
    database: str,
) -> None:
    async with open_run(Program.of(PLAN, SETTING, database)) as run:
        await run.survey()
        first = await shared(database)
        await deleted(database, run.program.worlds[2], 5)
        report = await run.play()
    assert [one.state for one in report.chains].count("finished") == 5
    assert report.chains[2].state == "suspended" and "#5" in (report.chains[2].reason or "")
    assert run.progress.tally.turns < sum(one.turns for one in first.chains)


@pytest.mark.usefixtures("kept_leases")
async def test_what_others_played_counts_as_much_as_what_was_played_here(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it is seen half-way, and in pieces."""
    monkeypatch.setattr("whoknew.eventlog.log.PAGE", 7)
    async with open_run(Program.of(PLAN, SETTING, database)) as seeing:
        await seeing.survey()
        async with open_run(Program.of(PLAN, SETTING, database)) as playing:
            await playing.survey()
            play = asyncio.ensure_future(playing.play())
            while not play.done():
                await seeing.look()
                await asyncio.sleep(0.01)
        assert (await play).finished
        await seeing.look()
    seen, played = seeing.progress, playing.progress
    for name in ("opened", "closed", "turns", "acts", "failed", "started", "newest"):
        assert getattr(seen.tally, name) == getattr(played.tally, name)
    assert (seen.spent.calls, seen.spent.tokens) == (played.spent.calls, played.spent.tokens)
    assert seen.finished == played.finished == PLAN.chains


async def test_a_database_that_is_away_is_waited_for_once_for_all_chains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_run(Program.of(PLAN, SETTING, str(tmp_path / "log.db"))) as run:
        await run.survey()
        asked = []

        async def away(names: Sequence[str]) -> NoReturn:
            asked.append(len(names))
            raise StoreUnavailable("away")

        monkeypatch.setattr(run.log.store, "found", away)
        with pytest.raises(StoreUnavailable):
            await run.look()
    assert asked == [PLAN.chains]


@pytest.mark.usefixtures("kept_leases")
async def test_of_what_others_have_ended_more_is_played_where_a_plan_has_more(
    tmp_path: Path, database: str
) -> None:
    longer = replace(PLAN, episodes=Episodes(turns=4, repeat=2))
    await shared(database)
    report, beside = await asyncio.gather(shared(database, longer), shared(database, longer))
    assert report.finished and report.chains == beside.chains
    assert (await shared(str(tmp_path / "alone.db"), longer)).chains == report.chains


@pytest.mark.usefixtures("kept_leases")
async def test_a_plan_that_has_more_is_put_on_a_log_where_the_shorter_one_has_ended(
    database: str,
) -> None:
    await shared(database)
    longer = replace(PLAN, episodes=Episodes(turns=4, repeat=2))
    async with open_run(Program.of(longer, SETTING, database)) as run:
        await run.survey()
        task = await published(run)
    assert task is not None and task.digest == digest_of_plan(run.program.chains[0].planned)


async def deleted(database: str, world: str, seq: int) -> None:
    of_it = "world = (SELECT id FROM whoknew.worlds WHERE name = $1) AND seq = $2"
    connection = await asyncpg.connect(database)
    try:
        await connection.execute(f"DELETE FROM whoknew.events WHERE {of_it}", world, seq)
    finally:
        await connection.close()


async def epochs(database: str) -> dict[str, int]:
    connection = await asyncpg.connect(database)
    try:
        rows = await connection.fetch("SELECT world, epoch FROM whoknew.leases")
    finally:
        await connection.close()
    return dict(rows)


@pytest.mark.usefixtures("kept_leases")
async def test_who_waits_for_others_can_be_stopped(database: str) -> None:
    async with open_run(Program.of(PLAN, SETTING, database)) as run:
        leases = run.log.store.leases
        assert leases is not None
        await run.survey()
        async with open_log(database) as other:
            assert other.store.leases is not None
            await other.store.leases.claim(run.program.worlds, "another", 3600, 6)
            playing = asyncio.create_task(run.play())
            await until(lambda: run.progress.elsewhere == 6)
            run.control.stop("stopped by a test")
            report = await playing
    assert {one.state for one in report.chains} == {"suspended"}
    assert report.reason == "stopped by a test"


@pytest.mark.usefixtures("kept_leases")
async def test_a_chain_that_another_began_by_another_plan_is_refused(database: str) -> None:
    async with open_run(Program.of(PLAN, SETTING, database)) as run:
        await run.survey()
        await shared(database, Plan("ferry", seed=7, episodes=Episodes(turns=4)))
        report = await run.play()
    first, *others = report.chains
    assert first.state == "refused"
    assert "played by another plan meanwhile: seed" in (first.reason or "")
    assert all(one.state == "finished" for one in others)


async def test_a_dead_and_a_frozen_process_cost_nothing(
    tmp_path: Path, postgres: Cluster, database: str
) -> None:
    """One is frozen until its chains are another's, one is killed; a third ends what they began."""
    async with serving("openai", after=by_digest) as server, AsyncExitStack() as stack:
        alone = Sharers(str(tmp_path / "alone.db"), server, 4)
        await over(await stack.enter_async_context(alone.one()))
        needed = server.calls
        server.asked.clear()

        sharers = Sharers(database, server, 4)
        server.going.clear()
        frozen = await stack.enter_async_context(sharers.one())
        await server.until_asked(2, by=frozen)
        freeze(frozen)
        killed = await stack.enter_async_context(sharers.one())
        await server.until_asked(4, by=killed)
        killed.kill()
        last = await stack.enter_async_context(sharers.one())
        await sharers.until_taken_over(frozen)
        server.going.set()
        await over(last)
        calls = server.calls
        thaw(frozen)
        await over(frozen)
        assert server.calls == calls
        assert calls - needed == await sharers.unanswered() == 4
        assert await sharers.recorded() == needed
        assert await sharers.stories() == await alone.stories()
