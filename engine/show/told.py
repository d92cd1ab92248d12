"""`whoknew show WORLD`: who is in it, and what happened."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from whoknew.engine.show.console import safe
from whoknew.engine.show.figures import counted
from whoknew.engine.show.transcript import initials, transcript
from whoknew.engine.telling import Told


def shown(told: Told) -> Group:
    letters = initials(told.characters)
    names = "  ".join(f"{letter} {safe(name)}" for name, letter in letters.items())
    return Group(
        Text(
            f"{safe(told.title)}  ({safe(told.world)}, {counted(told.episodes, 'episode')})", "bold"
        ),
        Text(f"Witnesses: {names}"),
        transcript(told.events, told.characters),
    )
