"""All who judge, each under its name; and their verdicts, as events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import isfinite
from typing import TypeVar

from whoknew.agents.errors import BadAnswer, BadPart, BadReply
from whoknew.agents.parts import all_given, awaited
from whoknew.engine.plan.plan import Plan
from whoknew.engine.playing.case import Case, Ending, EpisodeCase
from whoknew.engine.playing.judge import Judge, Verdict
from whoknew.eventlog import Draft, Kind, Log
from whoknew.eventlog.kinds import Failed, Reviewed
from whoknew.worlds.setting import Setting

REVIEW = "review"

C = TypeVar("C", bound=Case)

Verdicts = list[tuple[str, Verdict]]
"""Each with the name of its judge."""


class Panel:
    """Those who judge the episodes of a chain. It sits when an episode is over, before that is
    written down: so that an episode which is closed on the log is judged, too."""

    def __init__(
        self, plan: Plan, setting: Setting, judges: Mapping[str, Judge[EpisodeCase]] | None = None
    ) -> None:
        self._plan, self._setting, self._judges = plan, setting, judges or {}

    async def review(
        self, log: Log, world: str, opened: int, upto: int, ending: Ending
    ) -> Verdicts:
        """The verdict of each judge on each who was in the episode, in order."""
        if not self._judges:
            return []
        case = await EpisodeCase.of(log, world, self._plan, self._setting, opened, upto, ending)
        return await reviewed(self._judges, case)


async def reviewed(judges: Mapping[str, Judge[C]], case: C) -> Verdicts:
    """What all of them have to say of a case, in order."""
    return [
        (name, verdict)
        for name, judge in judges.items()
        for verdict in _checked(judge, await _heard(judge, case), case)
    ]


async def _heard(judge: Judge[C], case: C) -> list[Verdict]:
    """What a judge gives. Where a model of its gives no answer that makes sense, and it lets that through,
    it fails: its answers would be the same again wherever its chain goes on."""
    try:
        return await awaited(judge.review, case)
    except (BadAnswer, BadReply) as error:
        return [Verdict(who, None, str(error)) for who in case.people]


def _checked(judge: Judge[C], found: list[Verdict], case: C) -> Sequence[Verdict]:
    """The verdicts of a judge, as they can be written down; BadPart where they cannot."""
    verdicts = all_given(judge, "review", found, Verdict)
    judged = set[str]()
    for one in verdicts:
        wrong = ""
        if one.character not in case.people:
            wrong = f"{one.character!r}, who was not there"
        elif one.character in judged:
            wrong = f"{one.character} twice: one verdict holds all of the scores"
        elif one.scores == {}:
            wrong = f"{one.character}, without a single score: give None, and a reason"
        elif one.scores is None and not one.reason:
            wrong = f"{one.character}, without scores and without a reason why there are none"
        elif one.scores is not None and not all(map(isfinite, one.scores.values())):
            wrong = f"{one.character}, with a score that is no number: {one.scores}"
        judged.add(one.character)
        if wrong:
            name = type(judge).__name__
            raise BadPart(f"{type(judge).__module__}.{name}.review gave a verdict on {wrong}")
    return verdicts


def drafts(
    verdicts: Verdicts, cause: int, *, at: datetime | None = None, episode: int = 0, turn: int = 0
) -> list[Draft]:
    """Verdicts as events, each caused by what was judged: the close of an episode, or an answer. One
    that failed is no score."""
    found: list[Draft] = []
    for name, one in verdicts:
        body: Kind
        if one.scores is None:
            body = Failed(REVIEW, f"{name}: {one.reason}")
        else:
            body = Reviewed(name, one.scores, one.reason)
        found.append(
            Draft(body, at=at, episode=episode, turn=turn, actor=one.character, cause=cause)
        )
    return found
