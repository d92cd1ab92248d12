"""Judges alone are heard: on answers that are there, and on some that are planted."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.kind import QuestionKind
from whoknew.engine.exams.run import ExamOptions, Sat, WatchingExam, run_exam
from whoknew.eventlog.nearest import nearest
from whoknew.worlds.errors import BadDocument, Mistake


async def judge(
    exam: LoadedExam,
    options: ExamOptions,
    watching: WatchingExam,
    *,
    again: bool = False,
    card: bool = False,
) -> Sat:
    """Hear the judges of an exam on each answer of which the log lacks what they say; for their
    `card` on planted ones, too. Nothing is asked of an arm."""
    if card and not isinstance(exam.kind, QuestionKind):
        raise WrongPlan(f"{exam.source}: only judges of answers have a card: leave out --card")
    sat = await run_exam(exam, options, watching, work="judge", again=again)
    if sat.reason or not card:
        return sat
    carded = await run_exam(exam, options, watching, work="card", again=again)
    return carded if carded.reason else replace(carded, failing=carded.failing or sat.failing)


def with_judges(exam: LoadedExam, names: Sequence[str]) -> LoadedExam:
    """The exam with these of its judges: with all, where none is named."""
    there = [one.name for one in exam.judges]
    for name in names:
        if name not in there:
            what = f"{name!r} is no judge of this plan: {nearest(name, there)}"
            raise BadDocument([Mistake(exam.source, None, "--judge", what)])
    if not there:
        what = "there are none: add one to the plan, [judges.NAME]"
        raise BadDocument([Mistake(exam.source, None, "judges", what)])
    judges = tuple(one for one in exam.judges if not names or one.name in names)
    return replace(exam, judges=judges)
