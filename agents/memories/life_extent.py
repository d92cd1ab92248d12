"""How much there is of a life: by that memories say how many calls they may make."""

from __future__ import annotations

from msgspec import Struct

from whoknew.agents.lines import line
from whoknew.agents.memories.bookmarks.told_lines import actors
from whoknew.eventlog import Event


class LifeExtent(Struct, frozen=True, kw_only=True):
    """Its character has witnessed so many `events`, and in so many of them, its `acts`, it said, did, wrote
    or felt something itself."""

    events: int
    acts: int


def is_act(event: Event, who: str) -> bool:
    """Whether somebody says, does, writes or feels something in an event, alone or with others."""
    told = line(1, event)
    return (told.who == who and bool(told.text)) or who in actors(event)
