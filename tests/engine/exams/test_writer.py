"""Memory that a model of its own writes: once, for whoever answers by it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from command_runner import refused, run
from lamp_exams import lamp_exam
from model_servers import Doing, Server, serving

from whoknew.engine import load_exam, read_exam, sit_exam

PLAN = """
exam = "questions"
name = "lamps"
material = "plays.db"
questions = "questions.jsonl"
[grid]
models = MODELS
memories = ["running"]
[agents.everyone]
WRITER
"""


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return lamp_exam(tmp_path)


def says(asked: Any) -> Doing:
    form = json.dumps(asked["response_format"])
    text = (
        {"summary": "It was night."} if '"summary"' in form else {"answer": "No.", "rests_on": []}
    )
    return Doing(json.dumps(text))


def kinds(server: Server, since: int = 0) -> Counter[tuple[str, str]]:
    """What was asked for, of each model."""
    return Counter(
        (one["model"], "summary" if '"summary"' in json.dumps(one["response_format"]) else "answer")
        for one in server.asked[since:]
    )


def plan_at(server: Server, *models: str, writer: str = "") -> None:
    addresses = [f"{server.url}#{model}" for model in models]
    text = PLAN.replace("MODELS", json.dumps(addresses))
    text = text.replace("WRITER", f'writer = "{server.url}#{writer}"' if writer else "")
    Path("exam.toml").write_text(text, "utf-8")


async def sat() -> list[dict[str, Any]]:
    exam = load_exam("exam.toml")
    done = await sit_exam(exam)
    assert done.reason is None and done.progress.failed == 0
    found = await read_exam(exam)
    return [{"model": one.model, "steps": one.steps} for one in found.table.remembering]


async def test_a_second_model_that_is_asked_later_costs_no_summary_which_is_there() -> None:
    async with serving("openai", after=says) as server:
        plan_at(server, "a")
        await sat()
        first = kinds(server)
        assert first["a", "summary"] > 2 and first["a", "answer"] == 3
        plan_at(server, "a", "b", writer="a")
        before = server.calls
        remembering = await sat()
        assert kinds(server, before) == {("b", "answer"): 3}
        assert remembering == [{"model": f"{server.url}#a", "steps": first["a", "summary"]}]
        before = server.calls
        await sat()
        assert server.calls == before


async def test_each_writes_its_own_where_nobody_else_is_said_to() -> None:
    async with serving("openai", after=says) as server:
        plan_at(server, "a", "b")
        await sat()
        found = kinds(server)
        assert found["a", "summary"] == found["b", "summary"] > 2


async def test_one_that_answers_nothing_may_write_and_another_writer_writes_anew() -> None:
    async with serving("openai", after=says) as server:
        plan_at(server, "a", "b", writer="w")
        await sat()
        found = kinds(server)
        assert found == {
            ("w", "summary"): found["w", "summary"], ("a", "answer"): 3, ("b", "answer"): 3,
        }  # fmt: skip
        before = server.calls
        plan_at(server, "a", "b", writer="v")
        await sat()
        again = kinds(server, before)
        assert again["v", "summary"] == found["w", "summary"]
        assert again["a", "answer"] == again["b", "answer"] == 3  # it answers by other notes


async def test_what_writing_costs_is_foreseen_under_who_writes() -> None:
    from whoknew.engine.exams.forecast import forecast
    from whoknew.engine.exams.run import ExamOptions

    async with serving("openai", after=says) as server:
        plan_at(server, "a", "b", writer="w")
        found = await forecast(load_exam("exam.toml"), ExamOptions())
        [memory] = found.memories
        await sat()
        assert memory.model == f"{server.url}#w" and memory.cells == kinds(server)["w", "summary"]


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (PLAN.replace('["running"]', '["none"]'), "agents.everyone.writer: writes what a memory"),
        (PLAN + '[arms.bare]\nmemory = "none"\nwriter = "offline:"\n', "arms.bare.writer: writes"),
        (PLAN.replace("WRITER", 'writer = "openia:x"'), "agents.everyone.writer"),
    ],
)
def test_a_writer_that_writes_nothing_or_is_none_is_a_mistake(plan: str, told: str) -> None:
    text = plan.replace("MODELS", '["offline:"]').replace("WRITER", 'writer = "offline:"')
    Path("exam.toml").write_text(text, "utf-8")
    assert told in refused("exam", "check", "exam.toml")


def test_in_scenes_each_writes_itself() -> None:
    run("exam", "new", "scenes", "duel.toml")
    with Path("duel.toml").open("a", encoding="utf-8") as plan:
        plan.write('\n[arms.other]\nwriter = "offline:"\nmemory = "summary"\n')
    assert "is for exams of questions" in refused("exam", "check", "duel.toml")
