"""`whoknew exam run`: sat, killed, stopped, and gone on with."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from child_process import children, is_alive
from command_runner import COMMAND, answer, refused, run
from killed_exams import AT_ONCE, CALLS, CELLS, exam_at, killed, slowly, table_of
from kitchen_runs import SENDING, command, said
from lamp_exams import PLAN, lamp_exam
from model_servers import serving
from waiting import line_with

from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.playing.ledger import DROPPED
from whoknew.engine.terminal.exam.run import outlook
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called


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


@pytest.mark.parametrize("by", [COMMAND, SENDING], ids=["alone", "sending"])
async def test_killed_again_and_again_it_gives_the_table_of_one_that_was_not(
    by: Sequence[str], tmp_path: Path
) -> None:
    async with serving("openai", after=slowly) as server:
        path = await asyncio.to_thread(exam_at, server, tmp_path)
        await killed(server, path, Random(18), 5, by)
        table = await table_of(path, by)
        made = server.calls
        server.asked.clear()
        await asyncio.to_thread((tmp_path / "lamps.db").unlink)
        assert table == await table_of(path)
        assert server.calls == CALLS
    assert sum(row["answered"] for row in table["rows"]) == CELLS
    assert 0 <= made - CALLS <= 5 * AT_ONCE


async def test_of_many_cells_calls_are_sent_by_a_process_beside_it_which_may_die(
    tmp_path: Path,
) -> None:
    """Those under way then are made again, as where a connection breaks."""
    async with serving("openai", after=slowly) as server:
        more = f'repeats = 170\n[grid]\nmodels = ["{server.url}#m"]'
        many = PLAN.replace("[grid]", more)
        path = lamp_exam(tmp_path, many)
        run = command("exam", "run", path, "--json", folder=tmp_path, program=SENDING)
        async with run as process:
            await server.until_asked(300, by=process)
            (sender,) = children(process.pid)
            os.kill(sender, signal.SIGKILL)
            out, error = await process.communicate()
        assert process.returncode == 0, error
        assert b"caller.ended" in error
        found = json.loads(out)
        assert [row["answered"] for row in found["table"]["rows"]] == [510, 510]
        assert 1020 <= server.calls <= 1020 + 64
        assert not is_alive(sender)


async def test_ctrl_c_finishes_the_cells_in_flight_and_the_same_command_goes_on(
    tmp_path: Path,
) -> None:
    async with serving("openai", after=slowly) as server:
        path = await asyncio.to_thread(exam_at, server, tmp_path)
        async with command("exam", "run", path, folder=tmp_path) as process:
            await server.until_asked(20, by=process)
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
    assert whole == CALLS


async def test_whoknew_stop_now_drops_what_is_in_flight_and_notes_it(tmp_path: Path) -> None:
    async with serving("openai", after=slowly) as server:
        server.going.clear()
        path = await asyncio.to_thread(exam_at, server, tmp_path)
        async with command("exam", "run", path, folder=tmp_path) as process:
            await server.until_asked(6, by=process)
            await said("stop", "lamps", "--now", folder=tmp_path)
            await process.communicate()
        assert process.returncode == 130
        async with open_log(tmp_path / "lamps.db") as log:
            events = [event async for event in log.read("lamps")]
        dropped = [event.body for event in events if isinstance(event.body, Called)]
        assert [one.error for one in dropped] == [DROPPED] * 6
        server.going.set()
        assert sum(row["answered"] for row in (await table_of(path))["rows"]) == CELLS


async def test_a_limit_of_calls_holds_over_all_sittings(tmp_path: Path) -> None:
    async with serving("openai", after=slowly) as server:
        path = await asyncio.to_thread(exam_at, server, tmp_path, "[limits.run]\ncalls = 30\n")
        assert "30 of 30 calls made" in await said("exam", "run", path, folder=tmp_path, rc=3)
        assert "30 of 30 calls made" in await said("exam", "run", path, folder=tmp_path, rc=3)
        assert server.calls == 30


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


def test_what_it_may_cost_is_said_without_a_key_and_which_key_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    path = lamp_exam(tmp_path, PLAN.replace("[grid]", '[grid]\nmodels = ["openai:gpt-5-mini"]'))
    found = answer("exam", "run", path, "--dry-run")
    assert all(one["money"] > 0 for one in found["arms"])
    assert found["keys"] == ["openai:gpt-5-mini needs a key: set OPENAI_API_KEY"]
    assert "Before it can be run: openai:gpt-5-mini" in run("exam", "run", path, "--dry-run").stdout
    assert "needs a key" in refused("exam", "run", path)


async def test_a_server_that_is_not_there_is_told_of_before_it_is_given_up(tmp_path: Path) -> None:
    async with serving("openai") as server:
        pass  # it was there: nothing listens any more
    plan = PLAN.replace("[grid]", f'[grid]\nmodels = ["{server.url}#m"]')
    path = lamp_exam(tmp_path, plan + f'[models."{server.url}#m"]\nattempts = 60\n')
    async with command("exam", "run", path, folder=tmp_path) as process:
        told = await line_with(process.stderr, "tried again")
        assert f"{server.url}#m was not reached" in told
        process.send_signal(signal.SIGINT)
        _, error = await process.communicate()
    assert process.returncode == 3, error


def test_a_dry_run_counts_the_old_answers_that_a_judge_that_was_added_has_to_hear(
    tmp_path: Path,
) -> None:
    path = lamp_exam(tmp_path)
    run("exam", "run", path)
    added = '[judges.mark]\nby = "rubric"\nmodel = "offline:"\n'
    path = lamp_exam(tmp_path, PLAN + added)
    found = answer("exam", "run", path, "--dry-run")
    assert [arm["cells"] for arm in found["arms"]] == [0, 0]
    (judge,) = found["judges"]
    assert (judge["name"], judge["cells"], judge["calls"]) == ("mark", 6, 6)


def test_reviews_that_failed_before_are_no_success_until_they_are_had(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path, PLAN.replace('by = "reference"', 'by = "choice"'))
    lines = map(json.loads, (tmp_path / "questions.jsonl").read_text("utf-8").splitlines())
    chosen = [
        {**one, "choices": ["Snow.", right := one["reference"]], "correct": right} for one in lines
    ]
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, chosen)), "utf-8")
    assert "of words failed since this start" in run("exam", "run", path, rc=1).stdout
    for what in ("run", "judge"):
        told = " ".join(run("exam", what, path, rc=1).stdout.split())
        assert "6 of 6 reviews of words failed, more than may_fail = 0.5 allows" in told
        assert "--again tries those again" in told
    assert "since this start" in run("exam", "judge", path, "--again", rc=1).stdout
    assert "what judges take of planted" in run("exam", "judge", path, "--card", rc=1).stdout


def test_how_long_it_takes_is_told_by_memories_and_answers_alike() -> None:
    """The first answers come late, where much has to be remembered before: their pace alone says nothing."""
    remembering = ExamProgress(cells=1000, lives=100, remembered=60, answered=1)
    assert outlook(remembering, 60) == "2 min 20 s left"
    assert outlook(ExamProgress(cells=1000, lives=100, remembered=50), 60) == "3 min 00 s left"
    assert outlook(ExamProgress(cells=1000, lives=100), 60) == ""
    assert outlook(ExamProgress(cells=100, answered=25), 60) == "3 min 00 s left"
    reviewed = ExamProgress(cells=10, reviews=10, answered=10, reviewed=5, failed=0)
    assert outlook(reviewed, 60) == "20 s left"
    assert outlook(ExamProgress(cells=10, answered=10, lives=2, remembered=1), 60) == ""
