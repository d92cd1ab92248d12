from whoknew.agents import Action, Agent, AgentEntry, AgentSeat, Moment
from whoknew.eventlog.kinds import Acted


class Echo(Agent):
    def __init__(self, greeting: str) -> None:
        self._greeting = greeting

    async def act(self, moment: Moment) -> Action:
        if moment.hidden:  # who is hidden cannot speak unnoticed
            return Action(act="none")
        events = await moment.view.events(moment.begins)
        heard = [
            event.body.text
            for event in events
            if isinstance(event.body, Acted) and event.actor != moment.who
        ]
        said = next((text for text in reversed(heard) if text), "")
        return Action(text=f"So you say: {said}" if said else self._greeting)


class EchoEntry(AgentEntry, frozen=True):
    """says again what it heard last"""

    greeting: str = "Good evening."

    def make(self, seating: AgentSeat) -> Echo:
        return Echo(self.greeting)
