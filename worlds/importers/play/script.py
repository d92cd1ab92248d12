"""What the later steps of a scene show of somebody: whether they speak on, and when."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from whoknew.worlds.importers.play.direction import is_voice
from whoknew.worlds.importers.play.people import Mention, PlayPeople
from whoknew.worlds.importers.play.steps import Directed, Spoken, Step

_DEAD = re.compile(r"\b(?:slain|dead|kill'd|killed|murder'd|murdered)\b", re.IGNORECASE)
_SOON = 10
_COMES = ("enter", "enter or exit")
_GONE = ("exit", "clear", "die", "kill", "fall")


class Script:
    """The steps of one scene."""

    def __init__(self, steps: tuple[Step, ...], people: PlayPeople) -> None:
        self._steps = steps
        self._words: dict[str, list[int]] = {}
        """Where each speaks, out of sight too."""
        self._in_sight: dict[str, list[int]] = {}
        """Where each speaks who can be seen."""
        self._entrances: dict[str, list[int]] = {}
        """Where each comes in."""
        self._named: dict[str, list[int]] = {}
        """Where a direction is about each, and lets nobody go."""
        self._shown: dict[str, list[int]] = {}
        """Where a direction shows each, and says no more."""
        for at, step in enumerate(steps):
            if isinstance(step, Spoken):
                for name in step.speakers:
                    self._words.setdefault(name, []).append(at)
                    if not step.voice:
                        self._in_sight.setdefault(name, []).append(at)
            else:
                for name in _coming(step):
                    self._entrances.setdefault(name, []).append(at)
                self._read(step, at, people)

    def _read(self, step: Directed, at: int, people: PlayPeople) -> None:
        going = any(move.doing in _GONE for move in step.moves)
        for one in people.mentions(step.text):
            if len(one.names) == 1 and not going and not is_voice(step.text):
                self._named.setdefault(one.names[0], []).append(at)
            if len(one.names) == 1 and not step.moves and _is_shown(one, step.text):
                self._shown.setdefault(one.names[0], []).append(at)

    def goes_on(self) -> bool:
        """Whether it opens without anybody coming in: then those of the last scene are still there."""
        for step in self._steps:
            if isinstance(step, Spoken):
                return True
            if any(move.doing in _COMES for move in step.moves):
                return False
        return False

    def speaks_on(self, name: str, at: int) -> bool:
        """Whether somebody speaks later without having come in anew."""
        word = self.next_word(name, at)
        entrance = _after(self._entrances.get(name, ()), at)
        return word is not None and (entrance is None or word < entrance)

    def next_word(self, name: str, at: int) -> int | None:
        return _after(self._in_sight.get(name, ()), at)

    def last_word(self, name: str, at: int) -> int | None:
        words = self._words.get(name, ())
        before = bisect_left(words, at)
        return words[before - 1] if before else None

    def shown(self, name: str, first: int, end: int) -> int | None:
        """The last direction before a step that shows somebody and says no more: "Thunder. A ghost, in
        armour"."""
        found = [place for place in self._shown.get(name, ()) if first <= place < end]
        return found[-1] if found else None

    def named(self, name: str, end: int) -> int | None:
        """The first direction before a step that is about somebody, and lets nobody go."""
        found = self._named.get(name, ())
        return found[0] if found and found[0] < end else None

    def stays_down(self, name: str, at: int, *, killed: bool) -> bool:
        """Whether one who falls, or is killed, is dead: whoever speaks on is not."""
        return not self.speaks_on(name, at) if killed else self.is_called_dead(name, at)

    def is_called_dead(self, name: str, at: int) -> bool:
        """Whether one who falls is called dead soon, and says nothing more."""
        if self.next_word(name, at) is not None:
            return False
        soon = self._steps[at + 1 : at + _SOON]
        return any(isinstance(step, Spoken) and _DEAD.search(step.text) for step in soon)


def _coming(step: Directed) -> Iterator[str]:
    for move in step.moves:
        if move.doing in _COMES:
            yield from (name for one in move.who for name in one.names)


def _after(places: Sequence[int], at: int) -> int | None:
    """The first of some places, in their order, behind another."""
    following = bisect_right(places, at)
    return places[following] if following < len(places) else None


def _is_shown(one: Mention, text: str) -> bool:
    """Whether a name stands at the head of a sentence, and is all of it but for how one looks."""
    return text[: one.start].rstrip()[-1:] in ("", ".", ";", "!") and text[
        one.end : one.end + 1
    ] in ("", ".", ",", ":", ";")
