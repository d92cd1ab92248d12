"""The exam TimeChara: characters are asked at moments of their story of what lies behind and ahead of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, ClassVar

from msgspec import Meta, field

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.findings import OwnFigures
from whoknew.engine.exams.kind import BegunExam, Published, QuestionKind
from whoknew.engine.exams.results import CellResult
from whoknew.engine.exams.timechara import drawing
from whoknew.engine.exams.timechara.drawing import AskedFor, asked_worlds
from whoknew.engine.exams.timechara.figures import figures_of
from whoknew.engine.exams.timechara.labels import Mode
from whoknew.engine.exams.timechara.paper import PAPER
from whoknew.engine.plan.plan import Judging
from whoknew.eventlog import Log
from whoknew.eventlog.nearest import nearest
from whoknew.worlds import question
from whoknew.worlds.importers.timechara import FORMAT
from whoknew.worlds.question import Question, QuestionFile

SPEECHES = 5
"""Who says so much is somebody in the story."""

EACH = 100
"""Of each of six strata: the paper's 600."""


class TimecharaExam(QuestionKind, frozen=True):
    """what lies behind and ahead of a moment, asked of characters at that moment

    In these `worlds` of the material, or in all, those who say something `speeches` times at least are
    asked at `points`: cursors under labels, or else the ends of episodes and the marks. `each` questions
    are drawn by rule of each of six sorts; or they are read from a file of `questions`. `mode` says whether
    only `witness`es know the past, or everybody does, as in the `paper`."""

    questions: str | None = None
    worlds: tuple[str, ...] = ()
    points: dict[str, tuple[str, ...]] = field(default_factory=dict)
    mode: Mode = "witness"
    each: Annotated[int, Meta(ge=1, le=10_000)] = EACH
    speeches: Annotated[int, Meta(ge=1)] = SPEECHES
    draw: int = 1
    """Which of all the questions that could be asked are drawn."""

    template: ClassVar = (
        files("whoknew.engine.exams.timechara")
        .joinpath("timechara.template.toml")
        .read_text("utf-8")
    )
    source: ClassVar = "bundled"
    usual: ClassVar[Mapping[str, Judging]] = {"moment": Judging("moment-words")}
    published: ClassVar[Mapping[str, Published]] = PAPER

    @classmethod
    async def begun(cls, plan: Path, folder: Path, source: str, *, anonymised: bool) -> BegunExam:
        from whoknew.engine.exams.beginning import begin

        return await begin(plan, folder, source, _usual, anonymised=anonymised, form=FORMAT)

    async def questions_about(
        self, material: Log, beside: Path
    ) -> QuestionFile | Sequence[Question]:
        if self.questions is not None:
            return await asyncio.to_thread(question.read, beside / self.questions)
        return await drawn(material, self)

    def figures(self, cells: Sequence[CellResult]) -> OwnFigures:
        return figures_of(cells)


async def drawn(material: Log, exam: TimecharaExam) -> list[Question]:
    """The questions that are made of what happened."""
    there = [one.name for one in await material.worlds()]
    for name in exam.worlds:
        if name not in there:
            near = nearest(name, there)
            raise WrongPlan(f"worlds: there is no {name!r} in {exam.material}: {near}")
    wanted = AskedFor(
        each=exam.each,
        speeches=exam.speeches,
        mode=exam.mode,
        seed=exam.draw,
        points=exam.points,
    )
    worlds = await asked_worlds(material, exam.worlds or there, wanted)
    return await asyncio.to_thread(drawing.questions, worlds, wanted)


async def _usual(log: Log, name: str) -> list[Question]:
    return await drawn(log, TimecharaExam(material=name))
