"""PostgreSQL: connections that break, servers that stop, transactions that commit out of order."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextvars import Context
from itertools import count
from pathlib import Path

import pytest
from adversity.proxy import Proxy
from postgres_server import Cluster
from small_worlds import opened, said
from waiting import PATIENCE, until

from whoknew.eventlog import Log, exactly, verify
from whoknew.eventlog.errors import OutcomeUnknown, StoreUnavailable

asyncpg = pytest.importorskip("asyncpg")

from whoknew.eventlog.stores.postgres import PostgresStore
from whoknew.eventlog.stores.store import START

pytestmark = pytest.mark.filterwarnings(
    # What is cut in the middle leaves sockets behind, of the proxy's and of asyncpg's.
    "ignore::ResourceWarning",
    "ignore::pytest.PytestUnraisableExceptionWarning",
)


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder with a short path, for a socket."""
    with tempfile.TemporaryDirectory(prefix="px-", dir="/tmp") as folder:
        yield Path(folder)


def through(url: str, folder: Path) -> str:
    return f"{url.partition('?')[0]}?host={folder}"


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_breaks_each_append_is_in_the_log_exactly_once(
    postgres: Cluster, database: str, elsewhere: Path, seed: int
) -> None:
    async with Proxy(elsewhere, postgres.folder, seed) as proxy:
        store = PostgresStore(through(database, elsewhere), patience=PATIENCE)
        async with Log(store) as log:
            await asyncio.gather(*(log.append(f"w{n}", opened("Hamlet")) for n in range(4)))
            proxy.odds = 0.03

            async def live(task: int) -> list[tuple[str, int, str]]:
                told = []
                for turn in count():
                    if turn >= 50 and proxy.cuts > 3:
                        break
                    text = f"{task}.{turn}"
                    appended = await log.append(f"w{task % 4}", [said("Hamlet", text)])
                    told.append((appended.world, appended.last, text))
                return told

            acknowledged = await asyncio.gather(*(live(task) for task in range(16)))
            proxy.odds = 0.0
    async with Log(PostgresStore(database)) as log:
        written = {
            (event.world, event.seq): event.body.words
            for n in range(4)
            async for event in log.read(f"w{n}", "#2")
        }
        assert Counter(written.values()) == Counter(
            text for told in acknowledged for *_, text in told
        )
        assert all(
            written[world, seq] == text for told in acknowledged for world, seq, text in told
        )
        assert (await verify(log)).faults == ()


async def test_an_expected_head_holds_across_a_broken_connection(
    postgres: Cluster, database: str, elsewhere: Path
) -> None:
    async with Proxy(elsewhere, postgres.folder, 7) as proxy:
        store = PostgresStore(through(database, elsewhere), patience=PATIENCE)
        async with Log(store) as log:
            await log.append("w", opened("Hamlet"))
            proxy.odds = 0.03
            for seq in count(2):
                if seq >= 80 and proxy.cuts > 3:
                    break
                appended = await log.append("w", [said("Hamlet", f"{seq}")], expect=exactly(seq))
                assert appended.last == seq + 1
            proxy.odds = 0.0


async def test_a_backend_that_is_ended_in_the_middle_loses_nothing(database: str) -> None:
    stranger = await asyncpg.connect(database)
    async with Log(PostgresStore(database)) as log:
        await log.append("w", opened("Hamlet"))

        async def live(task: int) -> None:
            for turn in range(40):
                await log.append("w", [said("Hamlet", f"{task}.{turn}")])

        async with asyncio.TaskGroup() as group:
            for task in range(8):
                group.create_task(live(task))
            for _ in range(8):
                await asyncio.sleep(0.02)
                await stranger.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
        texts = [event.body.words async for event in log.read("w", "#2")]
        assert sorted(texts) == sorted(f"{task}.{turn}" for task in range(8) for turn in range(40))
    await stranger.close()


async def test_a_server_that_stays_away_is_said_to_and_what_is_unknown_too(
    postgres: Cluster, database: str, elsewhere: Path
) -> None:
    proxy = Proxy(elsewhere, postgres.folder, 1)
    await proxy.__aenter__()
    async with Log(PostgresStore(through(database, elsewhere), patience=0.5)) as log:
        await log.append("w", opened("Hamlet"))
        proxy.odds = 1.0
        with pytest.raises(OutcomeUnknown, match="may be in the log or not; read the head"):
            await log.append("w", [said("Hamlet", "Who's there?")], key="once")
        with pytest.raises(StoreUnavailable):
            await log.append("w", [said("Hamlet", "Anyone?")])
        proxy.odds = 0.0
        once = await log.append("w", [said("Hamlet", "Who's there?")], key="once")
        assert once.last == 3
        assert (await log.head("w")).seq == 3
    await proxy.__aexit__()


