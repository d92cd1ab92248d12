"""A table in one of several shapes: whichever the width there is has room for."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table

ENOUGH = 10_000
"""More than any screen is wide: what a table takes if nothing holds it in."""


class FittingTable:
    """The first of these tables that needs no folding; the last, where each does."""

    def __init__(self, *tables: Table) -> None:
        self._tables = tables

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        free = options.update_width(ENOUGH)
        for table in self._tables:
            if Measurement.get(console, free, table).maximum <= options.max_width:
                yield table
                return
        yield self._tables[-1]
