"""What a model is asked when it judges, and how its answer becomes a verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from whoknew.agents import briefing
from whoknew.agents.errors import BadAnswer, BadReply
from whoknew.agents.lines import line, quoted, things
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Message, Model, Request, Sampling
from whoknew.agents.prompts.text import filled
from whoknew.agents.understand import understand
from whoknew.engine.plan.plan import Judging
from whoknew.engine.playing.case import Case
from whoknew.engine.playing.judge import Verdict
from whoknew.eventlog import Event

Read = tuple[dict[str, float], dict[str, str]]
"""The scores that an answer comes to, and the reason for each."""


class Rubric(Struct, frozen=True):
    """What a judge is asked: the rules that it goes by, the answer that it gives, and how that is
    read; BadAnswer where there are no scores in it."""

    rules: str
    answer: type[Struct]
    read: Callable[[Any], Read]


class ModelJudge:
    """A judge that has a model fill in a sheet."""

    def __init__(self, sheet: Rubric, model: Model, sampling: Sampling, reasks: int) -> None:
        self._sheet = sheet
        self._model, self._sampling, self._reasks = model, sampling, reasks

    async def review(self, case: Case) -> list[Verdict]:
        return [await self._of(case, who) for who in case.people]

    async def _of(self, case: Case, who: str) -> Verdict:
        """One call, and as many more as it takes to be understood; then a failure is a failure."""
        sheet = self._sheet
        asked = await request(case, who, sheet.rules, sheet.answer, self._sampling)

        def understood(text: str) -> Verdict:
            scores, reasons = sheet.read(understand(text, sheet.answer))
            told = "\n".join(f"{name} {scores[name]:g}: {why}" for name, why in reasons.items())
            return Verdict(who, scores, told)

        try:
            return await insist(self._model, asked, understood, self._reasks)
        except (BadAnswer, BadReply) as error:
            return Verdict(who, None, str(error))


async def request(
    case: Case, who: str, rules: str, answer: type[Struct], sampling: Sampling
) -> Request:
    """The episode as a judge reads it, lines numbered from one: the same however it was played."""
    evidence = [event for event in await case.evidence() if event.actor != who]
    parts = (
        briefing.section(briefing.JUDGED, quoted(case.portrait(who))),
        _others(case, who),
        _now(case),
        briefing.section(briefing.GOAL, quoted(case.goals[who])) if case.goals.get(who) else "",
        briefing.section(briefing.HERE, *_lines(case.events)),
        _ended(case, who),
        briefing.section(briefing.EVIDENCE, *_lines(evidence)) if evidence else "",
    )
    text = "\n\n".join(part for part in parts if part)
    system = filled(rules, name=who)
    return Request("judge", (Message("system", system), Message("user", text)), answer, sampling)


def answer(name: str, fields: dict[str, type[Struct]]) -> type[Struct]:
    return msgspec.defstruct(name, list(fields.items()), frozen=True)


def _lines(events: Sequence[Event]) -> list[str]:
    told = [line(1, event) for event in events]
    shown = [one.removeprefix("[1] ") for one in told if one]
    return [f"[{place}] {one}" for place, one in enumerate(shown, start=1)]


def _others(case: Case, who: str) -> str:
    relations = case.relations(who)
    others = [one for one in case.people if one != who]
    told = [f"- {one} ({relations.get(one, 'stranger')})" for one in others]
    return briefing.section("# With whom", *told) if told else ""


def _now(case: Case) -> str:
    opened = case.episode
    pool = f"To be divided: {things(opened.pool)}." if opened.pool else ""
    return briefing.section(briefing.NOW, quoted(opened.scenario), pool)


def _ended(case: Case, who: str) -> str:
    end = case.ending
    points = ""
    if who in end.points:
        mine, most = end.points[who]
        points = f"{who} has {mine} of {most} points."
    return briefing.section(briefing.OUTCOME, f"{end.reason}.", points)


def by_model(rubric: Rubric) -> Callable[[Judging, Model, object], ModelJudge]:
    """How a plan's judge of this rubric is made."""

    def judge(ours: Judging, model: Model, minds: object) -> ModelJudge:
        sampling = Sampling(ours.temperature, None, ours.max_tokens)
        return ModelJudge(rubric, model, sampling, ours.reasks)

    return judge
