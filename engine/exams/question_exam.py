"""The exam of a file of questions."""

from __future__ import annotations

import asyncio
from importlib.resources import files
from pathlib import Path
from typing import ClassVar

from whoknew.engine.exams.kind import QuestionKind
from whoknew.eventlog import Log
from whoknew.worlds import question
from whoknew.worlds.question import QuestionFile


def _template(end: str) -> str:
    return files("whoknew.engine.exams").joinpath(f"questions.template.{end}").read_text("utf-8")


class QuestionExam(QuestionKind, frozen=True):
    """questions of a file, about worlds of a log

    `questions` stands beside the plan."""

    template: ClassVar = _template("toml")
    template_files: ClassVar = {"NAME.jsonl": _template("jsonl")}
    questions: str

    async def questions_about(self, material: Log, beside: Path) -> QuestionFile:
        return await asyncio.to_thread(question.read, beside / self.questions)
