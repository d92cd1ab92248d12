"""A character's view with notes in it that were derived later, as if it had written them itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from whoknew.engine.asking.putting import Response
from whoknew.eventlog import Cursor, Event, View
from whoknew.eventlog.kinds import Remembered
from whoknew.eventlog.live import LiveWorld
from whoknew.eventlog.machinery import MemoryDerived


class NotedLife:
    """The events of a view, and notes between them, each at a place of its own: a small log of what one
    character witnessed, and nothing else. What stands behind a note is the same whatever comes after
    it, so that the views of it are as any others are (laws 2 and 3)."""

    def __init__(self, world: str, who: str) -> None:
        self.world, self.who = world, who
        self._live = LiveWorld(world)
        self._behind: list[tuple[int, ...]] = []
        """Of each place here, the seqs in the log that it is about: its own, or those of its sources."""
        self._places: list[int] = []
        """Of each place in the plain view, the one here; of one that is left out, the last before it."""
        self._place_of: dict[int, int] = {}
        self._notes: dict[int, MemoryDerived] = {}

    async def pick(self, live: LiveWorld, seqs: Sequence[int]) -> list[Event]:
        return [live.newest[seq - 1] for seq in seqs]

    def add(self, event: Event, episode: int) -> None:
        """The next event of the plain view, which is of this episode here."""
        body = event.body
        if isinstance(body, Remembered):
            body = replace(body, sources=self._here(body.sources), upto=0)
        self._put(
            replace(event, body=body, episode=episode, about=self._here(event.about), cause=None),
            (event.seq,),
        )
        self._places.append(len(self._behind))
        self._place_of[event.seq] = len(self._behind)

    def leave_out(self) -> None:
        """The next event of the plain view has no place here."""
        self._places.append(len(self._behind))

    def note(self, kept: MemoryDerived) -> None:
        """What is kept of all up to here: behind the last event, and in its episode."""
        sources = self._here(kept.sources)
        body = Remembered(kept.owner, kept.strategy, kept.text, sources, packed=kept.packed)
        last = self._live.newest[-1]
        note = replace(last, body=body, actor=self.who, place=None, witnesses=(self.who,))
        self._put(replace(note, about=(), cause=None, key=None, source=None), kept.sources)
        self._notes[len(self._behind)] = kept

    def view(self, events: int) -> View:
        """The view that ends with so many events of the plain one."""
        return self._upto(self._places[events - 1] if events else 0)

    def whole(self) -> View:
        """All of it: up to the newest event, and what was noted behind that."""
        return self._upto(len(self._behind))

    def _upto(self, place: int) -> View:
        self._live.settle()
        return View(self, self._live, self.who, Cursor(self._live.world, place))

    def texts(self, events: int | None = None) -> list[str]:
        """What the notes say: all, or those in the view that ends with so many events of the plain one."""
        upto = len(self._behind) if events is None else self.view(events).cursor.seq
        return [note.text for place, note in self._notes.items() if place <= upto]

    def behind(self, places: Iterable[int]) -> tuple[int, ...]:
        """The seqs in the log that these places are about."""
        return tuple(sorted({seq for place in places for seq in self._behind[place - 1]}))

    def notes(self, places: Iterable[int]) -> list[MemoryDerived]:
        """Those at these places."""
        return [note for place in places if (note := self._notes.get(place))]

    def told(self, places: Iterable[int]) -> tuple[int, ...]:
        """The seqs of what stands at these places and is no note."""
        return self.behind(place for place in places if place not in self._notes)

    async def plain(self, response: Response, view: View) -> Response:
        """A response as the plain view has it: what rests on a note rests on what that was written
        from."""
        seqs = self.behind(event.seq for event in response.rests_on)
        places = [place for seq in seqs if (place := view.place(seq))]
        return replace(response, rests_on=tuple(await view.pick(places)))

    def _put(self, event: Event, behind: tuple[int, ...]) -> None:
        self._behind.append(behind)
        self._live.extend([replace(event, seq=len(self._behind))])

    def _here(self, seqs: Sequence[int]) -> tuple[int, ...]:
        return tuple(self._place_of[seq] for seq in seqs if seq in self._place_of)
