"""The few-shot method: examples of how to reply are shown before the question is put."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents import briefing
from whoknew.agents.methods.method import MethodEntry, insist
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.parts import REASKS, Owner
from whoknew.agents.sections import Example, Sections

T = TypeVar("T")


class GivenExample(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An example as a plan gives it: a `question` and the `reply`, for whoever is asked; or a `moment`
    and the `action`, for whoever has to act. With `who` it is shown to that character alone."""

    question: str = ""
    reply: str = ""
    moment: str = ""
    action: str = ""
    who: str = ""

    def __post_init__(self) -> None:
        asked, acted = (self.question, self.reply), (self.moment, self.action)
        if not (all(asked) and not any(acted)) and not (all(acted) and not any(asked)):
            raise ValueError("an example is a question and a reply, or a moment and an action")


class FewShot(Struct, frozen=True):
    """Those for questions and those for turns are shown apart, each where they help."""

    answered: tuple[Example, ...] = ()
    acted: tuple[Example, ...] = ()
    reasks: int = REASKS

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        """Asked of anybody but a character, it is asked as it is."""
        sections = request.sections
        examples = self._for(sections) if sections else ()
        if sections and examples:
            sections = replace(sections, examples=examples)
            rules, _, *others = request.messages
            messages = (rules, Message("user", briefing.told(sections)), *others)
            request = replace(request, messages=messages, sections=sections)
        return await insist(model, request, read, self.reasks)

    def _for(self, sections: Sections) -> tuple[Example, ...]:
        if sections.question is not None:
            return self.answered
        return self.acted if sections.turn else ()


class FewShotEntry(MethodEntry, frozen=True):
    """one call, with examples of replies before the question"""

    examples: tuple[GivenExample, ...] = ()
    """What is shown, in this order; where there are none it asks as `plain` does."""

    def make(self, owner: Owner) -> FewShot:
        mine = [one for one in self.examples if one.who in ("", owner.who)]
        return FewShot(
            answered=tuple(Example(one.question, one.reply) for one in mine if one.question),
            acted=tuple(Example(one.moment, one.action) for one in mine if one.moment),
            reasks=owner.reasks,
        )
