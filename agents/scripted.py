"""A script: lines given beforehand, said one a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from whoknew.agents.actiontext import action_at
from whoknew.agents.agent import Action, Agent, AgentEntry, AgentSeat, Moment
from whoknew.eventlog.kinds import Acted, EpisodeOpened

ANY = "*"


class Scripted(Agent):
    """`lines` are those of each scenario, by its name; those of `*` are for any other.

    Which line is next follows from what it said, by its view, and from the turns that failed: each of
    both has used one up. The script itself keeps nothing.
    """

    def __init__(self, who: str, lines: Mapping[str, Sequence[str]]) -> None:
        self._who, self._lines = who, lines

    async def act(self, moment: Moment) -> Action:
        events = await moment.view.events(moment.begins)
        names = [one.body.name for one in events if isinstance(one.body, EpisodeOpened)]
        lines = self._lines.get(names[0] if names else ANY, self._lines.get(ANY, ()))
        said = sum(isinstance(one.body, Acted) and one.actor == self._who for one in events)
        used = said + moment.failed
        if used >= len(lines):
            return Action(act="none")
        return action_at(moment, lines[used])


class ScriptedEntry(AgentEntry, frozen=True):
    """lines given beforehand"""

    needs_lines: ClassVar[bool] = True

    def make(self, seating: AgentSeat) -> Agent:
        return Scripted(seating.who, seating.lines)
