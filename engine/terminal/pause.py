"""`whoknew pause`: who waits."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from whoknew.engine.running.workers import AtWork, pause_workers
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, OrAll, OrWorld, SharedLog, alone, check_either

app = alone()


@app.command(epilog="Example: whoknew pause ferry --log postgresql://lab@db.example.org/lives")
def command(
    log: SharedLog, world: OrWorld = None, every: OrAll = False, json: Json = False
) -> None:
    """Let all who play a plan together wait between two turns.

    WORLD is a world that they play, the name of their plan, or of one of them: all who play that plan
    finish the turns in flight and begin no more, wherever they are, and whoever comes later waits, too.
    They keep what they hold. `whoknew resume` lets them go on.
    """
    check_either(world, every=every)
    answer(pause_workers(world, log), paused, json)


def paused(found: Sequence[AtWork]) -> Text:
    return Text("\n".join(f"{safe(one.name)} is to wait with {safe(one.plan)}" for one in found))
