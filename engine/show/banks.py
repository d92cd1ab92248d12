"""Banks, and what was grown for them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from whoknew.engine.exams.bank.grow import GrowResult
from whoknew.engine.show.console import safe
from whoknew.engine.show.figures import counted
from whoknew.worlds.bank import Bank


def banks(found: Sequence[Bank]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("bank", overflow="fold")
    for head in ("scenarios", "dividing", "hard"):
        table.add_column(head, justify="right")
    table.add_column("about")
    for one in found:
        counts = (
            len(one.sketches),
            sum(bool(sketch.pool) for sketch in one.sketches),
            sum(sketch.hard for sketch in one.sketches),
        )
        table.add_row(safe(one.name), *map(str, counts), safe(one.about))
    return table


def checked(bank: Bank) -> Text:
    return Text(
        f"{safe(bank.name)}: sound: {counted(len(bank.sketches), 'scenario')} for two who are "
        f"{bank.relationship!r}, none nearly a copy of another"
    )


def grown(found: GrowResult) -> Text:
    lines = [
        (
            f"{counted(len(found.sketches), 'new scenario')} in {safe(found.file)}, after "
            f"{counted(found.calls, 'call')}"
        )
    ]
    lines += [f"  {safe(one.name)}: {safe(one.over)}" for one in found.sketches]
    if found.refused:
        lines.append(f"{len(found.refused)} not taken; the last because {safe(found.refused[-1])}")
    if found.error:
        lines.append(f"It stopped: {safe(found.error)}")
    if found.sketches:
        lines.append(f"To play them: bank = {safe(found.file)!r} in a plan of `whoknew lifelong`")
    return Text("\n".join(lines))
