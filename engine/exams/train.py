"""Training ahead: what an exam has trained before its questions are asked, made now and without them; and
what lies beside its log that nothing on it names any more."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from whoknew.agents.weights.artefacts import Artefacts
from whoknew.agents.weights.training import digests_in
from whoknew.engine.errors import BeingPlayed, WrongPlan
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.run import ExamOptions, Sat, WatchingExam, run_exam
from whoknew.engine.exams.scribe import MEMORY
from whoknew.engine.exams.train_sitting import trained_arms
from whoknew.engine.opening import reading_begun, weights_beside
from whoknew.engine.running.stop import check_alone
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import Called, Failed, MemoryDerived
from whoknew.eventlog.shown_address import without_password


class TrainedAhead(Struct, frozen=True, kw_only=True):
    """What came of it. `folder` is where the artefacts are, all of which have so many `bytes`. Where steps
    failed, `why` says why the last one did."""

    sat: Sat
    folder: str
    artefacts: int
    bytes: int
    why: str = ""


class PrunedWeights(Struct, frozen=True, kw_only=True):
    """What lies beside a log: so many artefacts that it names are kept; `unnamed` are those that it does
    not, with what they take up. They were `removed`, or not yet."""

    log: str
    folder: str
    kept: int
    kept_bytes: int
    unnamed: tuple[str, ...]
    unfinished: int
    bytes: int
    removed: bool


async def train(
    exam: LoadedExam, options: ExamOptions, watching: WatchingExam, *, again: bool = False
) -> TrainedAhead:
    """Train all that the questions of an exam need, from wherever its log stands: the same steps, under
    the same keys, that `run_exam` makes before it asks them."""
    check_trains(exam)
    sat = await run_exam(exam, options, watching, work="train", again=again)
    kept = Artefacts(weights_beside(exam.plan.address))
    digests = kept.digests()
    return TrainedAhead(
        sat=sat,
        folder=str(kept.folder),
        artefacts=len(digests),
        bytes=sum(map(kept.size, digests)),
        why=await _why(exam) if sat.progress.unwritten else "",
    )


async def _why(exam: LoadedExam) -> str:
    """Why the last step failed that did."""
    async with reading_begun(exam.plan.address) as log:
        assert log is not None, "it was written"
        why = ""
        async for event in log.read(exam.plan.name):
            if isinstance(event.body, Failed) and event.body.what == MEMORY:
                why = event.body.error
        return why


def check_trains(exam: LoadedExam) -> None:
    """Refuse an exam in which nothing is trained."""
    if isinstance(exam.kind, SceneKind) or not trained_arms(exam.arms):
        raise WrongPlan(
            f"{exam.source}: there is nothing to train: no arm has a memory that stands in weights "
            '(memory = "lora" or "grace")'
        )


async def _check_nobody_at_work(log: Log | None, address: str) -> None:
    """What is trained is there before it is named: on a log that several processes write nobody may be
    at work, wherever it is."""
    if log is None or log.store.leases is None:
        return
    there = await log.store.leases.workers.all()
    if at_work := [one.name for one in there if one.plays]:
        raise BeingPlayed(
            f"{', '.join(at_work)} at work on {without_password(address)}: what they train may not be "
            "named there yet; wait until they have ended, or stop them (`whoknew stop --all`)"
        )


async def prune(exam: LoadedExam, *, remove: bool) -> PrunedWeights:
    """Which artefacts beside an exam's log no event of it names, whatever exam or world on it that is of;
    and `remove` them, where that is said."""
    address = exam.plan.address
    kept = Artefacts(weights_beside(address))
    async with reading_begun(address) as log:
        worlds = [world.name for world in await log.worlds()] if log else []
        check_alone(address, [exam.plan.name, *worlds])
        await _check_nobody_at_work(log, address)
        named = await _named(log, worlds) if log else frozenset()
    unnamed = [digest for digest in kept.digests() if digest not in named]
    found = PrunedWeights(
        log=without_password(address),
        folder=str(kept.folder),
        kept=len(kept.digests()) - len(unnamed),
        kept_bytes=sum(kept.size(digest) for digest in kept.digests() if digest in named),
        unnamed=tuple(unnamed),
        unfinished=len(kept.unfinished()),
        bytes=sum(map(kept.size, [*unnamed, *kept.unfinished()])),
        removed=remove,
    )
    if remove:
        kept.prune(named)
    return found


async def _named(log: Log, worlds: Sequence[str]) -> frozenset[str]:
    """All digests that a log names as trained, those that one was gone on from as well."""
    found = set[str]()
    for world in worlds:
        async for event in log.read(world):
            found.update(digests_in(_told(event)))
    return frozenset(found)


def _told(event: Event) -> str:
    body = event.body
    if isinstance(body, MemoryDerived):
        return body.text
    return body.reply or "" if isinstance(body, Called) else ""
