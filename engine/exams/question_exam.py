"""The exam of a file of questions."""

from __future__ import annotations

import asyncio
from pathlib import Path

from whoknew.engine.exams.kind import QuestionKind
from whoknew.eventlog import Log
from whoknew.worlds import question
from whoknew.worlds.question import QuestionFile


class QuestionExam(QuestionKind, frozen=True):
    """questions of a file, about worlds of a log

    `questions` stands beside the plan."""

    questions: str

    async def questions_about(self, material: Log, beside: Path) -> QuestionFile:
        return await asyncio.to_thread(question.read, beside / self.questions)
