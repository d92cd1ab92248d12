"""What the commands of exams share: their options, and the exam that they name."""

from __future__ import annotations

import os
from collections.abc import Callable
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import replace

from whoknew.engine.exams import document
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.plan import MOST_REPEATS
from whoknew.engine.exams.run import ExamOptions, chosen
from whoknew.engine.plan.settings import Announce
from whoknew.engine.running.stop import is_same_log
from whoknew.engine.terminal.answer import reporting, set_aside
from whoknew.engine.terminal.errors import say_loading
from whoknew.engine.terminal.options import VARIABLE, argument, flag, option

PlanFile = Annotated[Path, argument("PLAN")]
ExamLogOption = Annotated[
    str | None,
    option(
        "--log",
        "LOG",
        f"Where the exam is kept: a file, or postgresql://... [else: log of the plan, or {VARIABLE}]",
    ),
]
OfflineOption = Annotated[
    bool, flag("--offline", "Every arm and judge by the offline model: no key, no cost.")
]
OnlyOption = Annotated[
    list[str] | None, option("--only", "ARM", "Only this arm; several may be given.")
]
LimitOption = Annotated[
    int | None,
    typer.Option("--limit", min=1, metavar="N", help="Only the first N questions."),
]
RepeatsOption = Annotated[
    int | None,
    typer.Option("--repeats", min=1, max=MOST_REPEATS, metavar="R", help="Each answer R times."),
]
ChainsOption = Annotated[
    int | None,
    typer.Option("--chains", min=1, metavar="N", help="So many lives, in an exam of lives."),
]


Loading = Callable[[Path, Announce], LoadedExam]


def exam_of(plan: Path, options: ExamOptions, load: Loading = document.load) -> LoadedExam:
    """The exam of a plan, as a command wants it."""
    return as_kept(load(plan, say_loading), options)


AS_PLANNED = ExamOptions()


def as_kept(exam: LoadedExam, options: ExamOptions = AS_PLANNED) -> LoadedExam:
    """An exam as a command wants it, in the log in which it is kept."""
    return chosen(exam, kept_by(exam, options))


def exam_to_serve(plan: Path) -> LoadedExam:
    """The exam of a plan, to be looked at beside a log that is served. Where the environment names what it
    is about, as it does for `whoknew serve`, it is kept elsewhere."""
    exam = document.load_to_read(plan, say_loading)
    options = kept_by(exam, AS_PLANNED)
    is_about_it = options.log is not None and is_same_log(options.log, exam.material)
    return chosen(exam, AS_PLANNED if is_about_it else options)


def kept_by(exam: LoadedExam, options: ExamOptions) -> ExamOptions:
    """What a command says; where neither it nor the plan names a log, that of the environment."""
    named = os.environ.get(VARIABLE)
    if options.log or exam.plan.log or not named:
        return options
    return replace(options, log=named, log_by=VARIABLE)


def of_an_exam(command: Callable[..., None], load: Loading = document.load) -> Callable[..., None]:
    """A command about the exam of a plan. It is given the exam, and what was said otherwise than the
    plan does; then what it takes beside that."""

    def whole(
        plan: PlanFile,
        log: ExamLogOption = None,
        offline: OfflineOption = False,
        only: OnlyOption = None,
        limit: LimitOption = None,
        repeats: RepeatsOption = None,
        chains: ChainsOption = None,
        **own: Any,
    ) -> None:
        options = ExamOptions(
            log=log,
            only=tuple(only or ()),
            limit=limit,
            repeats=repeats,
            chains=chains,
            offline=offline,
        )
        with reporting(own.get("trace")), set_aside(own.get("json", False)):
            exam = exam_of(plan, options, load)
        command(exam, options, **own)

    *shared, _ = signature(whole, eval_str=True).parameters.values()
    _, _, *others = signature(command, eval_str=True).parameters.values()
    taken = [*shared, *others]
    whole.__dict__["__signature__"] = Signature(taken)
    whole.__annotations__ = {one.name: one.annotation for one in taken}
    whole.__doc__ = command.__doc__
    return whole


def of_what_is_there(command: Callable[..., None]) -> Callable[..., None]:
    """The same, of one that shows what is there, whichever judges cannot be read."""
    return of_an_exam(command, document.load_to_read)
