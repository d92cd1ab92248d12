"""`whoknew worlds`: what comes with Whoknew."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from whoknew.engine.show.figures import counted
from whoknew.worlds import Setting


def shown(settings: Sequence[Setting]) -> Group:
    return Group(*map(_one, settings), Text("Play one: whoknew run NAME", style="cyan"))


def _one(one: Setting) -> Group:
    counts = (
        f"{counted(len(one.characters), 'character')}, {counted(len(one.scenarios), 'scenario')}"
    )
    return Group(
        Text.assemble((one.name, "bold"), f"  {one.title}"),
        Padding(Text(f"{one.description}\n{counts}"), (0, 0, 1, 2)),
    )
