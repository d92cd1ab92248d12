"""Several processes that sit the same exam into one log, and what must come of it, whatever happens to
them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
from killed_exams import slowly
from lamp_exams import lamp_exam
from model_servers import Doing, Server, by_digest
from shared_runs import SHARER, Sharers

from whoknew.engine.exams.exam_log import CALL, FAILED
from whoknew.engine.exams.program import load_exam, read_exam
from whoknew.engine.exams.run import ExamOptions
from whoknew.eventlog import open_log, verify
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.machinery import MemoryDerived

EXAM_SHARER = SHARER.with_name("exam_sharer.py")

AT_ONCE = 2

PLAN = f"""
exam = "questions"
name = "lamps"
material = "plays.db"
questions = "questions.jsonl"
at_once = {AT_ONCE}
[grid]
models = ["MODEL"]
memories = ["none", "summary"]
methods = ["plain", "stepwise"]
[judges.mark]
by = "rubric"
model = "MODEL"
[models."MODEL"]
attempts = 3
"""


def answering(asked: Any) -> Doing:
    """What remembers, answers and judges, by what is asked."""
    remembers = b'"overview"' in msgspec.json.encode(asked.get("response_format"))
    return by_digest(asked) if remembers else slowly(asked)


def shared_exam(server: Server, folder: Path, most: int = 3) -> Path:
    """Questions to so many characters, at two moments each, answered with and without a derived memory."""
    text = PLAN.replace("MODEL", f"{server.url}#m").replace("plays.db", str(folder / "plays.db"))
    path = lamp_exam(folder, text)
    asked = [
        {
            "world": "the-lamp-room",
            "character": who,
            "at": at,
            "kind": "fact",
            "question": f"What do you know by now, {who}?",
            "reference": "One of the nine is broken.",
        }
        for who in ("WREN", "TOBIAS PELL", "ISOLDE MARROW")[:most]
        for at in ("E2", "end")
    ]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, asked)), "utf-8")
    return path


class ExamSharers(Sharers):
    """Processes that sit one exam."""

    def __init__(self, log: str, server: Server, plan: Path) -> None:
        super().__init__(log, server, 0)
        self.plan = plan

    def command(self) -> tuple[Any, ...]:
        return EXAM_SHARER, self.log, self.plan

    async def stories(self) -> list[str]:
        """The rows of its table and of its cells, and what was asked: all of it is sound, each cell and each
        step of a memory is on the log once, and none failed."""
        async with open_log(self.log) as log:
            assert (await verify(log)).faults == ()
            events = await (await log.director("lamps")).events()
            keys = [event.key for event in events if event.key]
        asked = [event.body for event in events if type(event.body) is Called]
        kept = [event.body for event in events if type(event.body) is MemoryDerived]
        assert kept and len(kept) == len({(one.owner, one.upto) for one in kept})
        assert not any(FAILED in key for key in keys if CALL not in key)
        options = ExamOptions(log=self.log)
        tabled = await read_exam(load_exam(self.plan, options), options)
        told = (tabled.table.rows, tabled.cells, sorted(one.digest for one in asked))
        return [msgspec.json.encode(one).decode() for one in told]
