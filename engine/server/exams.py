"""Exams over HTTP: those whose plans the server was started with, about worlds of its log.

They tell what others know, and what is right: so they are only for whoever may read all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Literal

from aiohttp import web
from msgspec import Meta, Struct

from whoknew.engine.errors import EngineError
from whoknew.engine.exams.cell_rows import CellRow, check_listed, differing_cells
from whoknew.engine.exams.comparing import worded
from whoknew.engine.exams.table import ExamTable, TabledCells
from whoknew.engine.server.errors import BadRequest, RequestRefused
from whoknew.engine.server.pages import fitting
from whoknew.engine.server.payloads import Count, Short
from whoknew.engine.server.routes import API, RouteTable
from whoknew.engine.server.served_exams import CellSeen, Exams
from whoknew.engine.server.viewpoint import Eyes
from whoknew.eventlog import Log
from whoknew.eventlog.errors import LogError
from whoknew.worlds.errors import WorldError

routes = RouteTable()

WORLDS = 5000
"""So many are named at a glance."""


class ExamLine(Struct, frozen=True, kw_only=True):
    """An exam at a glance; of as many worlds as a list has room for, which of its arms is asked about
    each, or played it: none is named where several are."""

    name: str
    unit: str
    units: int
    arms: tuple[str, ...]
    cells: int
    answered: int
    failed: int
    warning: str
    worlds: dict[str, str] = {}


class ExamSeen(Struct, frozen=True):
    """The table of an exam; by score what is to be said of each two arms, and of how many units of each
    kind its figures are, as a table names that kind."""

    table: ExamTable
    compared: dict[str, tuple[str, ...]]
    kinds: dict[str, dict[str, str]]
    tags: tuple[str, ...]


class CellsQuery(Struct, frozen=True):
    """Cells of an arm, a kind, a tag, or a state; or those on which `arm` and `differ` do."""

    arm: Short = ""
    kind: Short = ""
    tag: Short = ""
    state: Literal["", "answered", "failed", "waiting"] = ""
    differ: Short = ""
    skip: Annotated[int, Meta(ge=0)] = 0
    limit: Count = 50


class CellsSeen(Struct, frozen=True):
    """A page of cells; `beside` are those of the other arm, where two differ."""

    total: int
    skipped: int
    rows: tuple[CellRow, ...]
    beside: tuple[CellRow, ...] = ()


@routes.add(f"GET {API}/exams")
async def list_exams(request: web.Request, exams: Exams, eyes: Eyes) -> tuple[ExamLine, ...]:
    """The exams that this server was started with, at a glance."""
    if exams.served:
        _check(request, eyes)
    return tuple([await _glance(name, one.look()) for name, one in exams.served.items()])


@routes.add(f"GET {API}/exams/{{exam}}")
async def get_exam(request: web.Request, exam: str, exams: Exams, eyes: Eyes) -> ExamSeen:
    """The table of an exam, as far as it has come."""
    _check(request, eyes)
    found = await exams.find(exam).look()
    compared = {
        score: tuple(map(worded, pairs)) for score, pairs in found.table.comparisons.items()
    }
    kinds = {score: found.table.kind_heads(score) for score in found.table.figures}
    return ExamSeen(found.table, compared, kinds, await asyncio.to_thread(_tags, found.cells))


@routes.add(f"GET {API}/exams/{{exam}}/cells")
async def list_cells(
    request: web.Request, exam: str, query: CellsQuery, exams: Exams, eyes: Eyes
) -> CellsSeen:
    """The cells of an exam, a page at a time."""
    _check(request, eyes)
    found = (await exams.find(exam).look()).cells
    return await asyncio.to_thread(_picked, found, query)


@routes.add(f"GET {API}/exams/{{exam}}/cells/{{cell}}")
async def get_cell(
    request: web.Request, exam: str, cell: str, log: Log, exams: Exams, eyes: Eyes
) -> CellSeen:
    """One cell of an exam, by its key: question, prompts, answer, verdicts, evidence."""
    _check(request, eyes)
    return await exams.find(exam).cell(cell, log)


def _check(request: web.Request, eyes: Eyes) -> None:
    """While a seat is taken, an exam would tell its player what others know."""
    if eyes.is_any_closed(request):
        raise RequestRefused(
            "a seat is taken, and exams tell what others know: look when it is left, or send a token"
        )


def _tags(cells: Sequence[CellRow]) -> tuple[str, ...]:
    return tuple(sorted({name for row in cells for name in row.tags}))


async def _glance(name: str, looking: Awaitable[TabledCells]) -> ExamLine:
    """An exam that cannot be read hides no other: why it cannot is its warning."""
    try:
        return _line(await looking)
    except (EngineError, LogError, WorldError) as error:
        return ExamLine(
            name=name,
            unit="question",
            units=0,
            arms=(),
            cells=0,
            answered=0,
            failed=0,
            warning=str(error),
        )


def _line(found: TabledCells) -> ExamLine:
    table = found.table
    return ExamLine(
        name=table.name,
        unit=table.unit,
        units=table.units,
        arms=tuple(row.arm for row in table.rows),
        cells=sum(row.cells for row in table.rows),
        answered=sum(row.answered for row in table.rows),
        failed=sum(row.failed for row in table.rows),
        warning=table.warning,
        worlds=_worlds(found.cells),
    )


def _worlds(cells: Sequence[CellRow]) -> dict[str, str]:
    """The world of each cell, with its arm, if it is of one alone."""
    found: dict[str, str] = {}
    for cell in cells:
        known = found.get(cell.world)
        if known is None and len(found) == WORLDS:
            break
        found[cell.world] = cell.arm if known in (None, cell.arm) else ""
    return found


def _picked(found: Sequence[CellRow], query: CellsQuery) -> CellsSeen:
    if query.arm:
        check_listed("arm", query.arm, (row.arm for row in found))
    if query.kind:
        check_listed("kind", query.kind, (row.kind for row in found))
    if query.tag:
        check_listed("tag", query.tag, _tags(found))
    if not query.differ:
        rows = [row for row in found if query.arm in ("", row.arm) and _wanted(row, query)]
        page = fitting(rows[query.skip : query.skip + query.limit], newest=False)
        return CellsSeen(len(rows), query.skip, tuple(page))
    if not query.arm:
        raise BadRequest("two arms differ from one another: name an arm as well")
    differing = differing_cells(found, query.arm, query.differ).cells
    pairs = [one for one in differing if _wanted(one.first, query) or _wanted(one.second, query)]
    some = pairs[query.skip : query.skip + query.limit]
    kept = len(fitting([(one.first, one.second) for one in some], newest=False))
    both = tuple(one.first for one in some[:kept]), tuple(one.second for one in some[:kept])
    return CellsSeen(len(pairs), query.skip, *both)


def _wanted(row: CellRow, query: CellsQuery) -> bool:
    return (
        query.kind in ("", row.kind)
        and (not query.tag or query.tag in row.tags)
        and (not query.state or _STATES[query.state](row))
    )


_STATES: dict[str, Callable[[CellRow], bool]] = {
    "answered": lambda row: row.answer is not None,
    "failed": lambda row: row.failed,
    "waiting": lambda row: row.answer is None and row.failure is None,
}
