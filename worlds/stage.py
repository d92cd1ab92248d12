"""Who is where, and who of them is hidden; and so who witnesses what.

    coming in, going       those at the place and those who see it, and whoever comes or goes
    coming in, hidden      whoever does, alone; so too all that they do while hidden
    speech                 those at the place, hidden or not, and those where it is overheard
    speech, its sight      those who see it and do not hear it
    deeds, gestures        those at the place, hidden or not, and those who see it
    a whisper              sender and recipients
    a thought              its thinker
    a letter               its writer as it is written; whoever it is addressed to as it is read
    narration              those at its place; everybody who is anywhere, where it has none

The deaf witness no speech, the blind no deeds, gestures or sights, the sleeping nothing. The
invisible come, go and act as the hidden do; but they can speak.

A thought and a letter need nobody to be anywhere. A story that plays in one room names no places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from whoknew.worlds.conditions import Conditions
from whoknew.worlds.errors import OffStage
from whoknew.worlds.reach import Reach

Witnesses = tuple[str, ...]


class Stage:
    """`reach` says from which places others are heard and seen."""

    def __init__(
        self,
        present: Iterable[str] = (),
        place: str | None = None,
        reach: Reach | None = None,
        conditions: Conditions | None = None,
    ) -> None:
        self._at: dict[str, str | None] = dict.fromkeys(present, place)
        self._hidden: set[str] = set()
        self._reach = reach or Reach()
        self.conditions = conditions or Conditions()

    def copy(self) -> Stage:
        """Another with everybody as they stand now."""
        other = Stage((), None, self._reach, self.conditions.copy())
        other._at, other._hidden = dict(self._at), set(self._hidden)
        return other

    @property
    def present(self) -> Witnesses:
        """All who are anywhere, the hidden too, in the order of their coming."""
        return tuple(self._at)

    @property
    def seen(self) -> Witnesses:
        """Those who are not hidden."""
        return tuple(name for name in self._at if not self.unseen(name))

    def perceived(self, who: str) -> Witnesses:
        """Those whom `who` perceives besides itself, in its place."""
        return self._others(who, self.place_of(who))

    def in_sight(self, who: str) -> dict[str, Witnesses]:
        """Those whom `who` sees in other places, by their place."""
        places = self._reach.sees.get(self.place_of(who) or "", ())
        if not places or not self.conditions.sees(who):
            return {}
        there = {place: self._others(who, place) for place in places}
        return {place: names for place, names in there.items() if names}

    def seers(self, who: str) -> Witnesses:
        """Those who have `who` before their eyes, where it can be seen at all."""
        place = self.place_of(who)
        return () if self.unseen(who) else self._onlookers(place)

    def place_of(self, who: str) -> str | None:
        self._check_here(who)
        return self._at[who]

    def at(self, place: str | None) -> Witnesses:
        """Those at a place, hidden or not."""
        return tuple(name for name, where in self._at.items() if where == place)

    def is_hidden(self, who: str) -> bool:
        return who in self._hidden

    def unseen(self, who: str) -> bool:
        """Whether others do not learn that it is there."""
        return who in self._hidden or not self.conditions.visible(who)

    def enter(self, who: str, place: str | None = None, *, hidden: bool = False) -> Witnesses:
        """Come in; or, for one who is hidden, step out of hiding."""
        if who in self._hidden and not hidden:
            self._hidden.remove(who)
            return self.passing(who)
        if who in self._at:
            raise OffStage(f"{who} is here already")
        self._at[who] = place
        if hidden:
            self._hidden.add(who)
        return self.passing(who)

    def leave(self, who: str) -> Witnesses:
        witnesses = self.passing(who)
        del self._at[who]
        self._hidden.discard(who)
        return witnesses

    def passing(self, who: str) -> Witnesses:
        """Of coming, going, falling asleep and waking: it is heard as well as seen."""
        place = self.place_of(who)
        if self.unseen(who):
            return (who,)
        is_seen, sees, awake = self._reach.is_seen, self.conditions.sees, self.conditions.awake
        return tuple(
            [
                name
                for name, where in self._at.items()
                if name == who
                or (awake(name) if where == place else is_seen(place, where) and sees(name))
            ]
        )

    def speech(self, who: str) -> Witnesses:
        place = self.place_of(who)
        self._check_can_act(who)
        if who in self._hidden:
            raise OffStage(f"{who} is hidden, and speaking would give that away: come in openly")
        hears, is_heard = self.conditions.hears, self._reach.is_heard
        return tuple(
            [
                name
                for name, where in self._at.items()
                if name == who or (is_heard(place, where) and hears(name))
            ]
        )

    def speech_seen(self, who: str, heard: Sequence[str]) -> Witnesses:
        """Those who see that something is said, besides those who hear it."""
        if self.unseen(who):
            return ()
        if len(heard) == len(self._at):
            return ()  # as it is wherever all are in one room
        seeing = self._onlookers(self.place_of(who))
        return tuple(name for name in seeing if name not in heard)

    def deed(self, who: str) -> Witnesses:
        place = self.place_of(who)
        self._check_can_act(who)
        if self.unseen(who):
            return (who,)
        seeing = self._onlookers(place)
        return tuple(name for name in self._at if name == who or name in seeing)

    def farewell(self, who: str) -> Witnesses:
        """Of what is said or done in going: it takes ears, and eyes or ears."""
        hears, place = self.conditions.hears, self.place_of(who)
        unseen = self.unseen(who)
        return tuple(name for name in self.at(place) if name == who or (not unseen and hears(name)))

    def whisper(self, who: str, to: Sequence[str]) -> Witnesses:
        self.speech(who)
        for name in to:
            if self.place_of(name) != self.place_of(who):
                raise OffStage(f"{who} cannot whisper to {name}, who is in another place")
            if name in self._hidden:
                raise OffStage(f"{who} cannot whisper to {name}, who is hidden")
            if name == who:
                raise OffStage(f"{who} cannot whisper to itself: think it")
            if self.unseen(name):
                raise OffStage(f"{who} cannot whisper to {name}, whom nobody sees")
        return (who, *(name for name in dict.fromkeys(to) if self.conditions.hears(name)))

    def whisper_seen(self, who: str, to: Sequence[str]) -> Witnesses:
        """Those who see that they are whispered to, and cannot hear it. To others a whisper does not
        show."""
        seers, hears = self.seers(who), self.conditions.hears
        return tuple(name for name in dict.fromkeys(to) if name in seers and not hears(name))

    def thought(self, who: str) -> Witnesses:
        self._check_can_act(who)
        return (who,)

    def writing(self, who: str) -> Witnesses:
        return (who,)

    def reading(self, reader: str) -> Witnesses:
        return (reader,)

    def narration(self, place: str | None = None) -> Witnesses:
        there = self.present if place is None else self.at(place)
        return tuple(filter(self.conditions.awake, there))

    def _others(self, who: str, place: str | None) -> Witnesses:
        unseen = self.unseen
        return tuple(
            [
                name
                for name, where in self._at.items()
                if where == place and name != who and not unseen(name)
            ]
        )

    def _onlookers(self, place: str | None) -> Witnesses:
        """Those who have a place before their eyes."""
        is_seen, sees = self._reach.is_seen, self.conditions.sees
        return tuple(
            [name for name, where in self._at.items() if is_seen(place, where) and sees(name)]
        )

    def _check_can_act(self, who: str) -> None:
        if not self.conditions.awake(who):
            raise OffStage(f"{who} is asleep, and does nothing before it wakes")

    def _check_here(self, who: str) -> None:
        if who not in self._at:
            here = ", ".join(self.seen) or "nobody"
            raise OffStage(f"{who} is not here (here: {here}): come in first")
