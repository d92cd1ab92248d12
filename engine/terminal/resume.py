"""`whoknew resume`: who goes on."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from whoknew.engine.running.workers import AtWork, resume_workers
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, OrAll, OrWorld, SharedLog, alone, check_either

app = alone()


@app.command(epilog="Example: whoknew resume ferry --log postgresql://lab@db.example.org/lives")
def command(
    log: SharedLog, world: OrWorld = None, every: OrAll = False, json: Json = False
) -> None:
    """Let all who were paused go on.

    WORLD is a world that they play, the name of their plan, or of one of them.
    """
    check_either(world, every=every)
    answer(resume_workers(world, log), resumed, json)


def resumed(found: Sequence[AtWork]) -> Text:
    return Text("\n".join(f"{safe(one.name)} is to go on with {safe(one.plan)}" for one in found))
