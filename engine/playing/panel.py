"""The bench: all who judge the episodes of a chain, each under its name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from whoknew.engine.plan.plan import Plan
from whoknew.engine.playing.case import Case, Ending
from whoknew.engine.playing.judge import Judge, Verdict
from whoknew.eventlog import Draft, Kind, Log
from whoknew.eventlog.kinds import Failed, Reviewed
from whoknew.worlds.setting import Setting

REVIEW = "review"


class Panel:
    """It sits when an episode is over, before that is written down: so that an episode which is
    closed on the log is judged, too."""

    def __init__(
        self, plan: Plan, setting: Setting, judges: Mapping[str, Judge] | None = None
    ) -> None:
        self._plan, self._setting, self._judges = plan, setting, judges or {}

    async def review(
        self, log: Log, world: str, opened: int, upto: int, ending: Ending
    ) -> list[tuple[str, Verdict]]:
        """The verdict of each judge on each who was in the episode, in order."""
        if not self._judges:
            return []
        case = await Case.of(log, world, self._plan, self._setting, opened, upto, ending)
        return [
            (name, verdict)
            for name, judge in self._judges.items()
            for verdict in await judge.review(case)
        ]


def drafts(
    verdicts: list[tuple[str, Verdict]], at: datetime, number: int, turn: int, closed: int
) -> list[Draft]:
    """Verdicts as events, each caused by the close of its episode. One that failed is no score."""
    found: list[Draft] = []
    for name, one in verdicts:
        body: Kind
        if one.scores is None:
            body = Failed(REVIEW, f"{name}: {one.reason}")
        else:
            body = Reviewed(name, one.scores, one.reason)
        found.append(
            Draft(body, at=at, episode=number, turn=turn, actor=one.character, cause=closed)
        )
    return found
