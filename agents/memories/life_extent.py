"""How much there is of a life: by that memories say how many calls they may make."""

from __future__ import annotations

from msgspec import Struct

from whoknew.agents.lines import Line, line
from whoknew.agents.memories.bookmarks.told_lines import actors
from whoknew.eventlog import Event


class LifeExtent(Struct, frozen=True, kw_only=True):
    """Its character has witnessed so many `events`, and in so many of them, its `acts`, it said, did, wrote
    or felt something itself."""

    events: int
    acts: int


def is_act(event: Event, who: str) -> bool:
    """Whether somebody says, does, writes or feels something in an event, alone or with others."""
    return is_deed(line(1, event), event, who) or who in actors(event)


def is_deed(told: Line, event: Event, who: str) -> bool:
    """Whether somebody does so in an event that is `told` in a line with words: to pass is no deed."""
    return bool(told.text) and (told.who == who or who in actors(event))
