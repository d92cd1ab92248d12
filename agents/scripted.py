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
    both has used one up. What was counted of an episode is not read again at its next turn.
    """

    def __init__(self, who: str, lines: Mapping[str, Sequence[str]]) -> None:
        self._who, self._lines = who, lines
        self._begins = self._read = self._said = 0
        self._scenario: str | None = None

    async def act(self, moment: Moment) -> Action:
        await self._read_on(moment)
        lines = self._lines.get(self._scenario or ANY, self._lines.get(ANY, ()))
        used = self._said + moment.failed
        if used >= len(lines):
            return Action(act="none")
        return action_at(moment, lines[used])

    async def _read_on(self, moment: Moment) -> None:
        if moment.begins != self._begins or self._read > len(moment.view):
            self._begins = self._read = moment.begins
            self._said, self._scenario = 0, None
        for one in await moment.view.events(self._read):
            self._said += isinstance(one.body, Acted) and one.actor == self._who
            if self._scenario is None and isinstance(one.body, EpisodeOpened):
                self._scenario = one.body.name
        self._read = len(moment.view)


class ScriptedEntry(AgentEntry, frozen=True):
    """lines given beforehand"""

    needs_lines: ClassVar[bool] = True

    def make(self, seating: AgentSeat) -> Agent:
        return Scripted(seating.who, seating.lines)
