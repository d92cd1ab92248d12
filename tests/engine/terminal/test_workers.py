"""`whoknew workers`, and what else is seen and done of all who play one log."""

from __future__ import annotations

from pathlib import Path

from command_runner import run
from kitchen_runs import command, plan, said
from kitchen_workers import heard, two_at_work
from store_places import PostgresPlace


def test_a_log_that_nobody_plays_and_a_file(tmp_path: Path, database: str) -> None:
    assert "nobody plays it" in run("workers", "--log", database).stdout
    assert "is a file, which one process plays" in run("workers", "--log", "a.db", rc=1).stderr


async def test_all_who_play_a_log_are_shown_and_one_or_all_are_stopped(
    tmp_path: Path, database: str
) -> None:
    async with two_at_work(tmp_path, database) as (runs, server, stack):
        shown = await said("workers", "--log", database, folder=tmp_path, COLUMNS="200")
        first, second = (f"process {one.pid} on " for one in runs)
        assert first in shown and second in shown and "in all: 2" in shown
        drained = await heard(database, runs[0])
        stopping = command("stop", drained, "--log", database, folder=tmp_path)
        ends = await stack.enter_async_context(stopping)
        assert ends.stderr is not None
        assert b"are finished" in await ends.stderr.readline()
        await heard(database, runs[0])
        server.going.set()
        assert f"stopped {drained}" in (await ends.communicate())[0].decode()
        assert await runs[0].wait() == 3
        told = (await runs[0].communicate())[0].decode()
        assert "It stopped: `whoknew stop`" in told
        await said("stop", "nothing", "--log", database, folder=tmp_path, rc=1)
        assert await runs[1].wait() == 0  # what was given back it plays, too


def test_the_doctor_of_a_cluster_compares_machines(
    database: str, tmp_path: Path, postgres: object
) -> None:
    assert "fault" in run("doctor", "--cluster", "--log", tmp_path / "a.db", "--json", rc=1).stdout
    fine = " ".join(run("doctor", "--cluster", "--log", database).stdout.split())
    assert "no other yet" in fine and "as the database's" in fine
    place = PostgresPlace(postgres, database)  # type: ignore[arg-type]
    place.execute(
        "INSERT INTO whoknew.workers SELECT 'x', 'process 7 on far', '0.0.1', '', worlds, began, seen,"
        " 3600, figures, NULL FROM whoknew.workers"
    )
    odd = " ".join(run("doctor", "--cluster", "--log", database, rc=1).stdout.split())
    assert "process 7 on far has 0.0.1" in odd
    assert "process 7 on far is 3600 s ahead" in odd


def test_who_has_another_version_than_those_at_work_begins_nothing(
    database: str, tmp_path: Path, postgres: object
) -> None:
    given = plan(tmp_path, "offline:", "chains = 2")
    run("doctor", "--cluster", "--log", database)  # its tables are there now
    place = PostgresPlace(postgres, database)  # type: ignore[arg-type]
    place.execute(
        "INSERT INTO whoknew.workers VALUES ('x', 'process 7 on far', '0.0.1', 'kitchen 1f0c', "
        "ARRAY['kitchen-2'], now(), now(), 0, ARRAY[]::float8[], NULL)"
    )
    told = " ".join(run("run", given, "--log", database, rc=1).stderr.split())
    assert "process 7 on far is at work on this by Whoknew 0.0.1" in told
    assert "nothing was begun" in told
    # The database's clock was set back since.
    place.execute("UPDATE whoknew.workers SET began = now() + interval '1 hour'")
    told = " ".join(run("run", given, "--log", database, rc=1).stderr.split())
    assert "process 7 on far is at work on this by Whoknew 0.0.1" in told
    place.execute("UPDATE whoknew.workers SET worlds = ARRAY['another']")
    run("run", given, "--log", database)
