"""An exam from its plan to its report: sat, judged, and stopped in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
)
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.human import Console
from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.asked_models import roles_of
from whoknew.engine.exams.card_sitting import CardSitting
from whoknew.engine.exams.document import LoadedExam, offline
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.kind import QuestionKind, SceneKind
from whoknew.engine.exams.material import reading_material, scenes_of, units
from whoknew.engine.exams.planted import planted
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.scenes.playing import ScenePlaying
from whoknew.engine.exams.scenes.scene import chain_of, scene_cells
from whoknew.engine.exams.scenes.sitters import absent, missed
from whoknew.engine.exams.session import ExamSession, SessionParts
from whoknew.engine.exams.sitting import Sitting
from whoknew.engine.exams.train_sitting import TrainSitting
from whoknew.engine.opening import writing
from whoknew.engine.plan.program import TURNS, Program
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.tally import Tally
from whoknew.engine.running.chains import Run
from whoknew.engine.running.models import ModelPool, at_terminal
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.run import command_line
from whoknew.engine.running.signals import stopped_by_signals
from whoknew.engine.running.stop import announced, check_alone, is_same_log
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.nearest import nearest
from whoknew.worlds.errors import BadDocument, Mistake

AnySession = ExamSession[Any]
WatchingExam = Callable[[AnySession], AbstractContextManager[object]]
"""Shows a sitting for as long as it goes on."""

ExamWork = Literal["ask", "judge", "card", "train"]
"""What a start of an exam is for: to ask what was not asked yet, and judge it; to judge alone; to hear
judges on planted answers; to train what stands in weights."""

Sits = Callable[[AnySession], Awaitable[None]]
"""Has a sitting done, until it is over or has to stop."""


async def sits_here(session: AnySession) -> None:
    await session.sit()


HELD = 10_000
"""Events of an exam that are held in memory: of what was asked hardly anything is read again."""


class ExamOptions(Struct, frozen=True, kw_only=True):
    """What a command says otherwise than the plan: `only` these arms, the first so many questions."""

    log: str | None = None
    log_by: str = ""
    """What says that it is kept there, where that is no option of the command."""
    only: tuple[str, ...] = ()
    limit: int | None = None
    repeats: int | None = None
    chains: int | None = None
    """So many lives, in an exam of lives."""
    offline: bool = False
    """The offline model in each role."""


class Sat(Struct, frozen=True):
    """What came of a sitting. `reason` says why it stopped before its end, `failing` what failed more
    often than it may."""

    progress: ExamProgress
    reason: str | None = None
    failing: str | None = None

    @property
    def code(self) -> int:
        """How a command ends."""
        return 3 if self.reason else 1 if self.failing else 0


def chosen(exam: LoadedExam, options: ExamOptions) -> LoadedExam:
    """The exam as a command wants it."""
    if options.offline:
        exam = offline(exam)
    names = [arm.name for arm in exam.arms]
    for name in options.only:
        if name not in names:
            what = f"{name!r} is no arm: {nearest(name, names)}"
            raise BadDocument([Mistake(exam.source, None, "--only", what)])
    plan, kind = exam.plan, exam.kind
    if options.chains is not None:
        if "chains" not in kind.__struct_fields__:
            what = f"says how many lives there are, and {plan.exam!r} is no exam of lives"
            raise BadDocument([Mistake(exam.source, None, "--chains", what)])
        kind = replace(kind, chains=options.chains)
    plan = replace(plan, log=options.log or plan.address, repeats=options.repeats or plan.repeats)
    if isinstance(exam.kind, QuestionKind) and is_same_log(plan.address, exam.material):
        why = f" ({options.log_by} names the log)" if options.log_by else ""
        raise WrongPlan(
            f"{exam.source}: the exam would be written into {exam.material}, which it is about{why}: "
            "name another log (log = ..., or --log)"
        )
    arms = tuple(arm for arm in exam.arms if not options.only or arm.name in options.only)
    return replace(exam, plan=plan, kind=kind, arms=arms)


async def run_exam(
    exam: LoadedExam,
    options: ExamOptions,
    watching: WatchingExam,
    console: Console | None = None,
    *,
    work: ExamWork = "ask",
    again: bool = False,
    sits: Sits = sits_here,
    by_command: bool = True,
) -> Sat:
    """Sit an exam, from wherever its log stands, until it is over or has to stop. A person at the
    `console` may take a seat of it. `sits` is what has it sat: this process, if nothing else is said.
    `by_command`: signals stop it, and other commands see that it goes on."""
    plan = exam.plan
    check_alone(plan.address, [plan.name])
    progress = ExamProgress()
    may_fail = 1.0 if work == "card" else plan.may_fail  # what fails there, the card tells
    control = Control(plan.limit, progress.spent, may_fail=may_fail)
    with ExitStack() as around:
        if by_command:
            around.enter_context(stopped_by_signals(control))
            command = command_line()
            around.enter_context(
                announced(plan.address, exam.source, (plan.name,), command=command)
            )
        opening = opened_session(exam, options, control, progress, console, work=work, again=again)
        async with opening as session:
            await asyncio.to_thread(session.survey)  # it looks at each cell
            with watching(session):
                await sits(session)
    reason = control.reason
    failing = control.failing() or (None if again else _failed_before(session, may_fail))
    return Sat(progress, reason, None if reason else failing)


def _failed_before(session: AnySession, may_fail: float) -> str | None:
    """Whether too much of what is on the log failed, in words, though nothing of it was tried now."""
    progress = session.progress
    failed = progress.failed_before and progress.failed_before + progress.failed
    counts = {"cells": (failed, progress.before + progress.answered + failed)}
    for judge, failed in session.failed_before.items():
        counts[f"reviews of {judge}"] = failed, session.tried_before[judge]
    for what, (failed, tried) in counts.items():
        if failed > tried * may_fail:
            share = f"more than may_fail = {may_fail:g} allows"
            return f"{failed} of {tried} {what} failed, {share}: --again tries those again"
    return None


def opened_session(
    exam: LoadedExam,
    options: ExamOptions,
    control: Control,
    progress: ExamProgress,
    console: Console | None = None,
    *,
    work: ExamWork = "ask",
    again: bool = False,
) -> AbstractAsyncContextManager[AnySession]:
    """One start of an exam, with its logs and models open."""
    if isinstance(exam.kind, SceneKind):
        return _playing(exam, options, control, progress, console, work=work, again=again)
    return _sitting(exam, options, control, progress, work=work, again=again)


@asynccontextmanager
async def _sitting(
    exam: LoadedExam,
    options: ExamOptions,
    control: Control,
    progress: ExamProgress,
    *,
    work: ExamWork,
    again: bool,
) -> AsyncIterator[Sitting]:
    """A sitting with its logs and models open."""
    plan = exam.plan
    async with AsyncExitStack() as opening:
        material = await opening.enter_async_context(reading_material(exam))
        asked = await units(exam, material, options.limit)
        cells = len(asked) * len(exam.arms) * plan.repeats
        roles = await roles_of(exam, opening, control, calls=cells)
        written = await opening.enter_async_context(writing(plan.address, keep_events=HELD))
        log = await ExamLog.of(written, plan.name)
        if plan.limit.counts_calls:
            await log.spent(progress.spent)
        parts = SessionParts(
            exam=exam,
            log=log,
            roles=roles,
            control=control,
            progress=progress,
            asks=_asks(work),
            again=again,
        )
        if work == "card":
            plants = await planted(asked, material)
            yield CardSitting(parts, units=asked, material=material, plants=plants)
        else:
            sitting = TrainSitting if work == "train" else Sitting
            yield sitting(parts, units=asked, material=material)


def _asks(work: ExamWork) -> bool:
    return work in ("ask", "train")


@asynccontextmanager
async def _playing(
    exam: LoadedExam,
    options: ExamOptions,
    control: Control,
    progress: ExamProgress,
    console: Console | None,
    *,
    work: ExamWork,
    again: bool,
) -> AsyncIterator[AnySession]:
    """The same of scenes."""
    plan, units = exam.plan, scenes_of(exam, options.limit)
    async with AsyncExitStack() as opening:
        cells = list(scene_cells(exam, units))
        roles = await roles_of(exam, opening, control, calls=TURNS * len(cells))
        opened = await opening.enter_async_context(writing(plan.address))
        log = await ExamLog.of(opened, plan.name)
        check_people(exam, len(cells))
        wanted = [one for one in cells if _asks(work) and log.lacks(one.key, again=again)]
        if plan.limit.counts_calls:
            await log.spent(progress.spent)
            await _spent_besides({one.world for one in wanted}, opened, plan.name, progress)
        person = at_terminal(console, control) if console else None
        lacking = [chain_of(exam, one) for one in wanted]
        program = Program(
            lacking, plan.address, plan.at_once, plan.limit, plan.may_fail, judged=False
        )
        models = ModelPool(lacking, person, roles.models, control=control)
        pool = await opening.enter_async_context(models)
        progress.story = Tally(spent=progress.spent)
        run = Run(program, opened, pool, Progress(tally=progress.story), control)
        parts = SessionParts(
            exam=exam,
            log=log,
            roles=roles,
            control=control,
            progress=progress,
            asks=_asks(work),
            again=again,
        )
        sat_in = [one.world for one in cells if not one.heard]
        yield ScenePlaying(
            parts,
            units=units,
            run=run,
            absent={world: await absent(opened, world, exam.judges) for world in sat_in},
            missed={world: await missed(opened, world, exam.judges) for world in sat_in}
            if again
            else {},
        )


def check_people(exam: LoadedExam, cells: int) -> None:
    """Refuse a person who would have to be in several scenes."""
    if has_person(exam) and cells > 1:
        what = f"a person cannot be in {cells} scenes at once: have one, in one arm"
        raise BadDocument([Mistake(exam.source, None, "agents", what)])


def has_person(exam: LoadedExam) -> bool:
    return any(seat.by_person for arm in exam.arms for seat in arm.sides.values())


async def _spent_besides(
    wanted: Collection[str], log: Log, exam: str, progress: ExamProgress
) -> None:
    """Count in what all scenes of an exam took that are not played now: those that are over, that
    failed, or that are not asked for this time. Scenes are called as their exam is, and more."""
    for world in await log.worlds():
        if world.name.startswith(f"{exam}-") and world.name not in wanted:
            async for event in await log.director(world.name):
                if isinstance(event.body, Called):
                    progress.spent.add(event.body)
