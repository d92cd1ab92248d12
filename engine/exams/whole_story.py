"""The story of a world as one would know it who had witnessed all of it. Nobody has: it is for a control that
leaks, and for nothing else."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from whoknew.agents.life import Life
from whoknew.engine.exams.bookmarks.instances import AskedActions, doers
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import CharacterAdded, Remembered
from whoknew.eventlog.stores.store import is_name
from whoknew.worlds.importers.storyline import source_of

NOBODY = ""
"""Who has witnessed the whole story: no character can be called so."""


class Story:
    """What anybody witnesses in a world, but for what they noted for themselves."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._every = events
        told = [one for one in events if one.witnesses and type(one.body) is not Remembered]
        self._told = [replace(one, witnesses=(*one.witnesses, NOBODY)) for one in told]
        self._seqs = [one.seq for one in told]

    def upto(self, seq: int) -> StoryPart:
        return StoryPart(self._told[: bisect_right(self._seqs, seq)])

    def life(self, who: str) -> Life:
        """Somebody in it, of whom no more is known than who it is."""
        life = Life(who)
        for event in self._every:
            if isinstance(event.body, CharacterAdded) and event.body.name == who:
                life.myself = event.body.description
        return life

    def cast(self, wanted: AskedActions) -> CastSoFar:
        """Those whose actions are meant."""
        source = source_of(self._every)
        return CastSoFar(wanted, source.cast.major if source and source.cast else ())


class CastSoFar:
    """Whose actions are meant, by what they did up to a moment: nobody is major for what it does later. Whom
    a world came with as `major` is so from its beginning on."""

    def __init__(self, wanted: AskedActions, major: Collection[str]) -> None:
        self._wanted, self._major, self._done = wanted, frozenset(major), Counter[str]()

    def __contains__(self, who: str) -> bool:
        whose = self._wanted.whose
        if isinstance(whose, tuple):
            return who in whose
        if whose == "all" or not is_name(who):
            return is_name(who)
        return who in self._major if self._major else self._done[who] >= self._wanted.acts

    def take(self, event: Event) -> None:
        """The next of what happens."""
        self._done.update(doers(event))


class StoryPart:
    """A beginning of it, which is read as a view is."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events

    def __len__(self) -> int:
        return len(self._events)

    async def events(self, after: int = 0, upto: int | None = None) -> list[Event]:
        return list(self._events[after:upto])


async def story_of(material: Log, world: str) -> Story:
    return Story(await (await material.director(world)).events())
