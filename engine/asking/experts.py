"""Two experts who know the whole story: one says whether a question is about what comes later, one
whether its character was there.

They read as the director. What they say to a character is a hint or nothing (`agents/methods/experts.py`).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents import briefing
from whoknew.agents.lines import line, one_line, quoted
from whoknew.agents.methods.experts import ExpertHint
from whoknew.agents.methods.method import insist
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.prompts.text import filled
from whoknew.engine.asking.putting import worded
from whoknew.engine.finding.meaning import meaning
from whoknew.engine.finding.story_index import fitting
from whoknew.eventlog import Event, Log, View
from whoknew.eventlog.kinds import Printed

TITLE = "# Passages"

PASSAGES = 6
"""So many are shown: TimeChara's number."""

LATER = 0.4
"""So likely it has to be that a question means what comes later. (FairytaleQA's open half, at every
section of each story: past called past .923, future called future .918, of what comes with the very
next section .795. At 0.5: .942, .894 and .750.)"""

NONE = "none"
"""What experts said who gave no hint."""

_NUMBER = re.compile(r"\d+")


class Passage(Struct, frozen=True):
    """An event of the story; `number` is what it is called by, `there` who witnessed it."""

    number: int
    event: Event
    there: tuple[str, ...]

    @property
    def told(self) -> str:
        return line(self.number, self.event)


class StoryExperts:
    """The experts on one world, for the character of a view, which ends at its cursor. They ask a model
    as the director, where they are given one: else the character's."""

    def __init__(self, log: Log, view: View, reasks: int, model: Model | None = None) -> None:
        self._log, self._view, self._reasks, self._model = log, view, reasks, model
        self.said: str | None = None
        """What they said of the question: future, absent, or none; nothing before they were asked."""

    async def advise(self, model: Model, request: Request) -> ExpertHint | None:
        return self._noted(await self._hint(self._model or model, request))

    async def find(self, request: Request) -> ExpertHint | None:
        """By how likely it is that the question means what comes later; and of what does not, what its
        character did not witness."""
        known = await meaning(self._log, self._view.cursor.world)
        chances = await asyncio.to_thread(known.chances, _plain(request))
        return self._noted(likely_hint(chances, self._view))

    def _noted(self, hint: ExpertHint | None) -> ExpertHint | None:
        self.said = hint.name.lower() if hint else NONE
        return hint

    async def _hint(self, model: Model, request: Request) -> ExpertHint | None:
        """The spatial expert is not asked about what comes later."""
        assert request.sections is not None and request.sections.question is not None
        question, who = request.sections.question, self._view.character
        passages = await self._passages(_plain(request))
        if not passages:
            return None
        if await self._later(model, request, question, passages):
            return ExpertHint.FUTURE
        rules, told = filled("expert.where", name=who), _told(passages, question, people=True)
        asked = _asked(request, "where", rules, told)
        absent = await insist(model, asked, _absent, self._reasks)
        return ExpertHint.ABSENT if absent else None

    async def _later(
        self, model: Model, request: Request, question: str, passages: Sequence[Passage]
    ) -> bool:
        asked = _asked(request, "when", filled("expert.when"), _told(passages, question))
        number = await insist(model, asked, _number, self._reasks)
        about = next((one for one in passages if one.number == number), None)
        return about is not None and about.event.seq > self._view.cursor.seq

    async def _passages(self, question: str) -> list[Passage]:
        """What in the whole world fits a question best, in the order in which it happened."""
        world = self._view.cursor.world
        found = await fitting(self._log, world, question, PASSAGES)
        events = sorted(found, key=lambda event: event.seq)
        told = [event for event in events if line(1, event)]
        return [Passage(number, event, event.witnesses) for number, event in enumerate(told, 1)]


def likely_hint(chances: Mapping[int, float], view: View) -> ExpertHint | None:
    """What is to be said of a question to the character of a view, by how likely it is of each event
    that the question means that."""
    past = {seq: chance for seq, chance in chances.items() if seq <= view.cursor.seq}
    later = sum(chances.values()) - sum(past.values())
    if later > LATER:
        return ExpertHint.FUTURE
    unseen = sum(chance for seq, chance in past.items() if seq not in view)
    return ExpertHint.ABSENT if past and unseen > sum(past.values()) / 2 else None


def _plain(request: Request) -> str:
    """The question without its choices."""
    assert request.sections is not None and request.sections.question is not None
    return request.sections.question.removesuffix(worded("", request.sections.choices))


def _told(passages: Sequence[Passage], question: str, *, people: bool = False) -> str:
    lines = [one.told + (_people(one) if people else "") for one in passages]
    return "\n".join([TITLE, *lines, "", briefing.QUESTION, quoted(question)])


def _people(passage: Passage) -> str:
    """Who was there, where that is written down: a text says it in its own words."""
    if isinstance(passage.event.body, Printed):
        return ""
    return one_line(f" (there: {', '.join(passage.there) or 'nobody'})")


def _asked(request: Request, purpose: str, rules: str, told: str) -> Request:
    """What an expert is asked: nothing of the request but how its model is to choose its words."""
    messages = (Message("system", rules), Message("user", told))
    return replace(request, purpose=purpose, messages=messages, answer=None, sections=None)


def _number(reply: str) -> int:
    """The number on the last line; 0 where there is none, or more than one."""
    numbers = _NUMBER.findall(_last_line(reply))
    return int(numbers[0]) if len(numbers) == 1 and len(numbers[0]) < 9 else 0


def _absent(reply: str) -> bool:
    """Whether the last line says so, and not the contrary, too."""
    said = set(re.findall(r"\w+", _last_line(reply).casefold()))
    return "absent" in said and "present" not in said


def _last_line(reply: str) -> str:
    return reply.rstrip().rpartition("\n")[2]
