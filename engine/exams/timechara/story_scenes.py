"""The scenes of a world: stretches of its episodes that are long enough to have something in them that can
be asked about, and short enough to be told in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from msgspec import Struct

from whoknew.agents.lines import Line, line
from whoknew.eventlog import Event

LEAST = 350
"""Signs of what is said and done in a scene. What is shorter is left out: the number is the authors'."""

MOST = 40
"""Events: of more a stretch is parted."""


class StoryScene(Struct, frozen=True):
    """Its events, which are numbered from 1 on, as its lines are."""

    events: tuple[Event, ...]
    lines: tuple[Line, ...]

    @property
    def first(self) -> int:
        return self.events[0].seq

    @property
    def last(self) -> int:
        return self.events[-1].seq

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def shown(self) -> tuple[Line, ...]:
        """Its lines, with who is there before each at which that changes."""
        shown: list[Line] = []
        there: frozenset[str] | None = None
        for event, told in zip(self.events, self.lines, strict=True):
            if frozenset(event.witnesses) != there:
                there = frozenset(event.witnesses)
                names = ", ".join(event.witnesses) or "nobody"
                shown.append(Line(f"(There: {names}.)", 0, "", names))
            shown.append(told)
        return tuple(shown)


def story_scenes(events: Sequence[Event]) -> list[StoryScene]:
    """Those of a world, in their order."""
    episodes: dict[int, list[Event]] = {}
    for event in events:
        if event.episode and line(1, event):
            episodes.setdefault(event.episode, []).append(event)
    return [scene for some in episodes.values() for scene in _parted(some)]


def _parted(some: Sequence[Event]) -> Iterator[StoryScene]:
    """In parts of the same length."""
    size = ceil(len(some) / ceil(len(some) / MOST))
    for at in range(0, len(some), size):
        part = tuple(some[at : at + size])
        lines = tuple(line(number, event) for number, event in enumerate(part, start=1))
        if sum(len(told.text) for told in lines) >= LEAST:
            yield StoryScene(part, lines)
