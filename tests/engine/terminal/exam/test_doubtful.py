"""Questions that rest on what their character may not have witnessed: asked, or left out."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from lamp_exams import PLAN, QUESTIONS, lamp_exam

from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Doubted

LEFT_OUT = PLAN.replace("[grid]", 'doubtful = "leave out"\n[grid]')
HEARD = 20


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An exam whose first question rests on an event that WREN may not have heard, the second on one
    that she heard for certain."""
    monkeypatch.chdir(tmp_path)
    path = lamp_exam(tmp_path, LEFT_OUT)
    doubted = [Draft(Doubted("WREN", "she may be asleep"), cause=HEARD)]

    async def doubt() -> None:
        async with open_log(tmp_path / "plays.db") as log:
            await log.append("the-lamp-room", doubted)

    asyncio.run(doubt())
    ask(tmp_path, HEARD, HEARD + 1)
    return path


def ask(folder: Path, *rests_on: int) -> None:
    first, _, third = QUESTIONS
    asked = [first | {"evidence": [[rests_on[0]]]}, third | {"evidence": [[rests_on[-1]]]}]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, asked)), "utf-8")


def test_they_are_left_out_if_the_plan_says_so_and_counted(plan: Path) -> None:
    told = "1 of 2 questions are left out: they rest on what their character may not have witnessed"
    found = answer("exam", "check", plan)
    assert (found["units"], found["left_out"]) == (1, 1)
    assert told in found["remarks"]
    assert told in " ".join(run("exam", "run", plan).stdout.split())
    table = answer("exam", "report", plan)["table"]
    assert (table["units"], table["left_out"]) == (1, 1)
    assert told in table["remarks"]


def test_they_are_asked_if_the_plan_says_nothing_and_check_tells_of_them(
    tmp_path: Path, plan: Path
) -> None:
    plan.write_text(PLAN, "utf-8")
    found = answer("exam", "check", plan)
    assert (found["units"], found["left_out"]) == (2, 0)
    assert any("1 question rests on what" in remark for remark in found["remarks"])


def test_answers_to_those_that_are_left_out_later_do_not_count_any_more(plan: Path) -> None:
    plan.write_text(PLAN, "utf-8")
    run("exam", "run", plan)
    plan.write_text(LEFT_OUT, "utf-8")
    table = answer("exam", "report", plan)["table"]
    assert [row["answered"] for row in table["rows"]] == [1, 1]
    assert any("to questions that are not asked any more" in one for one in table["remarks"])


def test_an_exam_of_which_nothing_would_be_asked_is_refused(tmp_path: Path, plan: Path) -> None:
    ask(tmp_path, HEARD)
    said = refused("exam", "check", plan)
    assert "doubtful: leaves nothing to ask: all 2 questions are doubtful" in " ".join(said.split())


def test_what_the_key_can_be_is_said(plan: Path) -> None:
    plan.write_text(LEFT_OUT.replace("leave out", "leave"), "utf-8")
    assert "doubtful" in refused("exam", "check", plan)
