"""Meeting: who gets to know how somebody looks: when the two are first in one place, or when one is
first told of the other.

Those who stand in a relation know as much of each other from the beginning; all others are
strangers, of whom nothing is known before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import Described
from whoknew.worlds.beginning import relations_of
from whoknew.worlds.naming import Names
from whoknew.worlds.relationship import KNOWN, portrait
from whoknew.worlds.scene import Scene
from whoknew.worlds.setting import Setting

Learnt = tuple[str, tuple[str, ...]]
"""Somebody, and those who saw it or were told of it."""

Known = Mapping[str, set[str] | frozenset[str]]
"""Who has been described to each, itself among them."""

NOBODY: frozenset[str] = frozenset()


class Meetings:
    """The meetings of one world."""

    def __init__(self, setting: Setting) -> None:
        looks = {one.name: portrait(one, KNOWN["stranger"]) for one in setting.characters}
        self._looks = {name: text for name, text in looks.items() if text}
        related = relations_of(setting)
        strangers = {
            who: frozenset(
                name for name in self._looks if name != who and (who, name) not in related
            )
            for who in looks
        }
        self._strangers = {who: those for who, those in strangers.items() if those}
        """Those of whom each knows nothing before the story, and who can be described to it; until it
        has met them all."""
        self._people = tuple(looks)

    @cached_property
    def _names(self) -> Names:
        return Names(self._people)

    @property
    def to_come(self) -> bool:
        """Whether anybody is left to meet: in a long life nobody is."""
        return bool(self._strangers)

    def in_sight(self, scene: Scene, described: Known) -> Iterator[Learnt]:
        """Whoever can be seen, with all who have it before their eyes."""
        unknown = self._unknown(scene.present, described)
        for name in scene.present:
            if name in unknown and (seers := scene.stage.seers(name)):
                yield name, seers

    def named(self, texts: Iterable[Event | Draft], described: Known) -> Iterator[Learnt]:
        """Whoever is named in a text, with all who witnessed it; its own words tell nobody anything
        new."""
        for event in texts:
            told = tuple([who for who in event.witnesses if who != event.actor])
            if unknown := self._unknown(told, described):
                for name in self._names.named_in(event.body.words, unknown):
                    yield name, told

    def drafts(self, scene: Scene, learnt: Iterable[Learnt], described: Known) -> list[Draft]:
        """Of each of them, one event for all to whom it is new."""
        strangers: dict[str, dict[str, None]] = {}
        for name, people in learnt:
            unknown = strangers.setdefault(name, {})
            for who in people:
                if name in self._unknown((who,), described):
                    unknown[who] = None
        return [
            Draft(
                Described(name, self._looks[name]),
                at=scene.now,
                episode=scene.number,
                turn=scene.turn,
                witnesses=tuple(witnesses),
            )
            for name, witnesses in strangers.items()
            if witnesses
        ]

    def _unknown(self, people: Iterable[str], described: Known) -> set[str]:
        """Whoever one of them has not met."""
        unknown = set[str]()
        for who in people:
            if strangers := self._strangers.get(who):
                left = strangers - described.get(who, NOBODY)
                unknown |= left
                if not left:
                    del self._strangers[who]
        return unknown
