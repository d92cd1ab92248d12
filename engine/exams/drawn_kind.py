"""The port to an exam that makes its questions by rule of what happened in worlds, unless a file has
them: also of a text that an exam is begun with."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.kind import BegunExam, ExamSource, WritableKind
from whoknew.eventlog import Log
from whoknew.eventlog.nearest import nearest
from whoknew.worlds import question
from whoknew.worlds.question import Question, QuestionFile


class DrawnKind(WritableKind, frozen=True, kw_only=True):
    """It is about these `worlds` of its material, or about all; `draw` says which of all the questions
    that could be asked are drawn. With `questions`, a file has them instead."""

    source: ClassVar = "bundled"
    records: ClassVar[str]
    """The importer that reads a JSON file of its paper's authors."""

    questions: str | None = None
    worlds: tuple[str, ...] = ()
    draw: int = 1

    @classmethod
    async def begun(cls, of: ExamSource) -> BegunExam:
        from whoknew.engine.exams.beginning import begin

        return await begin(of, cls.first_drawn, form=cls.records)

    @classmethod
    async def first_drawn(cls, log: Log, name: str) -> Sequence[Question]:
        """The questions that an exam is begun with, about the worlds of a log, which stands for what is
        named."""
        return await cls(material=name).drawn(log, Path())

    async def questions_about(
        self, material: Log, beside: Path
    ) -> QuestionFile | Sequence[Question]:
        if self.questions is not None:
            return await asyncio.to_thread(question.read, beside / self.questions)
        return await self.drawn(material, beside)

    async def drawn(self, material: Log, beside: Path) -> Sequence[Question]:
        """The questions that are made of what happened. `beside` is the folder of the plan."""
        raise NotImplementedError

    async def worlds_in(self, material: Log) -> Sequence[str]:
        """Those that it is about; WrongPlan where one of them is not there."""
        there = [one.name for one in await material.worlds()]
        for name in self.worlds:
            if name not in there:
                near = nearest(name, there)
                raise WrongPlan(f"worlds: there is no {name!r} in {self.material}: {near}")
        return self.worlds or there
