"""Tables in the width that there is."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from whoknew.engine.terminal.fitting import FittingTable


def shown(width: int, *tables: Table) -> str:
    console = Console(file=StringIO(), width=width)
    console.print(FittingTable(*tables))
    return console.file.getvalue()  # type: ignore[attr-defined]


def wide() -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("arm", overflow="fold")
    for number in range(12):
        table.add_column(f"figure-{number}", justify="right", overflow="fold")
    table.add_row("unsafe:experts-rag-cutoff", *[f"{100 + number}.000" for number in range(12)])
    return table


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_figure_and_no_name_is_broken_over_two_lines(width: int) -> None:
    told = shown(width, wide())
    for number in range(12):
        assert f"figure-{number}" in told and f"{100 + number}.000" in told
    assert max(map(len, told.splitlines())) <= width
    heads = [line for line in told.splitlines() if line.strip().startswith("arm")]
    assert told.count("unsafe:experts-rag-cutoff") == len(heads)


def test_the_first_shape_that_fits_is_taken_whole() -> None:
    narrow = Table("a shape", "that fits")
    assert "a shape" in shown(60, wide(), narrow) and "figure-1" not in shown(60, wide(), narrow)
