"""Who is in the room, and who of them is hidden; and so who witnesses what.

    coming in, going       those present, and whoever comes or goes
    coming in, hidden      whoever does, alone; so too all that they do while hidden
    speech, deeds, gestures    those present, hidden or not
    a whisper              sender and recipients
    a thought              its thinker
    a letter               its writer as it is written; whoever it is addressed to as it is read
    narration              those present

A thought and a letter need nobody to be in the room.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from whoknew.worlds.errors import OffStage

Witnesses = tuple[str, ...]


class Stage:
    def __init__(self, present: Iterable[str] = ()) -> None:
        self._present = list(present)
        self._hidden: set[str] = set()

    @property
    def present(self) -> Witnesses:
        """All who perceive what happens in the room, the hidden too."""
        return tuple(self._present)

    @property
    def seen(self) -> Witnesses:
        """Those whom the others perceive."""
        return tuple(name for name in self._present if name not in self._hidden)

    def enter(self, who: str, *, hidden: bool = False) -> Witnesses:
        """Come in; or, for one who is hidden, step out of hiding."""
        if who in self._hidden and not hidden:
            self._hidden.remove(who)
            return self.present
        if who in self._present:
            raise OffStage(f"{who} is here already")
        self._present.append(who)
        if hidden:
            self._hidden.add(who)
            return (who,)
        return self.present

    def leave(self, who: str) -> Witnesses:
        witnesses = self.deed(who)
        self._present.remove(who)
        self._hidden.discard(who)
        return witnesses

    def speech(self, who: str) -> Witnesses:
        self._check_here(who)
        if who in self._hidden:
            raise OffStage(f"{who} is hidden, and speaking would give that away: come in openly")
        return self.present

    def deed(self, who: str) -> Witnesses:
        self._check_here(who)
        return (who,) if who in self._hidden else self.present

    def whisper(self, who: str, to: Sequence[str]) -> Witnesses:
        self.speech(who)
        for name in to:
            self._check_here(name)
            if name in self._hidden:
                raise OffStage(f"{who} cannot whisper to {name}, who is hidden")
        return (who, *to)

    def thought(self, who: str) -> Witnesses:
        return (who,)

    def writing(self, who: str) -> Witnesses:
        return (who,)

    def reading(self, reader: str) -> Witnesses:
        return (reader,)

    def narration(self) -> Witnesses:
        return self.present

    def _check_here(self, who: str) -> None:
        if who not in self._present:
            here = ", ".join(self.seen) or "nobody"
            raise OffStage(f"{who} is not here (here: {here}): come in first")
