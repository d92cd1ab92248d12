"""What is to be known before any figure of an exam is believed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.exams.arms import differing
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.cells import ExamUnit
from whoknew.engine.exams.control import is_unsafe
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.material import AskedUnits, left_out
from whoknew.engine.exams.results import ExamResults
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.playing.spent import Cost, dollars
from whoknew.eventlog.counted import counted
from whoknew.eventlog.kinds import ArmAdded, JudgeAdded
from whoknew.eventlog.shown_address import without_password


def remarks(
    exam: LoadedExam,
    options: ExamOptions,
    asked: AskedUnits[ExamUnit],
    found: ExamResults,
    before: Sequence[str],
) -> Iterator[str]:
    """All of them. `before` is what its arms and judges were."""
    yield from exam.unread
    yield from _silence(exam, found.cells)
    yield from _lost(found.lost)
    yield from _failures(found.cells)
    yield from _cut(exam, found.cells)
    yield from _unjudged(exam, found.cells)
    yield from _unsafe(exam)
    yield from _offline_judges(exam)
    yield from asked.remarks
    yield from exam.same
    yield from left_out(asked)
    yield from found.remarks
    yield from found.findings.remarks
    yield from before
    yield from _others(exam.kind.unit, found.others, options)


def _silence(exam: LoadedExam, cells: Sequence[CellResult]) -> Iterator[str]:
    """Whether there is nothing yet that a figure could be made of, which is said before all else."""
    if not any(one.answer is not None or one.failure is not None for one in cells):
        asked = sum(one.asked.calls for one in cells)
        calls = f", after {counted(asked, 'call')}" if asked else ""
        yield f"nothing is {exam.kind.done} yet on {without_password(exam.plan.address)}{calls}"


def _lost(lost: Cost) -> Iterator[str]:
    """What may have been paid for without an answer."""
    if lost.calls:
        yield (
            f"{counted(lost.calls, 'call')} more may have been paid for, {dollars(lost.money)} at most: started by a process that "
            "died or lost its shard, or still under way"
        )


MUCH = 0.05
"""Where a larger share failed, no figure is given without a word of it."""


def warning(cells: Sequence[CellResult]) -> str:
    asked = sum(one.begun for one in cells)
    failed = sum(one.failure is not None or bool(one.unreviewed) for one in cells)
    if failed <= MUCH * asked:
        return ""
    if all(one.failure is not None for one in cells if one.begun):
        return f"all {asked:,} cells failed: there are no figures"
    if any(one.unreviewed for one in cells):
        which = "failed, or a review of them did: no figure counts what failed"
    else:
        which = "failed: the figures are of the others alone"
    return f"{failed:,} of {asked:,} cells {which}"


def _failures(cells: Sequence[CellResult]) -> Iterator[str]:
    """Why most of what failed did: how much that is the table says of each arm, and of much a warning."""
    failed = Counter(one.failure for one in cells if one.failure is not None)
    if failed:
        why, count = failed.most_common(1)[0]
        yield f"the commonest failure, {count:,} of {failed.total():,}: {why}"
    unheard = Counter((who, why) for one in cells for who, why in one.unreviewed.items())
    if unheard:
        (who, why), count = unheard.most_common(1)[0]
        yield f"{unheard.total():,} reviews failed; {count:,} of them by {who}: {why}"


def _cut(exam: LoadedExam, cells: Sequence[CellResult]) -> Iterator[str]:
    """Arms whose model could not hold all that came to mind: what they are compared by is less."""
    for arm in exam.arms:
        answered = [
            one for one in cells if one.cell.arm.name == arm.name and one.answer is not None
        ]
        cut = [one for one in answered if one.cut_to is not None]
        if cut:
            left = f"{median(one.cut_to or 0 for one in cut):,.0f}"
            gone = f"{median(one.left_out for one in cut):,.0f}"
            yield (
                f"arm {arm.name}: the window of {arm.seat.model} could not hold what came to mind in "
                f"{len(cut):,} of {len(answered):,} answers: it was cut to {left} tokens there, and {gone} "
                "left out (both the median)"
            )


def _unjudged(exam: LoadedExam, cells: Sequence[CellResult]) -> Iterator[str]:
    """A judge whose figures are of a part of the answers, as the others lack what it needs."""
    answered = [one for one in cells if one.answer is not None]
    for judge in exam.judges:
        judged = sum(one.cell.judged_by(judge) for one in answered)
        if judged < len(answered):
            needs = ", ".join(judge.entry.lacking())
            part = f"{judged:,} of {len(answered):,} answers"
            yield f"judge {judge.name} judges {part}: the other questions lack what it needs ({needs})"


def _unsafe(exam: LoadedExam) -> Iterator[str]:
    """Controls that leak: they show what a leak would be worth, and are no memories to choose from."""
    if names := [arm.name for arm in exam.arms if is_unsafe(arm.name)]:
        what = "is told" if len(names) == 1 else "are told"
        yield f"{', '.join(names)} {what} what a character cannot know: no memory to choose"


def _offline_judges(exam: LoadedExam) -> Iterator[str]:
    """A judge that understands nothing, of answers by those that may."""
    playing = [arm.name for arm in exam.arms if {*arm.models} - {OFFLINE}]
    for judge in exam.judges:
        if judge.judging.asks and judge.judging.model == OFFLINE and playing:
            yield (
                f"judge {judge.name} is the offline model, which counts words and understands none: "
                f"what it gives to {playing[0]} is no judgement"
            )


async def earlier(log: ExamLog, exam: LoadedExam) -> list[str]:
    """What the arms and judges of the same names were before."""
    found: list[str] = []
    arms = {one.name: one for one in exam.arms}
    judges = {one.name: one for one in exam.judges}
    for event in await log.landmarks():
        body = event.body
        if not isinstance(body, ArmAdded | JudgeAdded):
            continue
        what = "arm" if isinstance(body, ArmAdded) else "judge"
        one = (arms if isinstance(body, ArmAdded) else judges).get(body.name)
        if one is not None and one.digest != body.digest:
            how = "; ".join(differing(body.settings, one.settings))
            found.append(f"{what} {body.name} was another one before, which is not counted: {how}")
    return found


OTHERS = {
    "arms": "of arms that the plan does not have",
    "questions": "to questions that are not asked any more, or were worded otherwise",
    "worlds": "about worlds that have changed since",
    "repeats": "of further repeats",
    "scenes": "of scenes that are not played any more, or are others now",
    "seeds": "of another seed, or of earlier rules of play",
}


def _others(unit: str, others: Counter[str], options: ExamOptions) -> Iterator[str]:
    """Why what else is on the log does not count: the plan has it no more, or the command left it out."""
    left = dict(OTHERS)
    if options.only:
        left["arms"] = (
            f"of arms that --only leaves out, or {OTHERS['arms'].removeprefix('of arms ')}"
        )
    if options.limit is not None:
        left["questions"] = f"to questions after the first {options.limit:,}, or worded otherwise"
        left["scenes"] = f"of scenes after the first {options.limit:,}, or of others than now"
    what = "answers" if unit == "question" else f"{unit}s"
    for why, count in others.items():
        yield f"{count:,} more {what} on the log are {left[why]}: they are not counted"
