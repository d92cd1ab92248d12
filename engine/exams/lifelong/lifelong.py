"""What an exam of lives came to: its report, what was wanted beside it, and its files."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from whoknew.engine.errors import NoReport
from whoknew.engine.exams.agreement import Agreement
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.lifelong.report import ExamReport, read_report, report
from whoknew.engine.exams.lifelong.report_files import write
from whoknew.engine.exams.lifelong.validation import Label, validated
from whoknew.engine.exams.plots import check_plots
from whoknew.engine.opening import reading


class LivesWanted(Struct, frozen=True, kw_only=True):
    """What beside its table a command wants of an exam: files in a folder, which link to a viewer;
    an earlier report beside it, the paper's figures, the judges against labels."""

    out: Path | None = None
    viewer: str = ""
    other: ExamReport | None = None
    paper: bool = False
    labels: tuple[Label, ...] = ()


class LivesReported(Struct, frozen=True, kw_only=True):
    """The report of all that is on the log, and what else was wanted. `files` are those that were
    written."""

    report: ExamReport
    other: ExamReport | None = None
    paper: bool = False
    agreements: tuple[Agreement, ...] = ()
    files: tuple[str, ...] = ()
    unmet: int = 0
    """So many labels are of what no judge decided."""


NOTHING_MORE = LivesWanted()


async def reported(exam: LoadedExam, wanted: LivesWanted = NOTHING_MORE) -> LivesReported:
    """The report, and what else is wanted; nothing is played."""
    if wanted.out is not None:
        check_plots()
    address = exam.plan.address
    async with reading(address) as log:
        found = await report(log, exam, address)
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
    return LivesReported(
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
        raise NoReport(f"{file} is no report of an exam of lives: {error}") from None
