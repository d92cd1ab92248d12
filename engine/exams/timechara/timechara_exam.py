"""The exam TimeChara: characters are asked at moments of their story of what lies behind and ahead of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from msgspec import Meta, field, to_builtins

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.curves import ExamCurve
from whoknew.engine.exams.drawn_kind import DrawnKind
from whoknew.engine.exams.findings import OwnFigures
from whoknew.engine.exams.kind import BegunExam, ExamSource, Published
from whoknew.engine.exams.timechara import drawing, point_file
from whoknew.engine.exams.timechara.asked_world import AskedFor, PointsOf, Reach, asked_worlds
from whoknew.engine.exams.timechara.figures import curves_of, figures_of
from whoknew.engine.exams.timechara.grid import grid
from whoknew.engine.exams.timechara.labels import Mode
from whoknew.engine.exams.timechara.novels import unprinted, with_readers
from whoknew.engine.exams.timechara.paper import PAPER, TEXTS_KEPT
from whoknew.engine.exams.timechara.points import given_points
from whoknew.engine.exams.timechara.scene_draft import PROMPTS
from whoknew.engine.exams.timechara.scene_writing import ASKABLE, VERSION, SceneWriting
from whoknew.engine.exams.writing.source import WritingSource
from whoknew.engine.exams.writing.writer import QuestionWriter, WritingSettings, writer_of
from whoknew.engine.plan.plan import Judging
from whoknew.eventlog import Log
from whoknew.eventlog.nearest import nearest
from whoknew.worlds.importers.timechara import FORMAT
from whoknew.worlds.question import Question

if TYPE_CHECKING:
    from whoknew.engine.exams.document import LoadedExam

SPEECHES = 5
"""Who says so much is somebody in the story."""

EACH = 100
"""Of each of six strata: the paper's 600."""


class TimecharaExam(DrawnKind, frozen=True, kw_only=True):
    """what lies behind and ahead of a moment, asked of characters at that moment

    In these `worlds` of the material, or in all, those who say something `speeches` times at least are
    asked at `points`: cursors under labels, for all or for a character, or a file of them; or else the ends
    of episodes and the marks. `each` questions are drawn by rule of each of six sorts, or all that there are,
    a `grid`; or they are read from a file of `questions`. `mode` says whether only `witness`es know the
    past, or everybody does, as in the `paper`; `reach`, how far from an event it is asked of. Where `unsure`
    says how sure a telling must be that was found, there is one more sort: what somebody may have witnessed,
    or was told so. `events` is a file of events that are told in a sentence each."""

    points: str | dict[str, tuple[str, ...] | dict[str, tuple[str, ...]]] = field(
        default_factory=dict
    )
    mode: Mode = "witness"
    events: str | None = None
    sampling: Literal["strata", "grid"] = "strata"
    reach: Reach = "world"
    unsure: Annotated[float, Meta(ge=0, le=1)] | None = None
    each: Annotated[int, Meta(ge=1, le=10_000)] = EACH
    speeches: Annotated[int, Meta(ge=1)] = SPEECHES

    template: ClassVar = (
        files("whoknew.engine.exams.timechara")
        .joinpath("timechara.template.toml")
        .read_text("utf-8")
    )
    records: ClassVar = FORMAT
    askable: ClassVar[Mapping[str, str]] = ASKABLE
    published_texts: ClassVar[Mapping[str, float]] = TEXTS_KEPT
    usual: ClassVar[Mapping[str, Judging]] = {"moment": Judging("moment-words")}
    published: ClassVar[Mapping[str, Published]] = PAPER

    async def drawn(self, material: Log, beside: Path) -> Sequence[Question]:
        wanted = await asyncio.to_thread(self.asked_for, beside)
        names = await self.worlds_in(material)
        await asyncio.to_thread(self._check_series, names, beside)
        worlds = await asked_worlds(material, names, wanted)
        self._check_people([name for world in worlds for name in world.everybody])
        make = grid if self.sampling == "grid" else drawing.questions
        return await asyncio.to_thread(make, worlds, wanted)

    def question_writer(self, writing: WritingSettings) -> QuestionWriter:
        return writer_of(
            writing,
            ASKABLE,
            prompts=PROMPTS,
            also={
                "scenes": VERSION,
                "points": to_builtins(self.points),
                "reach": self.reach,
                "mode": self.mode,
                "speeches": self.speeches,
                "draw": self.draw,
            },
        )

    async def writing_source(
        self, exam: LoadedExam, opening: AsyncExitStack, writer: QuestionWriter
    ) -> WritingSource[Any]:
        from whoknew.engine.exams.material import reading_material

        material = await opening.enter_async_context(reading_material(exam))
        names = await self.worlds_in(material)
        return await SceneWriting.of(material, names, self.asked_for(exam.beside), writer)

    def asked_for(self, beside: Path) -> AskedFor:
        return AskedFor(
            events=beside / self.events if self.events else None,
            each=self.each,
            speeches=self.speeches,
            mode=self.mode,
            seed=self.draw,
            points=self._given(beside),
            reach=self.reach,
            unsure=self.unsure,
        )

    @classmethod
    async def begun(cls, of: ExamSource) -> BegunExam:
        return with_readers(await super().begun(of), of.settings)

    async def remarks_on(self, material: Log) -> Sequence[str]:
        return await unprinted(material, self.worlds)

    def _given(self, beside: Path) -> PointsOf:
        """The points that a plan gives, or the file that it names."""
        if isinstance(self.points, str):
            return partial(point_file.of_world, point_file.read(beside / self.points))
        given = given_points(self.points)
        return lambda world, chapters: given

    def _check_series(self, names: Sequence[str], beside: Path) -> None:
        """Refuse a file of points that has none of any of these worlds."""
        if isinstance(self.points, str):
            there = point_file.read(beside / self.points)
            if not any(there.get(name) for name in names):
                near = nearest(next(iter(there), ""), names)
                raise WrongPlan(
                    f"points: {self.points} has moments of {', '.join(there) or 'nothing'}, and no world "
                    f"is called so: {near}"
                )

    def _check_people(self, there: Sequence[str]) -> None:
        """Refuse points of somebody whom no world knows."""
        if not isinstance(self.points, str):
            for who in given_points(self.points).own:
                if who not in there:
                    raise WrongPlan(f"points: nobody is called {who!r}: {nearest(who, there)}")

    def figures(self, cells: Sequence[CellResult]) -> OwnFigures:
        return figures_of(cells)

    def curves(self, cells: Sequence[CellResult]) -> Sequence[ExamCurve]:
        return curves_of(cells)
