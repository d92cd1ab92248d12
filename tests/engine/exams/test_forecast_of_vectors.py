"""What a memory asks of a model of its own is foreseen at the price of that model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lamp_exams import lamp_exam
from model_servers import GOOD, Doing, serving

from whoknew.engine import load_exam, sit_exam
from whoknew.engine.exams.forecast import ExamForecast, forecast
from whoknew.engine.exams.run import ExamOptions

PLAN = """
exam = "questions"
name = "lamps"
material = "plays.db"
questions = "questions.jsonl"
[grid]
memories = ["MEMORY"]
[agents.everyone]
model = "SERVER#a"
MEMORY = { embedder = "SERVER#e" }
[models."SERVER#a"]
price_in = ANSWERING
price_out = 0.0
[models."SERVER#e"]
price_in = EMBEDDING
price_out = 0.0
"""


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return lamp_exam(tmp_path)


def planned(server: str, answering: float, embedding: float, memory: str = "recall") -> None:
    text = PLAN.replace("SERVER", server).replace("MEMORY", memory)
    text = text.replace("ANSWERING", str(answering))
    Path("exam.toml").write_text(text.replace("EMBEDDING", str(embedding)), "utf-8")


async def foreseen() -> ExamForecast:
    return await forecast(load_exam("exam.toml"), ExamOptions())


async def costs(answering: float, embedding: float, memory: str = "recall") -> list[float | None]:
    planned("http://localhost:1/v1", answering, embedding, memory)
    found = await foreseen()
    return [one.money for one in (*found.arms, *found.memories)]


async def test_each_model_has_its_own_price() -> None:
    """What an arm is to cost is what both do; what is kept, what the one that gives vectors does."""
    nothing, (asking, remembering) = await costs(0, 0), await costs(0, 1000)
    answering, kept = await costs(1000, 0)
    assert nothing == [0, 0] and kept == 0
    assert asking and remembering and answering
    assert asking < answering / 20, "a question is shorter than its prompt"
    assert await costs(1000, 1000) == [pytest.approx(asking + answering), remembering]


async def test_no_more_calls_are_made_than_were_foreseen() -> None:
    def says(asked: Any) -> Doing:
        return GOOD if "input" in asked else Doing('{"answer": "No.", "rests_on": []}')

    async with serving("openai", after=says) as server:
        planned(server.url, 1, 1)
        found = await foreseen()
        assert server.calls == 0
        await sit_exam(load_exam("exam.toml"))
        (arm,), (memory,) = found.arms, found.memories
        vectors = [one for one in server.asked if "input" in one]
        assert server.calls == arm.calls + memory.calls
        assert server.calls - len(vectors) == arm.cells == 3
        assert arm.most == 3 * 3 + 3 * 3 and memory.model == f"{server.url}#e"


async def test_what_is_noted_and_its_vectors_are_foreseen_each_at_its_price() -> None:
    nothing, (asking, embedding) = await costs(0, 0, "facts"), await costs(0, 1000, "facts")
    answering, writing = await costs(1000, 0, "facts")
    assert nothing == [0, 0] and asking and embedding and answering and writing
    assert embedding < writing / 5, "a fact is shorter than what it was drawn from"
    both = [pytest.approx(asking + answering), pytest.approx(embedding + writing)]
    assert await costs(1000, 1000, "facts") == both
    (memory,) = (await foreseen()).memories
    assert memory.model.endswith("#a")
    assert memory.most == memory.cells * 3 * 3, "two calls, and one for vectors, each asked thrice"
