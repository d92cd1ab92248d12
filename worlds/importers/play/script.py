"""What the later steps of a scene show of somebody: whether they speak on, and when."""

from __future__ import annotations

import re

from whoknew.worlds.importers.play.people import PlayPeople
from whoknew.worlds.importers.play.steps import Directed, Spoken, Step

_DEAD = re.compile(r"\b(?:slain|dead|kill'd|killed|murder'd|murdered)\b", re.IGNORECASE)
_SOON = 10


class Script:
    """The steps of one scene."""

    def __init__(self, steps: tuple[Step, ...]) -> None:
        self._steps = steps

    def speaks_on(self, name: str, at: int) -> bool:
        """Whether somebody speaks later without having come in anew."""
        word = self.next_word(name, at)
        if word is None:
            return False
        return not any(
            move.doing == "enter" and any(name in one.names for one in move.who)
            for step in self._steps[at + 1 : word]
            if isinstance(step, Directed)
            for move in step.moves
        )

    def next_word(self, name: str, at: int) -> int | None:
        for place in range(at + 1, len(self._steps)):
            step = self._steps[place]
            if isinstance(step, Spoken) and name in step.speakers and not step.voice:
                return place
        return None

    def last_word(self, name: str, at: int) -> int | None:
        for place in range(at - 1, -1, -1):
            step = self._steps[place]
            if isinstance(step, Spoken) and name in step.speakers:
                return place
        return None

    def shown(self, name: str, first: int, end: int, people: PlayPeople) -> int | None:
        """The last direction before a step that shows somebody and says no more: "Thunder. A ghost, in
        armour"."""
        for place in range(end - 1, first - 1, -1):
            step = self._steps[place]
            if isinstance(step, Directed) and not step.moves and _is_shown(name, step.text, people):
                return place
        return None

    def stays_down(self, name: str, at: int, *, killed: bool) -> bool:
        """Whether one who falls, or is killed, is dead: whoever speaks on is not."""
        return not self.speaks_on(name, at) if killed else self.is_called_dead(name, at)

    def is_called_dead(self, name: str, at: int) -> bool:
        """Whether one who falls is called dead soon, and says nothing more."""
        if self.next_word(name, at) is not None:
            return False
        soon = self._steps[at + 1 : at + _SOON]
        return any(isinstance(step, Spoken) and _DEAD.search(step.text) for step in soon)


def _is_shown(name: str, text: str, people: PlayPeople) -> bool:
    """Whether a name stands at the head of a sentence, and is all of it but for how one looks."""
    return any(
        one.names == (name,)
        and text[: one.start].rstrip()[-1:] in ("", ".", ";", "!")
        and text[one.end : one.end + 1] in ("", ".", ",", ":", ";")
        for one in people.mentions(text)
    )
