"""A worker of a cluster that sits what is free of an exam: told where the plan is on its machine, and a
digest of all that is to be asked."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import PlanChanged
from whoknew.engine.exams import document
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.run import AnySession, ExamOptions, chosen, opened_session
from whoknew.engine.playing.control import Control
from whoknew.engine.running.cluster_worker import ClusterWorker, log_here


class ExamTask(Struct, frozen=True, kw_only=True):
    """What a worker is told of an exam: the `plan` by its path, what the command says otherwise, and what
    all that comes to is known by."""

    plan: str
    options: ExamOptions
    again: bool = False
    digest: str = ""


class ExamWorker(ClusterWorker):
    """Sits what is free of an exam."""

    async def do(self, task: ExamTask) -> str:
        options = replace(task.options, log=log_here())
        exam = chosen(document.load(Path(task.plan)), options)
        progress = ExamProgress()
        control = Control(exam.plan.limit, progress.spent, may_fail=exam.plan.may_fail)
        self.begin(control)
        async with opened_session(exam, options, control, progress, again=task.again) as session:
            await asyncio.to_thread(session.survey)  # it looks at each cell
            if digest_of(session) != task.digest:
                raise PlanChanged(
                    f"{task.plan} is another exam here than {task.digest[:12]}, or about other worlds or "
                    "questions: have the same files on each machine"
                )
            await session.sit()
        return control.reason or ""


def digest_of(session: AnySession) -> str:
    """Which exam it is, wherever it is kept: its plan, and the keys of all cells that it comes to."""
    found = hashlib.sha256(
        msgspec.json.encode(replace(session.exam.plan, log=None), order="sorted")
    )
    for cell in session.cells():
        found.update(cell.key.encode())
    return found.hexdigest()
