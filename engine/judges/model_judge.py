"""What a model is asked when it judges, and how its answer becomes a verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from whoknew.agents import briefing
from whoknew.agents.errors import BadAnswer, BadReply
from whoknew.agents.lines import Line, line
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Model, Request, Sampling
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import Acquaintance, JudgedAnswer, JudgedEpisode, Sections, Situation
from whoknew.agents.understand import understand_one
from whoknew.engine.playing.case import AnswerCase, Case, EpisodeCase
from whoknew.engine.playing.judge import Bench, Judge, JudgeEntry, Needed, Verdict
from whoknew.eventlog import Event

Read = tuple[dict[str, float], dict[str, str]]
"""The scores that an answer comes to, and the reason for each."""


class Rubric(Struct, frozen=True):
    """What a judge is asked: the rules that it goes by, the answer that it gives, and how that is
    read; BadAnswer where there are no scores in it. `text` is what stands below the rules."""

    rules: str
    answer: type[Struct]
    read: Callable[[Any], Read]
    text: str = ""

    def told(self, who: str) -> str:
        """What it goes by when it judges somebody."""
        rules = filled(self.rules, name=who)
        return f"{rules}\n\n{self.text}" if self.text else rules


class ModelJudge(Judge[Case]):
    """A judge that has a model fill in a sheet: on each who was in an episode, or on who answered."""

    def __init__(
        self,
        sheet: Rubric,
        model: Model,
        sampling: Sampling,
        reasks: int,
        *,
        scale: tuple[float, float] = (0.0, 10.0),
        shows: Sequence[Needed] = ("reference",),
    ) -> None:
        """Of what is known of a question it is shown what it needs."""
        self._sheet, self._scale, self._shows = sheet, scale, shows
        self._model, self._sampling, self._reasks = model, sampling, reasks

    async def review(self, case: Case) -> list[Verdict]:
        if isinstance(case, AnswerCase):
            return [await self._of(await of_answer(case, self._scale, self._shows))]
        return [await self._of(await of_episode(case, who)) for who in case.people]

    async def _of(self, sections: Sections) -> Verdict:
        """One call, and as many more as it takes to be understood: a verdict that makes no sense, or is out
        of range, is asked for again, and is a failure in the end."""
        sheet = self._sheet
        asked = request(sheet, sections, self._sampling)

        def understood(text: str) -> Verdict:
            scores, reasons = sheet.read(understand_one(text, sheet.answer))
            told = "\n".join(f"{name} {scores[name]:g}: {why}" for name, why in reasons.items())
            return Verdict(sections.who, scores, told)

        try:
            return await insist(self._model, asked, understood, self._reasks)
        except (BadAnswer, BadReply) as error:
            return Verdict(sections.who, None, str(error))


def request(sheet: Rubric, sections: Sections, sampling: Sampling) -> Request:
    rules = sheet.told(sections.who)
    return briefing.request("judge", rules, sections, sheet.answer, sampling)


async def of_episode(case: EpisodeCase, who: str) -> Sections:
    """The episode as a judge reads it, lines numbered from one: the same however it was played."""
    evidence = [event for event in await case.evidence() if event.actor != who]
    relations = case.relations(who)
    return Sections(
        who=who,
        myself=case.portrait(who),
        others=tuple(
            Acquaintance(one, relations.get(one, "stranger")) for one in case.people if one != who
        ),
        now=Situation(scenario=case.episode.scenario, pool=case.episode.pool),
        goal=case.goals.get(who, ""),
        here=_lines(case.events),
        judged=JudgedEpisode(
            reason=case.ending.reason,
            points=case.ending.points.get(who),
            evidence=_lines(evidence),
        ),
    )


async def of_answer(
    case: AnswerCase,
    scale: tuple[float, float] = (0.0, 10.0),
    shows: Sequence[Needed] = ("reference",),
) -> Sections:
    """The answer as a judge reads it: the question, what is known of it, what was answered. Of the
    evidence it reads what the character witnessed by then."""
    evidence = {seq for some in case.evidence for seq in some} if "evidence" in shows else set()
    places = [place for seq in sorted(evidence) if (place := case.view.place(seq))]
    return Sections(
        who=case.character,
        question=case.question,
        judged=JudgedAnswer(
            case.answer,
            (case.reference or None) if "reference" in shows else None,
            labels=case.labels if "labels" in shows else {},
            choices=case.choices if "choices" in shows else (),
            correct=case.correct if "correct" in shows else None,
            evidence=_lines(await case.view.pick(places)),
            scale=scale,
        ),
    )


def answer(name: str, fields: dict[str, type[Struct]]) -> type[Struct]:
    return msgspec.defstruct(name, list(fields.items()), frozen=True)


def _lines(events: Sequence[Event]) -> tuple[Line, ...]:
    lines = list[Line]()
    for event in events:
        if told := line(len(lines) + 1, event):
            lines.append(told)
    return tuple(lines)


class ModelJudgeEntry(JudgeEntry, frozen=True):
    """How a plan names a judge that has a model fill in a rubric."""

    asks: ClassVar[bool] = True
    rubric: ClassVar[Rubric]

    def prompts(self) -> tuple[str, ...]:
        return (self.rubric.rules,)

    def make(self, bench: Bench) -> ModelJudge:
        return ModelJudge(self.rubric, bench.model, bench.sampling, bench.reasks)
