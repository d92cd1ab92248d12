"""The exam LIFESTATE: each role is asked about itself, facts and relations at the end of each of its
episodes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, ClassVar

from msgspec import Meta

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.findings import OwnFigures
from whoknew.engine.exams.kind import BegunExam, Published, WritableKind
from whoknew.engine.exams.lifestate import drawing
from whoknew.engine.exams.lifestate.askable import FACT, RELATION, SELF
from whoknew.engine.exams.lifestate.paper import ALL, KINDS, PAPER
from whoknew.engine.exams.results import CellResult
from whoknew.engine.exams.roles import is_speech
from whoknew.engine.judges.rubric import MARK
from whoknew.engine.plan.plan import Judging
from whoknew.eventlog import Event, Log
from whoknew.eventlog.nearest import nearest
from whoknew.worlds import question
from whoknew.worlds.importers.lifestate import FORMAT
from whoknew.worlds.question import Question, QuestionFile

SPEECHES = (20, 5)
"""Who says something so often is asked; in a short text, in which too few do, whoever does less."""

FEW = 4
"""Of fewer roles little could be said."""


class LifestateExam(WritableKind, frozen=True):
    """oneself, facts and relations, asked at the end of every episode

    Of every kind each role is asked `each` questions at the end of each of its episodes: those who say
    something `speeches` times at least, in these `worlds` of the material, or in all of them. They are
    made by rule from what happened, or read from a file of `questions`."""

    questions: str | None = None
    worlds: tuple[str, ...] = ()
    each: Annotated[int, Meta(ge=1, le=100)] = 2
    speeches: Annotated[int, Meta(ge=1)] = 20
    draw: int = 1
    """Which of all the questions that could be asked are drawn."""

    template: ClassVar = (
        files("whoknew.engine.exams.lifestate")
        .joinpath("lifestate.template.toml")
        .read_text("utf-8")
    )
    askable: ClassVar[Mapping[str, str]] = {
        SELF: "who they are, what they want or meant, what they are to others, what they themselves "
        "said or did, and why, as far as that was told",
        FACT: "what happened: who was there, where and when it was, who said or did what, and to whom",
        RELATION: "how they stand to another, how that began, what changed in it and by what, what "
        "the other said to them or of them",
    }
    source: ClassVar = "bundled"
    usual: ClassVar[Mapping[str, Judging]] = {"words": Judging("reference")}
    published: ClassVar[Mapping[str, Published]] = PAPER

    @classmethod
    async def begun(cls, plan: Path, folder: Path, source: str, *, anonymised: bool) -> BegunExam:
        from whoknew.engine.exams.beginning import begin

        return await begin(plan, folder, source, _of_enough, anonymised=anonymised, form=FORMAT)

    async def questions_about(
        self, material: Log, beside: Path
    ) -> QuestionFile | Sequence[Question]:
        if self.questions is not None:
            return await asyncio.to_thread(question.read, beside / self.questions)
        return await drawn(material, self)

    def written_tags(self, lived: Sequence[Event], evidence: Sequence[Event]) -> tuple[str, ...]:
        """As of those that are made by rule: how many of the character's own episodes its newest
        evidence lies back, and which episode it is asked after."""
        heard = list(dict.fromkeys(one.episode for one in lived if is_speech(one)))
        newest = max((one.episode for one in evidence), default=0)
        age = sum(episode > newest for episode in heard)
        return (f"age {age}", *(f"episode {episode}" for episode in heard[-1:]))

    def figures(self, cells: Sequence[CellResult]) -> OwnFigures:
        """Marks as the paper has them, in percent: by kind, and over all answers."""
        marks: dict[str, dict[str, list[float]]] = {name: {} for name in (*KINDS, ALL)}
        for one in cells:
            for score, mark in one.scores.items():
                if score.endswith(f".{MARK}"):
                    for name in (f"{one.cell.unit.kind} %", ALL):
                        marks.setdefault(name, {}).setdefault(one.cell.arm.name, []).append(mark)
        return {
            name: {arm: 10 * sum(some) / len(some) for arm, some in arms.items()}
            for name, arms in marks.items()
            if arms
        }


async def _of_enough(log: Log, name: str) -> list[Question]:
    asked: list[Question] = []
    for speeches in SPEECHES:
        asked = await drawn(log, LifestateExam(material=name, speeches=speeches))
        if len({one.cluster for one in asked}) >= FEW:
            break
    return asked


async def drawn(material: Log, exam: LifestateExam) -> list[Question]:
    """The questions that are made of what happened."""
    there = [one.name for one in await material.worlds()]
    for name in exam.worlds:
        if name not in there:
            raise WrongPlan(
                f"worlds: there is no {name!r} in {exam.material}: {nearest(name, there)}"
            )
    found: list[Question] = []
    for world in exam.worlds or there:
        events = await (await material.director(world)).events()
        found += await asyncio.to_thread(_about, world, events, exam)
    return found


def _about(world: str, events: Sequence[Event], exam: LifestateExam) -> list[Question]:
    return list(
        drawing.questions(world, events, each=exam.each, speeches=exam.speeches, seed=exam.draw)
    )
