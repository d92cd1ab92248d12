"""`whoknew resume`: who was paused goes on; how runs do so is in `test_pause.py`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import run
from store_places import PostgresPlace


@pytest.fixture
def far(database: str, postgres: object) -> PostgresPlace:
    """A process on another machine is at work on the log."""
    run("doctor", "--cluster", "--log", database)  # its tables are there now
    place = PostgresPlace(postgres, database)  # type: ignore[arg-type]
    place.execute(
        "INSERT INTO whoknew.workers VALUES ('x', 'process 7 on far', '0.1.0', 'kitchen 1f0c', "
        "ARRAY['kitchen'], now(), now() + interval '1 hour', 0, array_fill(0::float8, ARRAY[8]), NULL)"
    )
    return place


@pytest.mark.usefixtures("far")
@pytest.mark.parametrize("what", ["kitchen", "kitchen 1f0c", "process 7 on far", "--all"])
def test_who_was_paused_is_paused_no_more(database: str, what: str) -> None:
    run("pause", "--all", "--log", database)
    assert "(paused)" in run("workers", "--log", database).stdout
    told = run("resume", what, "--log", database).stdout
    assert told == "process 7 on far is to go on with kitchen 1f0c\n"
    assert "(paused)" not in run("workers", "--log", database).stdout


def test_a_line_of_all_who_play_fits_eighty_columns(database: str, far: PostgresPlace) -> None:
    figures = "ARRAY[500, 4000, 80000, 80000, 12345678, 123.5, 0, 12]::float8[]"
    far.execute(f"UPDATE whoknew.workers SET figures = {figures}")
    shown = run("workers", "--log", database).stdout.splitlines()
    assert shown[0] == "kitchen 1f0c, by Whoknew 0.1.0"
    assert shown[2].split()[:6] == ["process", "7", "on", "far", "500", "4000"]
    assert len(shown) == 4 and all(len(line) <= 80 for line in shown)


@pytest.mark.usefixtures("far")
def test_nothing_happens_to_others(database: str) -> None:
    run("pause", "--all", "--log", database)
    told = run("resume", "ferry", "--log", database, rc=1).stderr
    assert "no run of 'ferry'" in told and "process 7 on far plays it" in " ".join(told.split())
    assert "(paused)" in run("workers", "--log", database).stdout


def test_a_file_has_nobody_to_go_on(tmp_path: Path) -> None:
    assert "is a file" in run("resume", "--all", "--log", tmp_path / "a.db", rc=1).stderr
