"""An exam on a cluster of Ray: its workers sit what is free of it, and this process watches them."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.cluster_worker import ExamTask, ExamWorker, digest_of
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.run import (
    AnySession,
    ExamOptions,
    Sat,
    WatchingExam,
    has_person,
    run_exam,
)
from whoknew.engine.running.cluster import NO_PERSON, Crew, check_shared, connected
from whoknew.engine.running.free_chains import waiting_for


async def run_exam_on_cluster(
    exam: LoadedExam,
    options: ExamOptions,
    address: str,
    workers: int,
    watching: WatchingExam,
    *,
    again: bool = False,
) -> Sat:
    """Have workers sit an exam, and start others for those that die, until it is over or has to stop."""
    check_shared(exam.plan.address)
    if has_person(exam):
        raise WrongPlan(NO_PERSON)
    task = ExamTask(plan=_place(exam), options=replace(options, log=None), again=again)
    with connected(address, workers, exam.plan.address) as ray:

        async def sits(session: AnySession) -> None:
            await session.look()
            if not session.all_over:
                wanted = replace(task, digest=digest_of(session))
                with waiting_for(session.log.log.store.leases, session.control):
                    await Crew(ray, ExamWorker, wanted, workers).work(session)

        return await run_exam(exam, options, watching, again=again, sits=sits)


def _place(exam: LoadedExam) -> str:
    """Where the plan is found from any folder; or the name of a kind, which comes with its own."""
    path = Path(exam.source)
    return str(path.resolve()) if path.exists() else exam.source
