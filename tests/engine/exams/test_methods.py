"""Every method answers with every memory, in no more calls than were forecast; what was asked is known
afterwards, and paid for once."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from command_runner import run
from lamp_exams import PLAN, lamp_exam
from memories_here import HERE
from watch_exams import PLAN as WATCH
from watch_exams import ByPrompt, calls_on, came_to, dying, exam_in, material, sat, table

from whoknew.engine.registry import METHODS
from whoknew.eventlog.errors import StoreUnavailable
from whoknew.eventlog.stores.volatile import VolatileStore


def test_every_method_answers_with_every_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    memories, methods = list(HERE), list(METHODS.ours)
    grid = f"memories = {json.dumps(memories)}\nmethods = {json.dumps(methods)}"
    path = lamp_exam(tmp_path, PLAN.replace('memories = ["none", "recall"]', grid))
    told = json.loads(run("exam", "run", path, "--dry-run", "--json").stdout)
    expected = {arm["name"]: arm for arm in told["arms"]}
    rows = json.loads(run("exam", "run", path, "--json").stdout)["table"]["rows"]
    assert len(rows) == len(expected) == len(memories) * len(methods)
    for row in rows:
        assert (row["answered"], row["failed"]) == (3, 0)
        forecast = expected[row["arm"]]
        assert row["calls"] <= forecast["most"]
        if "bookmarks" not in row["arm"]:
            assert row["calls"] == forecast["calls"]
    some = [row for row in rows if "bookmarks" in row["arm"]]
    made = sum(row["calls"] for row in some)  # for several at once: whoever asks first has them
    about = sum(expected[row["arm"]]["calls"] for row in some)
    assert 0.5 * about <= made <= 2 * about


def test_of_every_method_the_prompts_come_out_again_as_they_were_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law 6: also those of experts, who read the whole story."""
    monkeypatch.chdir(tmp_path)
    grid = f'memories = ["recall"]\nmethods = {json.dumps(list(METHODS.ours))}'
    path = lamp_exam(tmp_path, PLAN.replace('memories = ["none", "recall"]', grid))
    run("exam", "run", path)
    for method in METHODS.ours:
        cell = json.loads(run("exam", "show", path, method, "1", "--json").stdout)
        assert cell["calls"]
        for call in cell["calls"]:
            assert call["digest"] == call["called"]["digest"], method


@pytest.mark.parametrize("method", [name for name in METHODS.ours if name != "unaided"])
async def test_killed_anywhere_and_gone_on_with_every_method_comes_to_the_same(
    method: str, tmp_path: Path
) -> None:
    """Laws 8 and 9. At a kill the calls in flight are lost at most."""
    plan = WATCH.replace('methods = ["plain", "stepwise"]', f'methods = ["{method}"]')
    exam = exam_in(tmp_path, plan)
    async with material() as about:
        whole, kept = VolatileStore(), VolatileStore()
        await sat(exam, about, whole, ByPrompt())
        made = 0
        kills = (1, 4, 9, 16)
        for commits in kills:
            model = ByPrompt()
            with suppress(StoreUnavailable):
                await sat(exam, about, dying(kept, commits), model)
            made += model.asked.total()
        model = ByPrompt()
        await sat(exam, about, kept, model)
        made += model.asked.total()
        assert made - (await calls_on(kept)).total() <= exam.plan.at_once * len(kills)
        assert table(await came_to(exam, about, kept)) == table(await came_to(exam, about, whole))
        assert await calls_on(kept) == await calls_on(whole)
