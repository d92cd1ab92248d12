"""Meeting: who gets to know how somebody looks, when the two are first in one place.

Those who stand in a relation know as much of each other from the beginning; all others are
strangers, of whom nothing is known before they are met.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Described
from whoknew.worlds.beginning import relations_of
from whoknew.worlds.relationship import KNOWN, portrait
from whoknew.worlds.scene import Scene
from whoknew.worlds.setting import Setting


class Meetings:
    """The meetings of one world."""

    def __init__(self, setting: Setting) -> None:
        seen = {one.name: portrait(one, KNOWN["stranger"]) for one in setting.characters}
        self._seen = {name: text for name, text in seen.items() if text}
        self._related = relations_of(setting).keys()

    def drafts(self, scene: Scene, described: Mapping[str, AbstractSet[str]]) -> list[Draft]:
        """Of each who is in sight, one event for all who see it for the first time. `described`
        says for each of whom it has been described to."""
        return [
            Draft(
                Described(name, text),
                at=scene.now,
                episode=scene.number,
                turn=scene.turn,
                witnesses=witnesses,
            )
            for name, text, here in self._in_sight(scene)
            if (
                witnesses := tuple(
                    who
                    for who in here
                    if who != name
                    and who not in described.get(name, ())
                    and (who, name) not in self._related
                )
            )
        ]

    def _in_sight(self, scene: Scene) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Whoever can be seen and looks like something, with all who are at its place."""
        stage = scene.stage
        for name in scene.present:
            if name in self._seen and not stage.is_hidden(name):
                yield name, self._seen[name], stage.at(stage.place_of(name))
