"""What somebody did once, done again: the deeds of a person, from the log."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from whoknew.agents.agent import Action, Agent, Moment
from whoknew.agents.errors import NotRecorded
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, Entered


class ReplayedPerson(Agent):
    """`events` are all that the character did and how it came in, in order."""

    def __init__(self, who: str, events: Iterable[Event]) -> None:
        self._who = who
        self._deeds: deque[tuple[Event, str | None]] = deque()
        for event in events:
            if isinstance(event.body, Acted):
                self._deeds.append((event, None))
            elif isinstance(event.body, Entered) and self._deeds:
                deed, _ = self._deeds[-1]
                if (deed.episode, deed.turn) == (event.episode, event.turn):
                    self._deeds[-1] = (deed, event.place)

    async def act(self, moment: Moment) -> Action:
        if not self._deeds:
            raise NotRecorded(f"{self._who} has done no more than is on the log")
        deed, goes = self._deeds.popleft()
        acted = deed.body
        assert isinstance(acted, Acted)
        places = [place for seq in deed.about if (place := moment.view.place(seq)) is not None]
        leaving = goes if acted.act == "leave" else None
        return Action(
            act=acted.act,
            text=acted.text,
            to=acted.to,
            refers_to=tuple(places),
            goes=leaving,
            offer=acted.offer,
            agrees=acted.agrees,
        )
