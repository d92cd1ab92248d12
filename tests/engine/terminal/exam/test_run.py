"""`whoknew exam run`: sat, killed, stopped, and gone on with."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from command_runner import answer, refused, run
from kitchen_runs import command, said
from lamp_exams import PLAN, lamp_exam
from model_servers import Doing, digest_of_asked, serving

from whoknew.engine.playing.ledger import DROPPED
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called

REAL = """
exam = "questions"
name = "lamps"
material = "plays.db"
questions = "questions.jsonl"
repeats = 8
at_once = 6
[grid]
models = ["{model}"]
memories = ["none", "entire"]
methods = ["plain", "stepwise"]
[judges.mark]
by = "rubric"
model = "{model}"
[models."{model}"]
attempts = 2
"""
CELLS = 3 * 2 * 2 * 8


def slowly(asked: Any) -> Doing:
    """What answers and judges, by what is asked."""
    chosen = int(digest_of_asked(asked)[:2], 16)
    if "response_format" not in asked:
        return Doing(f"I think of {chosen}.", wait=0.02)
    text: dict[str, Any] = {"answer": f"It was {chosen}.", "rests_on": []}
    if b'"mark"' in msgspec.json.encode(asked["response_format"]):
        text = {"mark": {"reason": "So.", "score": chosen % 11}}
    return Doing(msgspec.json.encode(text).decode(), wait=0.02)


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lamp_exam(tmp_path)


def test_its_table_has_a_row_for_each_arm_and_a_second_run_asks_nothing(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    found = answer("exam", "run", path)
    assert [(row["arm"], row["answered"]) for row in found["table"]["rows"]] == [
        ("none", 3),
        ("recall", 3),
    ]
    assert found["sat"]["progress"]["spent"]["calls"] == 6
    again = answer("exam", "run", path)
    assert again["sat"]["progress"]["spent"]["calls"] == 0
    assert again["table"] == found["table"]


def test_a_part_of_it_can_be_sat(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    found = answer("exam", "run", path, "--only", "none", "--limit", "2", "--repeats", "2")
    assert [(row["arm"], row["cells"]) for row in found["table"]["rows"]] == [("none", 4)]
    assert "'nne' is no arm: did you mean 'none'?" in refused("exam", "run", path, "--only", "nne")


def test_a_world_of_the_name_that_is_no_exam_is_not_written_into(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path, PLAN.replace('"lamps"', '"the-lamp-room"'))
    run("import", "play", "the-lamp-room", "--log", "the-lamp-room.db")
    assert "is no exam: give the exam another name" in refused("exam", "run", path)


def test_nothing_is_written_into_the_worlds_that_it_is_about(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    before = run("log", "head", "plays.db").stdout
    run("exam", "run", path)
    assert run("log", "head", "plays.db").stdout == before


async def test_killed_again_and_again_it_gives_the_table_of_one_that_was_not(
    tmp_path: Path,
) -> None:
    chance = Random(18)
    async with serving("openai", after=slowly) as server:
        path = lamp_exam(tmp_path, REAL.format(model=f"{server.url}#m"))
        for _ in range(5):
            async with command("exam", "run", path, folder=tmp_path) as process:
                calls = server.calls + chance.randint(1, 25)
                await server.until_asked(calls)
                process.kill()
                await process.wait()
        killed = await _table(path, tmp_path)
        made = Counter(map(digest_of_asked, server.asked)).total()
        server.asked.clear()
        await asyncio.to_thread((tmp_path / "lamps.db").unlink)
        whole = await _table(path, tmp_path)
    assert killed["rows"] == whole["rows"]
    assert sum(row["answered"] for row in whole["rows"]) == CELLS
    assert 0 <= made - server.calls <= 5 * 6


async def test_ctrl_c_finishes_the_cells_in_flight_and_the_same_command_goes_on(
    tmp_path: Path,
) -> None:
    async with serving("openai", after=slowly) as server:
        path = lamp_exam(tmp_path, REAL.format(model=f"{server.url}#m"))
        async with command("exam", "run", path, folder=tmp_path) as process:
            await server.until_asked(20)
            process.send_signal(signal.SIGINT)
            out, error = await process.communicate()
        assert process.returncode == 3, out + error
        assert b"It stopped: stopped by Ctrl-C" in out
        assert f"To go on: whoknew exam run {path}".encode() in out
        before = server.calls
        assert "answered already" in await said("exam", "run", path, folder=tmp_path)
        whole = server.calls
        assert whole > before
        await said("exam", "run", path, folder=tmp_path)
        assert server.calls == whole
    assert whole == 3 * 8 * 2 * (1 + 2) + CELLS


async def test_whoknew_stop_now_drops_what_is_in_flight_and_notes_it(tmp_path: Path) -> None:
    async with serving("openai", after=slowly) as server:
        server.going.clear()
        path = lamp_exam(tmp_path, REAL.format(model=f"{server.url}#m"))
        async with command("exam", "run", path, folder=tmp_path) as process:
            await server.until_asked(6)
            await said("stop", "lamps", "--now", folder=tmp_path)
            await process.communicate()
        assert process.returncode == 130
        async with open_log(tmp_path / "lamps.db") as log:
            events = [event async for event in log.read("lamps")]
        dropped = [event.body for event in events if isinstance(event.body, Called)]
        assert [one.error for one in dropped] == [DROPPED] * 6
        server.going.set()
        assert sum(row["answered"] for row in (await _table(path, tmp_path))["rows"]) == CELLS


async def test_a_limit_of_calls_holds_over_all_sittings(tmp_path: Path) -> None:
    async with serving("openai", after=slowly) as server:
        plan = REAL.format(model=f"{server.url}#m") + "[limits.run]\ncalls = 30\n"
        path = lamp_exam(tmp_path, plan)
        assert "30 of 30 calls made" in await said("exam", "run", path, folder=tmp_path, rc=3)
        assert "30 of 30 calls made" in await said("exam", "run", path, folder=tmp_path, rc=3)
        assert server.calls == 30


async def _table(path: Path, folder: Path) -> Any:
    async with command("exam", "run", path, "--json", folder=folder) as process:
        out, error = await process.communicate()
    assert process.returncode == 0, error.decode()
    return msgspec.json.decode(out)["table"]


def test_a_dry_run_says_what_would_be_asked_and_touches_nothing(tmp_path: Path) -> None:
    plan = PLAN.replace("[grid]", 'repeats = 2\n[grid]\nmodels = ["http://localhost:1/v1#m"]')
    judge = '[judges.grade]\nby = "rubric"\nmodel = "http://localhost:1/v1#m"\n'
    price = '[models."http://localhost:1/v1#m"]\nprice_in = 1.0\nprice_out = 2.0\n'
    path = lamp_exam(tmp_path, plan + judge + price)
    before = {one.name for one in tmp_path.iterdir()}
    found = answer("exam", "run", path, "--dry-run")
    beside = {"plays.db-wal", "plays.db-shm"}  # as whoever reads a log has them
    assert {one.name for one in tmp_path.iterdir()} - beside == before - beside
    assert (found["cells"], found["done"]) == (12, 0)
    none, recall = found["arms"]
    assert (none["cells"], none["calls"], none["tried"]) == (6, 6, 3)
    assert none["most"] == 18, "each asked for again twice"
    assert recall["tokens"] > none["tokens"] > 0 and none["money"] > none["tokens"] / 1e6
    (grade,) = found["judges"]
    assert (grade["cells"], grade["calls"]) == (12, 12)
    assert "Nothing was asked" in run("exam", "run", path, "--dry-run").stdout


def test_a_dry_run_leaves_out_what_is_done_and_takes_replies_from_the_log(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    run("exam", "run", path, "--only", "none")
    found = answer("exam", "run", path, "--dry-run", "--repeats", "2")
    assert (found["cells"], found["done"]) == (12, 3)
    assert [(one["cells"], one["replies"]) for one in found["arms"]] == [(3, 3), (6, 0)]


def test_a_dry_run_counts_what_has_to_be_remembered_first(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path, PLAN.replace('"recall"', '"summary"'))
    (foreseen,) = answer("exam", "run", path, "--dry-run")["memories"]
    assert "memory" in run("exam", "run", path, "--dry-run").stdout
    run("exam", "run", path)
    (took,) = answer("exam", "report", path)["table"]["remembering"]
    assert (foreseen["cells"], foreseen["calls"]) == (took["steps"], took["calls"])
    assert foreseen["tokens"] == took["tokens"] and foreseen["most"] == 3 * took["calls"]
    assert answer("exam", "run", path, "--dry-run")["memories"] == []
