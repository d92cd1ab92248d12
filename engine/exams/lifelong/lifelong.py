"""A lifelong examination from its plan to its report: played, judged, and told of."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.errors import NoReport
from whoknew.engine.exams.agreement import Agreement
from whoknew.engine.exams.lifelong.lives import program_of
from whoknew.engine.exams.lifelong.plan import Arm, Exam, crowded, load
from whoknew.engine.exams.lifelong.report import ExamReport, read_report, report
from whoknew.engine.exams.lifelong.report_files import write
from whoknew.engine.exams.lifelong.validation import Label, validated
from whoknew.engine.exams.plots import check_plots
from whoknew.engine.opening import reading
from whoknew.engine.plan import loading
from whoknew.engine.plan.program import Program
from whoknew.engine.plan.settings import Announce, quietly
from whoknew.engine.running import forecast
from whoknew.engine.running import run as running
from whoknew.engine.running.chains import RunReport
from whoknew.engine.running.forecast import Forecast
from whoknew.engine.running.models import Console


class ReportOptions(Struct, frozen=True):
    """What beside its table a command wants of an exam: files in a folder, which link to a viewer;
    an earlier report beside it, the paper's figures, the judges against labels."""

    out: Path | None = None
    viewer: str = ""
    other: ExamReport | None = None
    paper: bool = False
    labels: tuple[Label, ...] = ()


class ExamResult(Struct, frozen=True, kw_only=True):
    """What came of an examination: the run, where anything was run, the report of all that is on
    its log, and what else was wanted. `files` are those that were written."""

    run: RunReport | None
    report: ExamReport
    other: ExamReport | None = None
    paper: bool = False
    agreements: tuple[Agreement, ...] = ()
    files: tuple[str, ...] = ()
    unmet: int = 0
    """So many labels are of what no judge decided."""


def exam_of(
    plan: str | None,
    log: str | None,
    chains: int | None,
    announce: Announce = quietly,
    *,
    offline: bool,
) -> Exam:
    """The exam of a plan, as a command wants it."""
    exam = load(plan, announce)
    ours = replace(exam.plan, log=log or exam.plan.log, chains=chains or exam.plan.chains)
    arms = tuple(_offline(one) for one in exam.arms) if offline else exam.arms
    if offline:
        ours = replace(ours, judges=loading.offline(ours.judges))
    exam = replace(exam, plan=ours, arms=arms)
    if wrong := crowded(exam):
        raise wrong
    return exam


def program(exam: Exam) -> Program:
    return program_of(exam, exam.plan.log)


def has_person(exam: Exam) -> bool:
    return any(seat.by_person for arm in exam.arms for seat in arm.seats.values())


async def foresee(exam: Exam) -> Forecast:
    return await forecast.forecast(program(exam))


async def sit(
    exam: Exam,
    wanted: ReportOptions,
    watching: running.Watching | None,
    console: Console | None = None,
) -> ExamResult:
    """Play what is left of it, unless nobody watches; and report."""
    if wanted.out is not None:
        check_plots()
    run = None
    if watching is not None:
        run = await running.run_program(program(exam), exam.source, watching, console)
    async with reading(exam.plan.log) as log:
        found = await report(log, exam, exam.plan.log)
        agreements, unmet = await validated(log, wanted.labels)
    files: tuple[str, ...] = ()
    if wanted.out is not None:
        files = write(
            found,
            wanted.out,
            wanted.viewer,
            other=wanted.other,
            paper=wanted.paper,
            agreements=agreements,
        )
    return ExamResult(
        run=run,
        report=found,
        other=wanted.other,
        paper=wanted.paper,
        agreements=agreements,
        files=files,
        unmet=unmet,
    )


def earlier(path: Path) -> ExamReport:
    """A report that was written to a file, or to the folder that holds it."""
    file = path / "report.json" if path.is_dir() else path
    try:
        return read_report(file.read_bytes())
    except OSError as error:
        raise NoReport(f"{file} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise NoReport(f"{file} is no report of `whoknew lifelong --out`: {error}") from None


def _offline(arm: Arm) -> Arm:
    return replace(arm, model=OFFLINE, seats=loading.offline(arm.seats))
