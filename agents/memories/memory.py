"""The port to a memory: how a view becomes a recollection that fits into a prompt."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from whoknew.agents.agent import Note
from whoknew.agents.life import Life
from whoknew.agents.models.model import Model
from whoknew.eventlog import View


class Recollection(Struct, frozen=True):
    """What comes to mind: a text, and the places in the view that it rests on."""

    text: str = ""
    places: tuple[int, ...] = ()


class Memory(Protocol):
    """One memory serves one character. What it keeps is a fold of the view: made anew from the
    whole view it says the same (law 5)."""

    async def recollect(self, view: View, life: Life, about: str) -> Recollection:
        """What comes to mind of the episodes before this one, in view of `about`."""
        ...

    async def remember(self, view: View, life: Life, model: Model) -> tuple[Note, ...]:
        """What is to be kept of the episode that is about to close."""
        ...
