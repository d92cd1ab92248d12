"""The exam Bookmarks: what a character does next, action by action, in the second half of what it does."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, ClassVar

from msgspec import Meta

from whoknew.engine.exams.bookmarks.figures import figures_of
from whoknew.engine.exams.bookmarks.instances import (
    AskedActions,
    Whose,
    actions,
    cast_of,
    check_named,
    in_turn,
    instances,
)
from whoknew.engine.exams.bookmarks.lines import LineFold
from whoknew.engine.exams.bookmarks.paper import PAPER
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.cells import Unit
from whoknew.engine.exams.drawn_kind import DrawnKind, of_lives, too_few
from whoknew.engine.exams.findings import OwnFigures
from whoknew.engine.exams.kind import Published
from whoknew.engine.plan.plan import Judging
from whoknew.eventlog import Event, Log
from whoknew.worlds.importers.storyline import FORMAT, MAJOR
from whoknew.worlds.question import Question

FEW = 3
"""Who does less has no half to be tested."""


class BookmarksExam(DrawnKind, frozen=True, kw_only=True):
    """the next action of characters, action by action

    In these `worlds` of the material, or in all, `characters` are asked just before each thing that they
    do what they do next: "major" ones (whom the world came with, or who do something `acts` times),
    "all", or those named. The first part of what each does is `split` off as material."""

    characters: Whose = "major"
    acts: Annotated[int, Meta(ge=1)] = MAJOR
    split: Annotated[float, Meta(ge=0, lt=1)] = 0.5

    template: ClassVar = (
        files("whoknew.engine.exams.bookmarks")
        .joinpath("bookmarks.template.toml")
        .read_text("utf-8")
    )
    records: ClassVar = FORMAT
    usual: ClassVar[Mapping[str, Judging]] = {"deed": Judging("deed-words")}
    published: ClassVar[Mapping[str, Published]] = PAPER
    easier: ClassVar = {"acts": FEW}

    async def drawn(self, material: Log, beside: Path) -> Sequence[Question]:
        found: list[Question] = []
        done: dict[str, list[Event]] = {}
        wanted = AskedActions(whose=self.characters, acts=self.acts, material=self.split)
        for world in await self.worlds_in(material):
            events = await (await material.director(world)).events()
            done |= actions(events)
            found += in_turn(await asyncio.to_thread(instances, world, events, wanted))
        check_named(self.characters, done, self.material)
        return await of_lives(material, found)

    def lacking(self, world: str, events: Sequence[Event]) -> str:
        done = actions(events)
        if isinstance(self.characters, tuple) and done.keys().isdisjoint(self.characters):
            return f"nobody who does anything in it is called {' or '.join(self.characters)}"
        most = max(map(len, done.values()), default=0)
        if self.characters != "major" or cast_of(events) or most >= self.acts:
            return super().lacking(world, events)
        return f"nobody in it does {self.acts} things, {most} at most: {too_few('acts', most)}"

    def steps(self, units: Sequence[Unit]) -> LineFold:
        return LineFold()

    def figures(self, cells: Sequence[CellResult]) -> OwnFigures:
        return figures_of(cells)
