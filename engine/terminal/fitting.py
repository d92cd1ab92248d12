"""A table in one of several shapes: whichever the width there is has room for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Column, Table

ENOUGH = 10_000
"""More than any screen is wide: what a table takes if nothing holds it in."""


class FittingTable:
    """The first of these tables that needs no folding; the first in parts, one below the other, where each
    does: a number that is broken over two lines is read as another one."""

    def __init__(self, *tables: Table) -> None:
        self._tables = tables

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        free, room = options.update_width(ENOUGH), options.max_width
        for table in self._tables:
            if Measurement.get(console, free, table).maximum <= room:
                yield table
                return
        yield from _parts(self._tables[0], console, free, room)


def _parts(table: Table, console: Console, free: ConsoleOptions, room: int) -> Iterator[Table]:
    """As many columns at a time as there is room for, each time behind the first."""
    first, *columns = table.columns
    some: list[Column] = []
    for column in columns:
        wider = _of(table, [first, *some, column])
        if some and Measurement.get(console, free, wider).maximum > room:
            yield _of(table, [first, *some])
            some = []
        some.append(column)
    yield _of(table, [first, *some])


def _of(table: Table, columns: list[Column]) -> Table:
    """Some columns of a table."""
    part = Table(box=table.box, pad_edge=table.pad_edge)
    part.columns = [replace(column, _index=place) for place, column in enumerate(columns)]
    part.rows = table.rows
    return part
