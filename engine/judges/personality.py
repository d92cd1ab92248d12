"""How much of its speaker is in an answer: TimeChara's mark from 1 to 7, by a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec import field

from whoknew.agents.errors import BadAnswer, BadPart, BadReply
from whoknew.agents.models.model import Model, Sampling
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import JudgedAnswer
from whoknew.engine.judges.last_line import LastLineEntry, LastLineJudge, one_of
from whoknew.engine.playing.case import AnswerCase
from whoknew.engine.playing.judge import Bench, Verdict
from whoknew.eventlog.kinds import CharacterAdded

PERSONALITY = "personality"

MARKS = tuple(map(str, range(1, 8)))


class PersonalityJudge(LastLineJudge):
    """It goes by a text of the personality: one that is given, else what the world says of who answered. Who
    has neither is not judged."""

    def __init__(
        self, model: Model, sampling: Sampling, reasks: int, texts: Mapping[str, str]
    ) -> None:
        super().__init__(model, sampling, reasks)
        self._texts = {_plain(name): text for name, text in texts.items()}

    async def review(self, case: AnswerCase) -> list[Verdict]:
        text = self._texts.get(_plain(case.character)) or await _card(case)
        if not text:
            return []
        rules = filled(f"judge.{PERSONALITY}", name=case.character)
        known = {PERSONALITY: text}
        judged = JudgedAnswer(case.answer, None, labels=known, scale=PersonalityEntry.scale)
        try:
            mark, why = await self.asked(case, rules, judged, one_of(*MARKS))
        except (BadAnswer, BadReply) as error:
            return [Verdict(case.character, None, str(error))]
        return [Verdict(case.character, {PERSONALITY: mark}, why)]


async def _card(case: AnswerCase) -> str:
    """What whoever answered knows itself to be."""
    async for event in case.view:
        if isinstance(event.body, CharacterAdded) and event.body.name == case.character:
            return event.body.description
    return ""


def _plain(name: str) -> str:
    """A name as it is looked for: also by that of a file."""
    return " ".join(name.casefold().replace("_", " ").split())


class PersonalityEntry(LastLineEntry, frozen=True):
    """a model, how much of its speaker is in an answer: 1 to 7"""

    scale: ClassVar[tuple[float, float]] = (1.0, 7.0)

    texts: str | dict[str, str] = field(default_factory=dict)
    """The personality of each character, by its name; or in an exam a folder beside its plan, with a text
    for each: NAME.txt, or NAME_personality.txt."""

    def prompts(self) -> tuple[str, ...]:
        return (f"judge.{PERSONALITY}",)

    def make(self, bench: Bench) -> PersonalityJudge:
        if isinstance(self.texts, str):
            raise BadPart(f"{self.texts} is a folder: only the plan of an exam has files beside it")
        return PersonalityJudge(bench.model, bench.sampling, bench.reasks, self.texts)
