"""Somebody looks at the questions of an exam, and strikes some: on its log, where a later word takes an
earlier one back."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from whoknew.eventlog.stores.store import BEHIND
from whoknew.worlds.question import QuestionFile

Verdict = Literal["accepted", "struck"]

BEGINNING = 4
"""Signs of an id by which it is known."""

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
    accepted = set(ids_of(exam, file, accept))
    struck = set(ids_of(exam, file, strike))
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


def ids_of(exam: LoadedExam, file: QuestionFile, names: Iterable[str]) -> Iterator[str]:
    """The ids of questions by their lines, by their ids, or by the beginnings of ids: by enough of one
    that a line which is not there is not taken for it."""
    lines = {str(line): one for line, one in zip(file.lines, file.questions, strict=True)}
    ids: list[str] = []
    for name in names:
        if name in lines:
            yield lines[name].id
            continue
        ids = ids or sorted({one.id for one in file.questions})
        some = ids[bisect_left(ids, name) : bisect_left(ids, name + BEHIND)]
        is_short = len(name) < BEGINNING
        if is_short or not some:
            first, last = min(file.lines), max(file.lines)
            more = f"; of an id give {BEGINNING} signs at least" if is_short else ""
            where = f"(they are on lines {first} to {last}{more})"
            raise BadQuestion(
                f"{name!r}: no question of {exam.plan.name} has this id or line {where}"
            )
        if len(some) > 1:
            many = f"{len(some)} questions have an id that begins so: give more of it"
            raise BadQuestion(f"{name!r}: {many}")
        yield some[0]
