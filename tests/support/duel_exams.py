"""An exam of scenes between two seats that differ, and swapped: in a file, and played in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from whoknew.agents.human import Console
from whoknew.engine.exams import report as reports
from whoknew.engine.exams import run as runs
from whoknew.engine.exams.document import LoadedExam, parse
from whoknew.engine.exams.report import report
from whoknew.engine.exams.run import ExamOptions, ExamWork, Sat, run_exam
from whoknew.engine.exams.table import ExamTable
from whoknew.engine.terminal.exam.run import watching
from whoknew.eventlog import Log
from whoknew.eventlog.stores.store import Store

DUEL = """
exam = "scenes"
name = "duel"
banks = ["stranger"]
pairs = 1
at_once = 4
episodes.turns = 4

[arms.duel]
first = { memory = "none" }
second = { memory = "none", agent = "bargainer" }
swapped = true

[judges.rules]
by = "rules"
"""

FEW = ExamOptions(limit=3)


def duel(plan: str = DUEL, folder: Path = Path()) -> LoadedExam:
    return parse(plan, "duel.toml", folder)


class Kept:
    """An exam whose log is a store."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch

    async def sat(
        self,
        exam: LoadedExam,
        store: Store,
        work: ExamWork = "ask",
        *,
        options: ExamOptions = FEW,
        console: Console | None = None,
    ) -> Sat:
        self._on(store)
        return await run_exam(exam, options, watching, console, work=work)

    async def table(self, exam: LoadedExam, store: Store) -> ExamTable:
        self._on(store)
        return await report(exam, FEW)

    def _on(self, store: Store) -> None:
        @asynccontextmanager
        async def opened(what: object) -> AsyncIterator[Log]:
            async with Log(store) as log:
                yield log

        self._patch.setattr(runs, "writing", opened)
        self._patch.setattr(reports, "reading_exam", opened)
