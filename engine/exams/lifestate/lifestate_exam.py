"""The exam LIFESTATE: each role is asked about itself, facts and relations at the end of each of its
episodes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from statistics import fmean as mean
from typing import Annotated, ClassVar

from msgspec import Meta

from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.by_judge import by_arm, by_judge, told_of
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.drawn_kind import DrawnKind, of_lives, too_few
from whoknew.engine.exams.findings import OwnFigures
from whoknew.engine.exams.kind import Published
from whoknew.engine.exams.lifestate import drawing
from whoknew.engine.exams.lifestate.askable import FACT, RELATION, SELF
from whoknew.engine.exams.lifestate.paper import ALL, KINDS, PAPER
from whoknew.engine.exams.roles import Lives, is_speech
from whoknew.engine.judges.rubric import MARK
from whoknew.engine.plan.plan import Judging
from whoknew.eventlog import Event, Log
from whoknew.worlds.importers.lifestate import FORMAT
from whoknew.worlds.question import Question

FEW = 5
"""In a short text whoever says something so often is asked."""


class LifestateExam(DrawnKind, frozen=True, kw_only=True):
    """oneself, facts and relations, asked at the end of every episode

    Of every kind each role is asked `each` questions at the end of each of its episodes: those who say
    something `speeches` times at least, in these `worlds` of the material, or in all of them. They are
    made by rule from what happened, or read from a file of `questions`."""

    each: Annotated[int, Meta(ge=1, le=100)] = 2
    speeches: Annotated[int, Meta(ge=1)] = 20

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
    records: ClassVar = FORMAT
    usual: ClassVar[Mapping[str, Judging]] = {"words": Judging("reference")}
    published: ClassVar[Mapping[str, Published]] = PAPER
    easier: ClassVar = {"speeches": FEW}
    few: ClassVar = 4

    async def drawn(self, material: Log, beside: Path) -> Sequence[Question]:
        found: list[Question] = []
        for world in await self.worlds_in(material):
            events = await (await material.director(world)).events()
            found += await asyncio.to_thread(self._about, world, events)
        return await of_lives(material, found)

    def _about(self, world: str, events: Sequence[Event]) -> list[Question]:
        return list(
            drawing.questions(world, events, each=self.each, speeches=self.speeches, seed=self.draw)
        )

    def lacking(self, world: str, events: Sequence[Event]) -> str:
        most = max((one.spoken for one in Lives(world, events).roles.values()), default=0)
        if most >= self.speeches:
            return super().lacking(world, events)
        return f"nobody in it speaks {self.speeches} times, {most} at most: {too_few('speeches', most)}"

    def written_tags(self, lived: Sequence[Event], evidence: Sequence[Event]) -> tuple[str, ...]:
        """As of those that are made by rule: how many of the character's own episodes its newest
        evidence lies back, and which episode it is asked after."""
        heard = list(dict.fromkeys(one.episode for one in lived if is_speech(one)))
        newest = max((one.episode for one in evidence), default=0)
        age = sum(episode > newest for episode in heard)
        return (f"age {age}", *(f"episode {episode}" for episode in heard[-1:]))

    def own_figures(self, cells: Sequence[CellResult], judges: Sequence[ExamJudge]) -> OwnFigures:
        """Marks as the paper has them, in percent of the scale that they are on: by kind, and over all
        answers; where several judges mark, each of them has figures."""
        scales = {judge.name: judge.entry.marks() for judge in judges}
        every, found = by_judge(cells, MARK), dict[str, dict[str, float]]()
        for judge, some in every.items():
            least, most = scales[judge]
            kinds = (f"{one.cell.unit.kind} %" for one, _ in some)
            for name in dict.fromkeys((*KINDS, ALL, *kinds)):
                mine = [pair for pair in some if name in (ALL, f"{pair[0].cell.unit.kind} %")]
                for arm, marks in by_arm(mine).items():
                    part = (mean(mark for _, mark in marks) - least) / (most - least)
                    found.setdefault(told_of(name, judge, every), {})[arm] = 100 * part
        return found
