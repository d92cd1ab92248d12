"""The guard of an arm: an answer that gives away what could not be known is asked for again, and does not
come into the table."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from diner_world import WORLD, events_of, nights
from killed_exams import killed_once
from model_servers import Doing, Server, serving

from whoknew.engine.exams.audit import audit_exam
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.program import load_exam, read_exam, sit_exam
from whoknew.engine.exams.run import Sat
from whoknew.engine.exams.show import show
from whoknew.engine.exams.table import ExamRow
from whoknew.eventlog import Event, open_log
from whoknew.eventlog.kinds import Acted, Called, Failed
from whoknew.eventlog.machinery import LineRefused
from whoknew.eventlog.words import terms

PLAN = """
exam = "questions"
name = "guarded"
log = "{folder}/guarded.db"
material = "{folder}/nights.db"
questions = "questions.jsonl"
at_once = 3
may_fail = 1.0
[grid]
models = ["{model}"]
memories = ["none"]
[agents.everyone]
guard = {guard}
reasks = 0
[models."{model}"]
attempts = 2
"""

HONEST = "I cannot tell you."
AGAIN = "was taken back"


async def secret(file: Path) -> str:
    """A line of many words that nobody but two heard, in the first nights."""
    async with open_log(file, read_only=True) as log:
        events = await events_of(log)
    lines = [
        event.body.text
        for event in events
        if isinstance(event.body, Acted)
        and not {"Emil", "Magda"} & set(event.witnesses)
        and event.episode > 1
    ]
    return max(lines, key=lambda text: len(set(terms(text))))


def asked(folder: Path, model: str, guard: str) -> Path:
    questions = [
        {"world": WORLD, "character": who, "at": "E1", "question": text, "kind": "fact"}
        for who in ("Emil", "Magda")
        for text in ("What is new?", "How are you?", "Who came?")
    ]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, questions)) + "\n")
    plan = folder / "exam.toml"
    plan.write_text(PLAN.format(folder=folder, model=model, guard=guard))
    return plan


def saying(leak: str, *, always: bool = False) -> Callable[[Any], Doing]:
    """Gives something away, unless it was told that it did before."""

    def said(request: Any) -> Doing:
        warned = AGAIN.encode() in msgspec.json.encode(request)
        text = HONEST if warned and not always else leak
        return Doing(json.dumps({"answer": text, "rests_on": []}))

    return said


async def sat(folder: Path, server: Server, guard: str) -> tuple[LoadedExam, Sat]:
    exam = load_exam(asked(folder, f"{server.url}#m", guard))
    return exam, await sit_exam(exam)


async def logged(folder: Path) -> Sequence[Event]:
    async with open_log(folder / "guarded.db", read_only=True) as log:
        return await events_of(log, "guarded")


def bodies(events: Sequence[Event], kind: type[Any]) -> list[Any]:
    return [event.body for event in events if isinstance(event.body, kind)]


async def row_of(exam: LoadedExam) -> ExamRow:
    (row,) = (await read_exam(exam)).table.rows
    return row


async def test_an_answer_that_leaks_is_asked_for_again_and_told_neither_what_nor_why(
    tmp_path: Path,
) -> None:
    leak = await secret(nights(tmp_path))
    async with serving("openai", after=saying(leak)) as server:
        exam, _ = await sat(tmp_path, server, "true")
        assert server.calls == 12
        assert not any(leak.encode() in msgspec.json.encode(one) for one in server.asked)
    events = await logged(tmp_path)
    refused = bodies(events, LineRefused)
    assert [one.text for one in refused] == [leak] * 6
    assert all(f"#{one.fact}" in one.why and not one.kept for one in refused)
    row = await row_of(exam)
    assert (row.answered, row.failed, row.calls, row.refused) == (6, 0, 12, 6)
    audited = await audit_exam(exam)
    assert (audited.leaks, audited.refused) == (0, 6)
    cell = await show(exam, exam.arms[0].name, "1")
    assert cell.answer == HONEST and [one.text for one in cell.refused] == [leak]
    assert [call.digest == call.called.digest for call in cell.calls] == [True, True]


@pytest.mark.parametrize("then", ["drop", "keep", "stop"])
async def test_what_leaks_each_time_is_dropped_kept_or_stops_the_exam(
    tmp_path: Path, then: str
) -> None:
    leak = await secret(nights(tmp_path))
    async with serving("openai", after=saying(leak, always=True)) as server:
        exam, ended = await sat(tmp_path, server, f'{{ tries = 1, then = "{then}" }}')
    events = await logged(tmp_path)
    failed, refused = bodies(events, Failed), bodies(events, LineRefused)
    if then == "drop":
        assert len(failed) == 6 and all("the guard refused" in one.error for one in failed)
        assert len(refused) == 12 and not ended.reason
    elif then == "keep":
        assert failed == [] and sum(one.kept for one in refused) == 6 == len(refused) / 2
        assert (await row_of(exam)).refused == 6
    else:
        assert 1 <= len(failed) <= 3 and "the guard refused" in str(ended.reason)


@pytest.mark.parametrize("seed", [1, 2])
async def test_killed_anywhere_it_refuses_nothing_twice_and_pays_for_nothing_twice(
    tmp_path: Path, seed: int
) -> None:
    leak = await secret(nights(tmp_path))
    chance = Random(seed)
    async with serving("openai", after=saying(leak)) as server:
        plan = asked(tmp_path, f"{server.url}#m", "true")
        for _ in range(3):
            await killed_once(server, plan, chance, most=5)
        await sit_exam(load_exam(plan))
        assert 0 <= server.calls - 12 <= 3 * 3
    events = await logged(tmp_path)
    assert [one.text for one in bodies(events, LineRefused)] == [leak] * 6
    calls = [one for one in bodies(events, Called) if one.reply is not None]
    assert len(calls) == 12
