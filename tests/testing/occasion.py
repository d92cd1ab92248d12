"""What a memory is given in a test: the occasion at the end of a view."""

from __future__ import annotations

from whoknew.agents.life import Life
from whoknew.agents.memories.memory import Occasion
from whoknew.agents.models.model import Model
from whoknew.agents.models.offline import Offline
from whoknew.eventlog import View


async def occasion(
    view: View, about: str = "", *, model: Model | None = None, budget: int | None = None
) -> Occasion:
    """The occasion at the end of a view."""
    life = Life(view.character)
    await life.catch_up(view)
    return Occasion(view=view, life=life, model=model or Offline(), about=about, budget=budget)
