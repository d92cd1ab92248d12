"""What the log of an exam says of its questions: which a model wrote, and which were struck by whoever
looked at them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

import msgspec
from msgspec import Struct

from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.writing.kept_texts import KeptFold, KeptTexts
from whoknew.engine.opening import reading_begun
from whoknew.eventlog.kinds import QuestionDecided, QuestionsWritten
from whoknew.worlds.question import Question

Standing = Literal["open", "accepted", "struck"]


class QuestionDecision(Struct, frozen=True, kw_only=True):
    """What somebody said of a question, and when."""

    verdict: Literal["accepted", "struck"]
    why: str
    by: str
    at: datetime


class LoggedQuestions(Struct, frozen=True):
    """By the id of a question what was decided of it last. `written` are those that a model wrote, in an
    order that does not depend on which was ready first; `refused` counts what of its writing did not
    pass, by check; `texts` counts what was kept of it, by what it is."""

    decisions: Mapping[str, QuestionDecision] = {}
    written: tuple[Question, ...] = ()
    refused: Mapping[str, int] = {}
    texts: Mapping[str, KeptTexts] = {}

    def is_struck(self, unit: str) -> bool:
        return self.standing(unit) == "struck"

    def standing(self, unit: str) -> Standing:
        decided = self.decisions.get(unit)
        return decided.verdict if decided else "open"


async def logged_questions(exam: LoadedExam) -> LoggedQuestions:
    """As the exam's log has it, if there is one."""
    async with reading_begun(exam.plan.address) as opened:
        if opened is None:
            return LoggedQuestions()
        return await questions_on(await ExamLog.to_read(opened, exam.plan.name))


async def questions_on(log: ExamLog) -> LoggedQuestions:
    """The same of a log that is open."""
    decisions: dict[str, QuestionDecision] = {}
    written: list[tuple[int, QuestionsWritten]] = []
    for event in await log.landmarks():
        body = event.body
        if isinstance(body, QuestionDecided):
            decisions[body.unit] = QuestionDecision(
                verdict=body.verdict, why=body.why, by=body.by, at=event.recorded
            )
        elif isinstance(body, QuestionsWritten):
            written.append((event.cause or 0, body))
    bodies = [body for _, body in sorted(written, key=_place)]
    refused = Counter(one.check for body in bodies for one in body.refused)
    texts = KeptFold()
    for body in bodies:
        texts.take(body)
    return LoggedQuestions(
        decisions, _questions(bodies), dict(sorted(refused.items())), texts.texts
    )


def _place(written: tuple[int, QuestionsWritten]) -> tuple[int, str, int, str]:
    """Writer by writer, world by world, as the story goes."""
    writer, body = written
    return writer, body.material, body.upto, body.character


def _questions(bodies: Sequence[QuestionsWritten]) -> tuple[Question, ...]:
    some = (msgspec.convert(dict(data), Question) for body in bodies for data in body.questions)
    return tuple({one.id: one for one in some}.values())
