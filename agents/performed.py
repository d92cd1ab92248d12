"""What somebody did once, done again: the deeds of a person, from the log."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from whoknew.agents.agent import Action, Agent, Moment
from whoknew.agents.errors import NotRecorded
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, Became, Entered


class ReplayedPerson(Agent):
    """`events` are all that the character did, in order, with what came of it at once: how it came in,
    fell asleep, or woke others."""

    def __init__(self, who: str, events: Iterable[Event]) -> None:
        self._who = who
        self._deeds: deque[tuple[Event, list[Event]]] = deque()
        for event in events:
            if isinstance(event.body, Acted):
                self._deeds.append((event, []))
            elif self._deeds:
                deed, after = self._deeds[-1]
                if (deed.episode, deed.turn) == (event.episode, event.turn):
                    after.append(event)

    async def act(self, moment: Moment) -> Action:
        if not self._deeds:
            raise NotRecorded(f"{self._who} has done no more than is on the log")
        deed, after = self._deeds.popleft()
        acted = deed.body
        assert isinstance(acted, Acted)
        places = [place for seq in deed.about if (place := moment.view.place(seq)) is not None]
        came = [event.place for event in after if isinstance(event.body, Entered)]
        leaving = came[-1] if came and acted.act == "leave" else None
        became = [(event.actor, event.body) for event in after if isinstance(event.body, Became)]
        woken = tuple(name for name, body in became if name and body.by == self._who)
        return Action(
            act=acted.act,
            text=acted.text,
            to=acted.to,
            refers_to=tuple(places),
            goes=leaving,
            offer=acted.offer,
            agrees=acted.agrees,
            sleeps=(self._who, Became("asleep")) in became,
            wakes=woken,
        )
