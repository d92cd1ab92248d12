"""`whoknew exam questions`: the questions of an exam, looked at, struck, accepted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from getpass import getuser
from typing import Annotated

import typer
from msgspec.structs import replace
from rich.console import Group, RenderableType
from rich.text import Text

from whoknew.engine.exams.deciding import DecidedQuestions, decide
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.logged_questions import Standing
from whoknew.engine.exams.question_list import (
    QuestionFilter,
    QuestionList,
    question_list,
)
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.terminal.answer import answer, reporting, set_aside
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.exam.plans import ExamLogOption, PlanFile, exam_of
from whoknew.engine.terminal.exam.question_review import question_shown, review
from whoknew.engine.terminal.exam.writing import kept_share
from whoknew.engine.terminal.figures import paged
from whoknew.engine.terminal.options import Json, alone, flag, option
from whoknew.engine.travel.knows import LIMIT
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew exam questions exam.toml --kind relation")
def command(
    plan: PlanFile,
    who: Annotated[str | None, option("--who", "NAME", "Only those put to this one.")] = None,
    kind: Annotated[str | None, option("--kind", "KIND", "Only those of this kind.")] = None,
    origin: Annotated[
        str | None, option("--origin", "ORIGIN", "Only those of the rule, of a model, of the file.")
    ] = None,
    episode: Annotated[
        int | None, typer.Option("--episode", min=1, metavar="N", help="Only those put then.")
    ] = None,
    standing: Annotated[
        Standing | None,
        option("--standing", "WHICH", "Only those that are open, accepted or struck."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Show N at most.")] = LIMIT,
    skip: Annotated[int, typer.Option(min=0, metavar="N", help="Leave out the first N.")] = 0,
    looks: Annotated[
        bool, flag("--review", "One after another: accept, strike, or skip each.")
    ] = False,
    strike: Annotated[
        list[str] | None, option("--strike", "ID", "Ask this no more; several may be given.")
    ] = None,
    accept: Annotated[
        list[str] | None, option("--accept", "ID", "Take this, also if it was struck; several.")
    ] = None,
    why: Annotated[str, option("--why", "TEXT", "With --strike, --accept: the reason.")] = "",
    by: Annotated[
        str | None, option("--by", "NAME", "Who says so: you, by the name of your account.")
    ] = None,
    log: ExamLogOption = None,
    json: Json = False,
) -> None:
    """List the questions of an exam; accept or strike them.

    What is struck is not asked any more, and counted in no table; answers that it has stay on the log,
    and it can be accepted again. ID is that of a question, or the beginning of it, or the number of its
    line. --review begins with what is open, and can be left at any time.
    """
    wanted = QuestionFilter(who=who, kind=kind, origin=origin, episode=episode, standing=standing)
    with reporting(), set_aside(json):
        exam = exam_of(plan, ExamOptions(log=log))
    if strike or accept:
        if looks:
            raise typer.BadParameter("--review asks of each: leave out --strike and --accept")
        if wanted != QuestionFilter():
            raise typer.BadParameter(
                "--strike and --accept name questions, by their ids or lines: leave out --who, --kind, "
                "--origin, --episode and --standing"
            )
        work = decide(exam, accept or (), strike or (), why=why, by=by or you())
        answer(work, decided, json)
    elif why:
        raise typer.BadParameter("--why goes with --strike or --accept")
    elif looks:
        if json:
            raise typer.BadParameter("--review is for the eye: leave out --json")
        with reporting():
            review(exam, _open(exam, wanted), by or you())
    else:
        answer(question_list(exam, wanted, limit=limit, skip=skip), listed, json)


def you() -> str:
    """The name of whoever gives the command."""
    try:
        return getuser()
    except (OSError, KeyError, ImportError):  # an account without a name
        return "somebody"


def _open(exam: LoadedExam, wanted: QuestionFilter) -> QuestionList:
    """What is to be looked at."""
    wanted = replace(wanted, standing=wanted.standing or "open")
    return asyncio.run(question_list(exam, wanted, limit=None))


def decided(found: DecidedQuestions) -> str:
    parts = (("accepted", found.accepted), ("struck", found.struck), ("so already", found.already))
    told = [f"{what}: {', '.join(ids)}" for what, ids in parts if ids]
    return "".join(f"{one}\n" for one in told)


def listed(found: QuestionList) -> Group:
    return Group(*_parts(found))


def _parts(found: QuestionList) -> Iterator[RenderableType]:
    what = paged(counted(found.total, "question"), found)
    yield Text(f"{safe(found.name)}: {what}", "bold")
    for counts in (found.origins, found.standings):
        yield Text(", ".join(f"{count:,} {safe(name)}" for name, count in counts.items()), "dim")
    if found.refused:
        told = ", ".join(f"{safe(name)} {count:,}" for name, count in found.refused.items())
        yield Text(
            f"{sum(found.refused.values()):,} that a model wrote were refused: {told}", "dim"
        )
    if found.texts:
        yield Text(f"kept of what a model wrote: {kept_share(found.texts, {})}", "dim")
    for row in found.rows:
        yield Text()
        yield from question_shown(row)
