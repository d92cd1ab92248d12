"""The questions of an exam, to be looked at: each with where it comes from, what it rests on, and what
was decided of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.kind import QuestionKind
from whoknew.engine.exams.logged_questions import QuestionDecision, Standing
from whoknew.engine.exams.material import ExamQuestions, questions_of, reading_material
from whoknew.engine.exams.origin import origin_of
from whoknew.engine.exams.questions import resolved
from whoknew.engine.exams.writing.kept_texts import KeptTexts
from whoknew.engine.travel.knows import LIMIT
from whoknew.eventlog import Event, Log
from whoknew.eventlog.nearest import nearest
from whoknew.worlds.question import Question, QuestionFile

_EPISODE = re.compile(r"E(\d+)(?:\.T\d+)?")


class QuestionFilter(Struct, frozen=True, kw_only=True):
    """Which questions are wanted: all, where nothing is said."""

    who: str | None = None
    kind: str | None = None
    origin: str | None = None
    episode: int | None = None
    standing: Standing | None = None


class QuestionRow(Struct, frozen=True, kw_only=True):
    """A question, on a line of its file, or as if it followed the last of them where it stands on the
    log. `evidence` are the events that it rests on."""

    id: str
    line: int
    question: Question
    origin: str
    standing: Standing
    decision: QuestionDecision | None
    evidence: tuple[tuple[Event, ...], ...]


class QuestionList(Struct, frozen=True, kw_only=True):
    """Some of those that are wanted, which are `total` in all; and how many of these come from where,
    and stand how. `refused` counts what a model wrote that did not pass, by check, `texts` what
    was kept of it: of the whole exam."""

    name: str
    rows: tuple[QuestionRow, ...]
    total: int
    skipped: int
    origins: dict[str, int]
    standings: dict[str, int]
    refused: dict[str, int] = {}
    texts: dict[str, KeptTexts] = {}


async def question_list(
    exam: LoadedExam, wanted: QuestionFilter, *, limit: int | None = LIMIT, skip: int = 0
) -> QuestionList:
    """A page of them; without a limit all that follow."""
    check_questions(exam)
    async with reading_material(exam) as material:
        known = await questions_of(exam, material)
        _check_names(exam, known.file, wanted)
        some = zip(known.file.lines, known.file.questions, strict=True)
        found = [(line, one) for line, one in some if _is_wanted(known, one, wanted)]
        page = found[skip : None if limit is None else skip + limit]
        return QuestionList(
            name=exam.plan.name,
            rows=tuple(await _rows(material, known, page)),
            total=len(found),
            skipped=min(skip, len(found)),
            origins=dict(Counter(origin_of(one) for _, one in found)),
            standings=dict(Counter(known.logged.standing(one.id) for _, one in found)),
            refused=dict(known.logged.refused),
            texts=dict(known.logged.texts),
        )


def check_questions(exam: LoadedExam) -> None:
    if not isinstance(exam.kind, QuestionKind):
        raise BadQuestion(f"{exam.plan.name} has no questions: its units are {exam.kind.unit}s")


async def _rows(
    material: Log, known: ExamQuestions, page: Sequence[tuple[int, Question]]
) -> list[QuestionRow]:
    if not page:
        return []
    lines, questions = zip(*page, strict=True)
    found = []
    places = await resolved(material, QuestionFile(known.file.source, questions, lines))
    for line, place in zip(lines, places, strict=True):
        one = place.question
        found.append(
            QuestionRow(
                id=one.id,
                line=line,
                question=one,
                origin=origin_of(one),
                standing=known.logged.standing(one.id),
                decision=known.logged.decisions.get(one.id),
                evidence=tuple(
                    [
                        tuple(await material.lineage.pick(one.world, sorted(some)))
                        for some in place.evidence
                    ]
                ),
            )
        )
    return found


def _is_wanted(known: ExamQuestions, one: Question, wanted: QuestionFilter) -> bool:
    return (
        wanted.who in (None, one.character)
        and wanted.kind in (None, one.kind)
        and wanted.origin in (None, origin_of(one), origin_of(one).partition(" ")[0])
        and wanted.episode in (None, _episode(one))
        and wanted.standing in (None, known.logged.standing(one.id))
    )


def _episode(one: Question) -> int | None:
    """The episode at whose end, or in which, it is asked, where its cursor names one."""
    found = _EPISODE.fullmatch(one.at)
    return int(found[1]) if found else None


def _check_names(exam: LoadedExam, file: QuestionFile, wanted: QuestionFilter) -> None:
    """Refuse what nothing is called, as a slip of a finger is."""
    origins = {origin_of(one) for one in file.questions}
    there = {
        "who": (wanted.who, {one.character for one in file.questions}),
        "kind": (wanted.kind, {one.kind for one in file.questions}),
        "origin": (wanted.origin, origins | {one.partition(" ")[0] for one in origins}),
    }
    for option, (name, names) in there.items():
        if name is not None and name not in names:
            raise BadQuestion(
                f"--{option}: no question of {exam.plan.name} has {name!r}: {nearest(name, sorted(names))}"
            )
