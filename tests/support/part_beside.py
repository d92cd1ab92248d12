"""A plan, and beside it a file with a memory that the plan names."""

from __future__ import annotations

from pathlib import Path

PART = '''
from pathlib import Path
from typing import Annotated
from msgspec import Meta
from whoknew.agents.lines import line
from whoknew.agents.memories.memory import Memory, MemoryEntry, Piece, recollection

Path(__file__).with_suffix(".loaded").touch()

class Last(Memory):
    def __init__(self, lines):
        self._lines = lines

    async def recollect(self, now):
        before = now.life.now.first - 1 if now.life.now else len(now.view)
        first = max(0, before - self._lines)
        events = await now.view.events(first, before)
        told = [(place, line(place, event)) for place, event in enumerate(events, first + 1)]
        return recollection([Piece(text or "", (at,), at) for at, text in told], now.budget)

class LastEntry(MemoryEntry, frozen=True):
    """the last things that happened"""

    lines: Annotated[int, Meta(ge=1)] = 5

    def make(self, owner):
        return Last(self.lines)
'''
PLAN = """
world = "flatmates"
log = "LOG"
[episodes]
turns = 4
[agents.everyone]
memory = "NAME"
"""


class Beside:
    """A plan, and a module beside it."""

    def __init__(
        self, folder: Path, module: str, text: str = PART, entry: str = "LastEntry"
    ) -> None:
        self.name, self.log = f"{module}:{entry}", folder / "l.db"
        self.loaded = folder / f"{module}.loaded"
        (folder / f"{module}.py").write_text(text)
        self.path = folder / "plan.toml"
        self.write()

    def write(self, more: str = "") -> None:
        text = PLAN.replace("LOG", str(self.log)).replace("NAME", self.name)
        self.path.write_text(text + more)
