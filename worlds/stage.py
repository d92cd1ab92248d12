"""Who is where, and who of them is hidden; and so who witnesses what.

    coming in, going       those at the place, and whoever comes or goes
    coming in, hidden      whoever does, alone; so too all that they do while hidden
    speech                 those at the place, hidden or not, and those where it is overheard
    deeds, gestures        those at the place, hidden or not
    a whisper              sender and recipients
    a thought              its thinker
    a letter               its writer as it is written; whoever it is addressed to as it is read
    narration              those at its place; everybody who is anywhere, where it has none

A thought and a letter need nobody to be anywhere. A story that plays in one room names no places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from whoknew.worlds.errors import OffStage

Witnesses = tuple[str, ...]


class Stage:
    """`hears` says for each place in which others its people overhear what is spoken."""

    def __init__(
        self,
        present: Iterable[str] = (),
        place: str | None = None,
        hears: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._at: dict[str, str | None] = dict.fromkeys(present, place)
        self._hidden: set[str] = set()
        self._hears = hears or {}

    def copy(self) -> Stage:
        """Another with everybody as they stand now."""
        other = Stage((), None, self._hears)
        other._at, other._hidden = dict(self._at), set(self._hidden)
        return other

    @property
    def present(self) -> Witnesses:
        """All who are anywhere, the hidden too, in the order of their coming."""
        return tuple(self._at)

    @property
    def seen(self) -> Witnesses:
        """Those who are not hidden."""
        return tuple(name for name in self._at if name not in self._hidden)

    def perceived(self, who: str) -> Witnesses:
        """Those whom `who` perceives besides itself."""
        here = self.at(self.place_of(who))
        return tuple(name for name in here if name != who and name not in self._hidden)

    def place_of(self, who: str) -> str | None:
        self._check_here(who)
        return self._at[who]

    def at(self, place: str | None) -> Witnesses:
        """Those at a place, hidden or not."""
        return tuple(name for name, where in self._at.items() if where == place)

    def is_hidden(self, who: str) -> bool:
        return who in self._hidden

    def enter(self, who: str, place: str | None = None, *, hidden: bool = False) -> Witnesses:
        """Come in; or, for one who is hidden, step out of hiding."""
        if who in self._hidden and not hidden:
            self._hidden.remove(who)
            return self.at(self._at[who])
        if who in self._at:
            raise OffStage(f"{who} is here already")
        self._at[who] = place
        if hidden:
            self._hidden.add(who)
            return (who,)
        return self.at(place)

    def leave(self, who: str) -> Witnesses:
        witnesses = self.deed(who)
        del self._at[who]
        self._hidden.discard(who)
        return witnesses

    def speech(self, who: str) -> Witnesses:
        place = self.place_of(who)
        if who in self._hidden:
            raise OffStage(f"{who} is hidden, and speaking would give that away: come in openly")
        if not self._hears:
            return self.at(place)
        within = [name for name, where in self._at.items() if place in self._within(where)]
        return tuple(within)

    def deed(self, who: str) -> Witnesses:
        place = self.place_of(who)
        return (who,) if who in self._hidden else self.at(place)

    def whisper(self, who: str, to: Sequence[str]) -> Witnesses:
        self.speech(who)
        for name in to:
            if self.place_of(name) != self.place_of(who):
                raise OffStage(f"{who} cannot whisper to {name}, who is in another place")
            if name in self._hidden:
                raise OffStage(f"{who} cannot whisper to {name}, who is hidden")
            if name == who:
                raise OffStage(f"{who} cannot whisper to itself: think it")
        return (who, *dict.fromkeys(to))

    def thought(self, who: str) -> Witnesses:
        return (who,)

    def writing(self, who: str) -> Witnesses:
        return (who,)

    def reading(self, reader: str) -> Witnesses:
        return (reader,)

    def narration(self, place: str | None = None) -> Witnesses:
        return self.present if place is None else self.at(place)

    def _within(self, place: str | None) -> tuple[str | None, ...]:
        """The places whose speech is heard at a place."""
        return (place, *self._hears.get(place or "", ()))

    def _check_here(self, who: str) -> None:
        if who not in self._at:
            here = ", ".join(self.seen) or "nobody"
            raise OffStage(f"{who} is not here (here: {here}): come in first")
