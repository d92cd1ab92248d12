"""`whoknew exam ls`: what exams there are, told by their logs alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from command_runner import answer, run
from kitchen_runs import said
from lamp_exams import PLAN, lamp_exam
from model_servers import Doing, serving


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lamp_exam(tmp_path)


def test_it_lists_the_exams_of_a_folder_and_of_a_log_without_their_plans(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    run("exam", "run", path, "--limit", "2")
    path.unlink()
    (tmp_path / "other.db").write_text("no log")
    for command in (("exam", "ls"), ("exam", "ls", "lamps.db")):
        (one,) = answer(*command)
        assert (one["name"], one["kind"], one["log"]) == ("lamps", "questions", "lamps.db")
        assert [(arm["name"], arm["answered"], arm["failed"]) for arm in one["arms"]] == [
            ("none", 2, 0),
            ("recall", 2, 0),
        ]
        assert one["judges"] == ["words"] and one["material"] == ["the-lamp-room"]
        assert one["begun"] <= one["last"]
    listed = run("exam", "ls")
    told = listed.stderr.splitlines()
    assert len(told) == 2 and told[1] == "plays.db holds no exam"
    assert told[0].startswith("other.db") and "is not a Whoknew log" in told[0]
    shown = listed.stdout
    assert "lamps.db; questions about the-lamp-room; judged by words" in " ".join(shown.split())


async def test_what_failed_is_counted_until_it_is_answered(tmp_path: Path) -> None:
    say = ["No JSON."]
    async with serving("openai", after=lambda _: Doing(say[0])) as server:
        plan = PLAN.replace("[grid]", f'may_fail = 1.0\n[grid]\nmodels = ["{server.url}#m"]')
        path = lamp_exam(tmp_path, plan)
        await said("exam", "run", path, folder=tmp_path)
        (one,) = await asyncio.to_thread(answer, "exam", "ls")
        assert (one["answered"], one["failed"]) == (0, 6)
        say[0] = '{"answer": "Tobias.", "rests_on": []}'
        await said("exam", "run", path, "--again", folder=tmp_path)
    (one,) = await asyncio.to_thread(answer, "exam", "ls")
    assert (one["answered"], one["failed"]) == (6, 0)


def test_where_there_is_no_exam_it_says_so(tmp_path: Path) -> None:
    assert "plays.db holds no exam" in run("exam", "ls", "plays.db").stdout
    assert "No log (*.db) in this folder holds an exam" in run("exam", "ls").stdout
    said = " ".join(run("exam", "ls", "play.db", rc=1).stderr.split())
    assert "play.db: there is no such file: did you mean 'plays.db'?" in said
    assert "`whoknew exam run PLAN` begins one" in said and "--log" not in said
    (tmp_path / "empty").mkdir()
    said = " ".join(run("exam", "ls", "empty/nope.db", rc=1).stderr.split())
    assert "no log (*.db) is in its folder either" in said
