"""What happened in a view, line by line: positions count these lines, and nothing else that stands in the
view, so that they are the same whatever was noted in between."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from whoknew.agents.lines import TOLD, Line, line
from whoknew.agents.memories.event_pages import event_by_event
from whoknew.eventlog import Event, View
from whoknew.eventlog.kinds import Acted, Traced
from whoknew.eventlog.words import words

NONE = array("I")

LINES = frozenset((Acted, *TOLD))
"""What is told in a line."""


class ToldLines:
    """The fold of a view, event by event: where its lines stand, who acted in which, and which words are
    in which. The lines themselves are looked up where they are read."""

    def __init__(self) -> None:
        self._upto = 0
        self._places = array("I")
        self._actions: dict[str, array[int]] = {}
        self._words: dict[str, array[int]] = {}

    def __len__(self) -> int:
        return len(self._places)

    async def catch_up(self, view: View) -> None:
        """Go on to the end of a view, which must not end before this does."""
        async for event in event_by_event(view, self._upto):
            self.take(event)

    def take(self, event: Event) -> None:
        """The next event of the view."""
        self._upto += 1
        if type(event.body) in LINES and (told := line(self._upto, event)):
            self._places.append(self._upto)
            self._take(event, told)

    def _take(self, event: Event, told: Line) -> None:
        position = len(self._places)
        for actor in actors(event):
            self._actions.setdefault(actor, array("I")).append(position)
        for word in dict.fromkeys(words(told.unnumbered)):
            self._words.setdefault(word, array("I")).append(position)

    def place(self, position: int) -> int:
        """Where in the view a line stands."""
        return self._places[position - 1]

    def places(self, positions: Iterable[int]) -> tuple[int, ...]:
        return tuple(self._places[position - 1] for position in positions)

    def upto(self, place: int) -> int:
        """How many lines there are up to a place of the view."""
        return bisect_right(self._places, place)

    def actions(self, who: str, after: int, upto: int) -> Sequence[int]:
        """The lines in which somebody acts, behind one position, up to another."""
        return _between(self._actions.get(who, NONE), after, upto)

    def having(self, keyword: str, after: int, upto: int) -> Sequence[int]:
        """The lines that have all words of a keyword: looked up, however long the story is."""
        some = [self._words.get(word, NONE) for word in words(keyword)]
        if not some:
            return ()
        rarest = min(some, key=len)
        return [
            position
            for position in _between(rarest, after, upto)
            if all(_holds(others, position) for others in some if others is not rarest)
        ]

    async def lines(self, view: View, positions: Sequence[int]) -> list[Line]:
        """The lines at these positions, which rise."""
        places = self.places(positions)
        events = await view.pick(places)
        return [line(place, event) for place, event in zip(places, events, strict=True)]


def actors(event: Event) -> tuple[str, ...]:
    """Who acts in an event, each once: speaks or does something, or writes a trace of its life. A log from
    elsewhere may name somebody twice."""
    body = event.body
    if event.actor is None or not isinstance(body, Acted | Traced):
        return ()
    also = body.also if isinstance(body, Acted) else ()
    return tuple(dict.fromkeys((event.actor, *also)))


def _between(positions: array[int], after: int, upto: int) -> Sequence[int]:
    return positions[bisect_right(positions, after) : bisect_right(positions, upto)]


def _holds(positions: array[int], position: int) -> bool:
    at = bisect_left(positions, position)
    return at < len(positions) and positions[at] == position
