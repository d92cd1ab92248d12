"""The exams that a server was started with: folded when they are looked at, and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack

from msgspec import Struct
from msgspec.structs import replace

from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.cell_rows import CellRow
from whoknew.engine.exams.cells import ExamUnit, Unit, cell_of
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.logged_questions import questions_on
from whoknew.engine.exams.material import AskedUnits, asked_of, scenes_of
from whoknew.engine.exams.report import fold_of, table_of
from whoknew.engine.exams.results import ExamFold
from whoknew.engine.exams.scenes.results import SceneFold
from whoknew.engine.exams.show import ShownCell, shown_cell
from whoknew.engine.exams.table import TabledCells
from whoknew.engine.opening import reading_begun
from whoknew.engine.running.stop import absolute
from whoknew.engine.server.errors import NoSuchExam
from whoknew.eventlog import Log
from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.shown_address import without_password
from whoknew.eventlog.stores.volatile import VolatileStore

MIND = 200
"""So many events of what came to mind are sent: all of a long life is not read."""


class CellSeen(Struct, frozen=True):
    """One cell, with all that led to it. Of what came to mind some is sent, and how much there is. What
    led to a scene stands in its world: nothing else is `shown`."""

    row: CellRow
    shown: ShownCell | None = None
    mind: int = 0


class Exams:
    """The exams of a server, by name: each is about worlds of its log."""

    def __init__(self, exams: Sequence[LoadedExam], log: Log, address: str | None) -> None:
        self.served: dict[str, _ServedExam] = {}
        for one in exams:
            name, about = one.plan.name, one.material
            if address is not None and absolute(about) != absolute(address):
                raise WrongPlan(
                    f"{one.source} is about {without_password(about)}, and another log is served: "
                    f"give --log {without_password(about)}"
                )
            if name in self.served:
                raise WrongPlan(f"{one.source}: there are two exams called {name!r}: serve one")
            self.served[name] = _ServedExam(one, log)

    def find(self, name: str) -> _ServedExam:
        if name not in self.served:
            near = nearest(name, self.served) if self.served else "none is served (--exam)"
            raise NoSuchExam(f"there is no exam {name!r} here: {near}")
        return self.served[name]


class _ServedExam:
    """An exam. What was folded of it is kept, and gone on with when its log grows. Whoever looks waits
    for it; nobody else does."""

    def __init__(self, exam: LoadedExam, material: Log) -> None:
        self._exam, self._material = exam, material
        self._one_at_a_time = asyncio.Lock()
        self._stands: object = None
        self._about: object = None
        self._found: TabledCells | None = None
        self._of_scenes = isinstance(exam.kind, SceneKind)
        self._asked: AskedUnits[ExamUnit] | None = None
        self._fold: ExamFold | SceneFold | None = None
        self._rows: dict[str, CellRow] = {}

    async def look(self) -> TabledCells:
        async with self._one_at_a_time, AsyncExitStack() as opening:
            opened = await self._opened(opening)
            heads, about = await _heads(opened), await _heads(self._material)
            if self._found is None or (heads, about) != self._stands:
                found = await self._folded(opened, about)
                self._rows = {row.key: row for row in found.cells}
                self._found, self._stands = found, (heads, about)
            return self._found

    async def _folded(self, opened: Log, about: object) -> TabledCells:
        log = await ExamLog.to_read(opened, self._exam.plan.name)
        about = (about, await questions_on(log))
        if self._asked is None or (not self._of_scenes and about != self._about):
            self._asked, self._about, self._fold = await self._units(), about, None
        fold, self._fold = self._fold, None
        if fold is None or not await fold.is_of(log):
            fold = await asyncio.to_thread(fold_of, self._exam, self._asked)
        await fold.go_on(log)
        found = await table_of(self._exam, self._asked, log, fold)
        self._fold = fold
        return found

    async def _units(self) -> AskedUnits[ExamUnit]:
        """What is put to its arms; scenes are played in its own log, and hang on no other."""
        if self._of_scenes:
            return AskedUnits(await asyncio.to_thread(scenes_of, self._exam))
        return await asked_of(self._exam, self._material)

    async def cell(self, key: str, material: Log) -> CellSeen:
        await self.look()
        if key not in self._rows:
            raise NoSuchExam(f"{self._exam.plan.name} has no cell {key[:40]!r}")
        row = self._rows[key]
        asked = self._asked.units if self._asked else ()
        unit = next(one for one in asked if one.id == row.unit)
        if not isinstance(unit, Unit):
            return CellSeen(row)
        arm = next(one for one in self._exam.arms if one.name == row.arm)
        cell = cell_of(unit, arm, row.repeat)
        async with AsyncExitStack() as opening:
            log = await ExamLog.to_read(await self._opened(opening), self._exam.plan.name)
            shown = await shown_cell(self._exam, cell, log, material)
        some = replace(shown, came_to_mind=shown.came_to_mind[:MIND], memory=shown.memory[-MIND:])
        return CellSeen(row, some, len(shown.came_to_mind))

    async def _opened(self, opening: AsyncExitStack) -> Log:
        """Its log; an empty one, where it has not begun."""
        log = await opening.enter_async_context(reading_begun(self._exam.plan.address))
        if log is None:
            log = await opening.enter_async_context(Log(VolatileStore()))
        return log


async def _heads(log: Log) -> list[tuple[str, int]]:
    return [(one.name, one.head) for one in await log.worlds()]
