"""A table in one of several shapes: whichever the width there is has room for."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table

ENOUGH = 10_000
"""More than any screen is wide: what a table takes if nothing holds it in."""


class FittingTable:
    """The first of these tables that needs no folding; the narrowest, where each does."""

    def __init__(self, *tables: Table) -> None:
        self._tables = tables

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        free = options.update_width(ENOUGH)
        widths = [Measurement.get(console, free, table).maximum for table in self._tables]
        room = options.max_width
        fitting = next((at for at, width in enumerate(widths) if width <= room), None)
        yield self._tables[widths.index(min(widths)) if fitting is None else fitting]
