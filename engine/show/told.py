"""`whoknew show WORLD`: who is in it, and what happened."""

from __future__ import annotations

from rich.text import Text

from whoknew.engine.show.console import TextLines, laid_out, safe
from whoknew.engine.show.figures import counted
from whoknew.engine.show.transcript import transcript
from whoknew.engine.show.witnesses import Witnesses, among
from whoknew.engine.travel.show import History


def shown(told: History, *, memories: bool = False) -> TextLines:
    witnesses = Witnesses(among(told.characters, told.events))
    what = f"{safe(told.title)}  ({safe(told.world)}, {counted(told.episodes, 'episode')})"
    return TextLines(
        (
            Text(what, "bold"),
            *laid_out(Text(witnesses.legend())),
            *transcript(told.events, witnesses, memories="whole" if memories else "none"),
            Text(f"\nstory {told.digest}", "dim"),
        )
    )
