"""Somebody looks at the questions of an exam, and strikes some: on its log, where a later word takes an
earlier one back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.logged_questions import questions_on
from whoknew.engine.exams.material import questions_of, reading_material
from whoknew.engine.opening import writing
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import QuestionDecided
from whoknew.worlds.question import QuestionFile

Verdict = Literal["accepted", "struck"]

ACCEPTED: Verdict = "accepted"
STRUCK: Verdict = "struck"


class DecidedQuestions(Struct, frozen=True):
    """The ids of those that were struck or accepted now, and of those of which the same held already."""

    accepted: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    already: tuple[str, ...] = ()


async def decide(
    exam: LoadedExam, accept: Sequence[str], strike: Sequence[str], *, why: str = "", by: str = ""
) -> DecidedQuestions:
    """Of questions by their ids, the beginnings of ids, or their lines: all of it, or nothing where one
    of them is none."""
    async with reading_material(exam) as material:
        file = (await questions_of(exam, material)).file
    accepted = {id_of(exam, file, name) for name in accept}
    struck = {id_of(exam, file, name) for name in strike}
    if both := accepted & struck:
        raise BadQuestion(f"{min(both)} is to be accepted and struck: say one of them")
    said: dict[str, Verdict] = dict.fromkeys(sorted(accepted), ACCEPTED)
    said |= dict.fromkeys(sorted(struck), STRUCK)
    return await put_down(exam, said, why=why, by=by)


async def put_down(
    exam: LoadedExam, said: Mapping[str, Verdict], *, why: str = "", by: str = ""
) -> DecidedQuestions:
    """Write what was said of questions by their ids, where it does not hold already."""
    async with writing(exam.plan.address) as opened:
        log = await ExamLog.of(opened, exam.plan.name)
        known = (await questions_on(log)).decisions
        already = [
            unit
            for unit, verdict in said.items()
            if unit in known and known[unit].verdict == verdict and why in ("", known[unit].why)
        ]
        fresh: dict[str, Verdict] = {
            unit: verdict for unit, verdict in said.items() if unit not in already
        }
        if fresh:
            await log.begin((), ())
            drafts = [
                Draft(QuestionDecided(unit=unit, verdict=verdict, why=why, by=by))
                for unit, verdict in fresh.items()
            ]
            await opened.append(log.world, drafts)
    return DecidedQuestions(
        tuple(unit for unit, verdict in fresh.items() if verdict == "accepted"),
        tuple(unit for unit, verdict in fresh.items() if verdict == "struck"),
        tuple(already),
    )


def id_of(exam: LoadedExam, file: QuestionFile, name: str) -> str:
    """The id of the question on a line, of an id, or of the beginning of one."""
    lines = {str(line): one for line, one in zip(file.lines, file.questions, strict=True)}
    if name in lines:
        return lines[name].id
    found = {one.id for one in file.questions if one.id.startswith(name)} if name else set()
    if len(found) == 1:
        return found.pop()
    many = f"{len(found)} questions have an id that begins so: give more of it"
    first, last = min(file.lines), max(file.lines)
    none = (
        f"no question of {exam.plan.name} has this id or line (they are on lines {first} to {last})"
    )
    raise BadQuestion(f"{name!r}: {many if found else none}")
