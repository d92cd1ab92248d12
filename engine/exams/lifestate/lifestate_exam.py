"""The exam LIFESTATE: each role is asked about itself, facts and relations at the end of each of its
episodes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, ClassVar

from msgspec import Meta

from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.drawn_kind import DrawnKind, too_few
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
        return found

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
