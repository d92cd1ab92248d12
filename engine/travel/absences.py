"""What may have come to somebody between the scenes of a world that was brought in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Answered, Entered, EpisodeOpened

UNPLAYED = "as-written"
"""The order of an episode that was brought in: what happens between its scenes is not on the log."""


class Absences:
    """Who may have heard something between the scenes of a world that was brought in."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._unplayed: set[int] = set()
        self._came: dict[str, list[int]] = defaultdict(list)
        for event in events:
            if isinstance(event.body, EpisodeOpened) and event.body.order == UNPLAYED:
                self._unplayed.add(event.episode)
            elif isinstance(event.body, Entered) and event.actor:
                self._came[event.actor].append(event.seq)

    def may_bring(self, line: Event, of: Event) -> bool:
        """Whether a speaker was off the stage since an event: it is in an earlier scene, or the
        speaker came in only afterwards."""
        if line.episode not in self._unplayed or isinstance(line.body, Answered):
            return False
        came = self._came.get(line.actor or "", ())
        return of.episode != line.episode or any(of.seq < seq < line.seq for seq in came)
