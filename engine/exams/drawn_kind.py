"""The port to an exam that makes its questions by rule of what happened in worlds, unless a file has
them: also of a text that an exam is begun with."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from msgspec.structs import replace

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.kind import BegunExam, ExamSource, FirstQuestions, WritableKind
from whoknew.engine.travel.family import firsts
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import Acted, Traced
from whoknew.eventlog.nearest import nearest
from whoknew.worlds import question
from whoknew.worlds.question import Question, QuestionFile, cluster_of


class DrawnKind(WritableKind, frozen=True, kw_only=True):
    """It is about these `worlds` of its material, or about all; `draw` says which of all the questions
    that could be asked are drawn. With `questions`, a file has them instead."""

    source: ClassVar = "bundled"
    records: ClassVar[str]
    """The importer that reads a JSON file of its paper's authors."""

    questions: str | None = None
    worlds: tuple[str, ...] = ()
    draw: int = 1

    easier: ClassVar[Mapping[str, Any]] = {}
    """Keys by which an exam is begun about worlds of which nothing would be asked."""
    few: ClassVar[int] = 1
    """Where fewer would be asked, all worlds are such."""

    @classmethod
    async def begun(cls, of: ExamSource) -> BegunExam:
        from whoknew.engine.exams.beginning import begin

        return await begin(of, cls.first_drawn, form=cls.records)

    @classmethod
    async def first_drawn(cls, log: Log, name: str) -> FirstQuestions:
        """What an exam is begun with, about the worlds of a log, which stands for what is named."""
        usual, easier = cls(material=name), cls(material=name, **cls.easier)
        asked = list(await usual.drawn(log, Path()))
        if len({one.cluster for one in asked}) < cls.few:
            asked = []
        unasked = await usual.unasked(log, asked)
        if unasked and cls.easier:
            asked += await replace(easier, worlds=tuple(unasked)).drawn(log, Path())
            unasked = await easier.unasked(log, asked)
        return FirstQuestions(asked, unasked)

    async def questions_about(
        self, material: Log, beside: Path
    ) -> QuestionFile | Sequence[Question]:
        if self.questions is not None:
            return await asyncio.to_thread(question.read, beside / self.questions)
        return await self.drawn(material, beside)

    async def drawn(self, material: Log, beside: Path) -> Sequence[Question]:
        """The questions that are made of what happened. `beside` is the folder of the plan."""
        raise NotImplementedError

    async def unasked(self, material: Log, asked: Iterable[Question]) -> Mapping[str, str]:
        found: dict[str, str] = {}
        about = {one.world for one in asked}
        for world in await self.worlds_in(material):
            if world in about:
                continue
            events = await (await material.director(world)).events()
            if any(isinstance(event.body, Acted | Traced) for event in events):
                found[world] = await asyncio.to_thread(self.lacking, world, events)
        return found

    def lacking(self, world: str, events: Sequence[Event]) -> str:
        """Why nothing is asked about a world."""
        return "nothing in it makes a question by rule"

    async def worlds_in(self, material: Log) -> Sequence[str]:
        """Those that it is about; WrongPlan where one of them is not there."""
        there = [one.name for one in await material.worlds()]
        for name in self.worlds:
            if name not in there:
                near = nearest(name, there)
                raise WrongPlan(f"worlds: there is no {name!r} in {self.material}: {near}")
        return self.worlds or there


async def of_lives(material: Log, asked: Sequence[Question]) -> list[Question]:
    """The same, each in the cluster of the life that it is about: who lives in a world and in a fork of it
    is one."""
    first = firsts(await material.worlds())
    return [replace(one, cluster=cluster_of(one.character, first[one.world])) for one in asked]


def too_few(key: str, most: int) -> str:
    """What to do where nobody comes up to a key of the plan."""
    return f"a plan with `{key} = {max(1, most)}`, and without `questions`, asks them"