async def test_who_shares_a_run_waits_longer_until_the_run_is_to_stop(
    postgres: Cluster, database: str, elsewhere: Path
) -> None:
    """Without patience of its own: whoever else reads is told at once."""
    goes_on = True
    async with (
        Proxy(elsewhere, postgres.folder, 1) as proxy,
        Log(PostgresStore(through(database, elsewhere), patience=0)) as log,
    ):
        await log.append("w", opened("Hamlet"))
        await log.store.find("w")
        leases = log.store.leases
        assert leases is not None
        with leases.patience.shared(lambda: goes_on):
            proxy.odds = 1.0
            appending = asyncio.create_task(log.append("w", [said("Hamlet", "Who's there?")]))
            finding = asyncio.create_task(log.store.find("w"))
            with pytest.raises(StoreUnavailable):
                await asyncio.create_task(log.store.find("w"), context=Context())
            await until(lambda: proxy.cuts >= 8)
            assert not appending.done()
            assert not finding.done()
            proxy.odds = 0.0
            assert (await appending).last == 3
            assert await finding is not None
            proxy.odds = 1.0
            waiting = asyncio.create_task(log.append("w", [said("Hamlet", "Anyone?")]))
            cuts = proxy.cuts
            await until(lambda: proxy.cuts > cuts + 2)
            goes_on = False
            with pytest.raises(StoreUnavailable):
                await waiting
        with pytest.raises(StoreUnavailable):
            await log.store.find("w")


# commits in another order than they began


async def test_a_follower_of_all_worlds_waits_for_a_slow_transaction(database: str) -> None:
    """It began first and commits last: who reads past it would never see it."""
    async with Log(PostgresStore(database)) as log:
        await log.append("slow", opened("Hamlet"))
        await log.append("fast", opened("Hamlet"))
        body = (await log.store.read("slow", 1, 2, 1))[0]
        slow = await asyncpg.connect(database)
        transaction = slow.transaction()
        await transaction.start()
        await slow.execute(
            "INSERT INTO whoknew.events(world, seq, hash, body) "
            "SELECT id, 3, '\\x00', $1 FROM whoknew.worlds WHERE name = 'slow'",
            body.replace(b'"seq":2', b'"seq":3'),
        )
        seen: list[tuple[str, int]] = []

        async def follow() -> None:
            async for placed in log.follow_all():
                seen.append((placed.event.world, placed.event.seq))
                if len(seen) == 8:
                    return

        following = asyncio.create_task(follow())
        for _ in range(3):
            await log.append("fast", [said("Hamlet", "first!")])
        assert len(await log.store.arrivals(START, 100)) == 4, "no follower can see more"
        await transaction.commit()
        async with asyncio.timeout(PATIENCE):
            await following
        assert seen[:4] == [("slow", 1), ("slow", 2), ("fast", 1), ("fast", 2)]
        assert sorted(seen[4:]) == [("fast", 3), ("fast", 4), ("fast", 5), ("slow", 3)]
        await slow.close()


async def test_followers_miss_none_of_several_writers(database: str) -> None:
    writers, turns = 4, 30
    async with Log(PostgresStore(database)) as first:
        await asyncio.gather(*(first.append(f"w{n}", opened("Hamlet")) for n in range(writers)))
        total = writers * 2 + writers * 4 * turns
        seen: list[tuple[str, int]] = []

        async def follow() -> None:
            async for placed in first.follow_all():
                seen.append((placed.event.world, placed.event.seq))
                if len(seen) == total:
                    return

        async def write(n: int) -> None:
            async with Log(PostgresStore(database)) as log:

                async def live(task: int) -> None:
                    for turn in range(turns):
                        await log.append(f"w{(n + task) % writers}", [said("Hamlet", f"{turn}")])

                await asyncio.gather(*(live(task) for task in range(4)))

        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            group.create_task(follow())
            for n in range(writers):
                group.create_task(write(n))
        assert len(set(seen)) == total
        for n in range(writers):
            seqs = [seq for world, seq in seen if world == f"w{n}"]
            assert seqs == list(range(1, len(seqs) + 1))
        assert (await verify(first)).faults == ()
