"""`whoknew audit`, as a person types it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from command_runner import ended, run
from small_worlds import NIGHT, opened, said

from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import EpisodeOpened


@pytest.fixture
def there(tmp_path: Path) -> Path:
    async def write() -> None:
        async with open_log(tmp_path / "log.db") as log:
            scene = Draft(EpisodeOpened("Rain.", ("Ann", "Bob", "Cid")), NIGHT, 1)
            secret = "Barnaby hid forty silver spoons beneath the lighthouse stairs."
            await log.append("w", [*opened("Ann", "Bob", "Cid"), scene])
            await log.append("w", [said("Bob", secret, "Cid", episode=1, turn=1)])
            await log.append("w", [said("Ann", f"I know: {secret}", "Bob", episode=1, turn=2)])

    asyncio.run(write())
    return tmp_path / "log.db"


def test_leaks_are_shown_and_end_it_with_1(there: Path) -> None:
    code, done = ended("audit", "w", "--log", there)
    assert code == 1
    assert "1 line of what whoever spoke could not know" in done.stdout
    assert "#7  Ann, unseen, " in done.stdout
    assert "which Ann neither witnessed nor was told of" in " ".join(done.stdout.split())
    assert "Tellings were not looked for" in done.stdout
    code, done = ended("audit", "w", "--log", there, "--json")
    found = json.loads(done.stdout)
    assert code == 1 and found["rows"][0]["fact"]["seq"] == 6
    assert found["characters"][0] == {"name": "Ann", "lines": 1, "leaks": 1, "news": 0}


def test_without_leaks_it_ends_with_0(there: Path) -> None:
    found = run("audit", "w", "--log", there, "--at", "E1.T1").stdout
    assert "0 lines of what whoever spoke could not know" in found
    assert "0 lines of what" in run("audit", "w", "--log", there, "--sure", "1").stdout


def test_a_world_that_is_not_there_is_refused(there: Path) -> None:
    code, done = ended("audit", "elsewhere", "--log", there)
    assert code == 1 and "elsewhere" in done.stderr


def test_a_model_can_read_what_was_found_and_says_first_what_that_takes(there: Path) -> None:
    told = run("audit", "w", "--log", there, "--model", "offline:", "--dry-run").stdout
    assert "1 finding: 1 call (at most 3) of offline:" in told
    code, done = ended("audit", "w", "--log", there, "--model", "offline:")
    assert code == 1 and "offline: read 1 finding: 0 of them are none" in done.stdout
    assert "the model: a leak; " in done.stdout
    again = run("audit", "w", "--log", there, "--model", "offline:", "--dry-run").stdout
    assert "1 of them were read before: 0 calls" in again


def test_a_forecast_without_a_model_is_refused(there: Path) -> None:
    code, done = ended("audit", "w", "--log", there, "--dry-run")
    assert code == 2 and "--model" in done.stderr
