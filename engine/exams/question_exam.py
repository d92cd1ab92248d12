"""The exam of a file of questions."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import ClassVar

from whoknew.engine.exams.kind import QuestionKind
from whoknew.eventlog import Log
from whoknew.worlds import question
from whoknew.worlds.errors import BadDocument, BadSource, Mistake
from whoknew.worlds.question import QuestionFile


def _template(end: str) -> str:
    return files("whoknew.engine.exams").joinpath(f"questions.template.{end}").read_text("utf-8")


class QuestionExam(QuestionKind, frozen=True):
    """questions of a file, about worlds of a log

    `questions` stands beside the plan."""

    template: ClassVar = _template("toml")
    template_files: ClassVar = {"NAME.jsonl": _template("jsonl")}
    questions: str

    def file_mistakes(self, beside: Path) -> Sequence[Mistake]:
        return read_faults(self.questions, beside)

    async def questions_about(self, material: Log, beside: Path) -> QuestionFile:
        return await asyncio.to_thread(question.read, beside / self.questions)


def read_faults(name: str, beside: Path) -> Sequence[Mistake]:
    """What is wrong with a file of questions."""
    path = beside / name
    try:
        question.read(path)
    except BadDocument as error:
        return error.mistakes
    except BadSource as error:
        return [Mistake(name, None, "", str(error).removeprefix(f"{path} "))]
    return ()
