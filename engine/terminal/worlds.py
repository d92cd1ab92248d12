"""`whoknew worlds`: what comes with Whoknew."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.options import Json, alone
from whoknew.eventlog.counted import counted
from whoknew.worlds import Setting, shelf

app = alone()


@app.command(epilog="Example: whoknew worlds")
def command(json: Json = False) -> None:
    """List the worlds that come with Whoknew."""
    answer(lambda: [shelf.find(name) for name in shelf.bundled()], shown, json)


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
