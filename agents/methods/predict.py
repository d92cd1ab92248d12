"""The method by which an exam has the next action predicted: of the scene its last lines alone are told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from whoknew.agents import briefing
from whoknew.agents.methods.method import MethodEntry, insist, ruled
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.parts import REASKS, Owner
from whoknew.agents.prompts.text import filled

T = TypeVar("T")

NEXT_ACTION = "What do you say or do next?"
"""The question that is as good as having to act."""

PROMPT = "predict"


class Predict(Struct, frozen=True):
    """`scene`: so many lines of it are told at most."""

    scene: int
    reasks: int = REASKS

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        """Asked of anybody but a character, it is asked as it is."""
        told = request.sections
        if told is None or told.question is None:
            return await insist(model, request, read, self.reasks)
        if told.here is not None:
            told = replace(told, here=tuple(told.here[-self.scene :]))
        rules = filled(PROMPT, name=told.who)
        messages = (ruled(rules, request.warning), Message("user", briefing.told(told)))
        asked = replace(request, messages=messages, sections=told)
        return await insist(model, asked, read, self.reasks)


class PredictEntry(MethodEntry, frozen=True):
    """one call for the next action, after the last lines of the scene alone"""

    prompts: ClassVar[tuple[str, ...]] = (PROMPT,)

    scene: Annotated[int, Meta(ge=1)] = 10
    """So many lines of the newest episode are told."""

    def make(self, owner: Owner) -> Predict:
        return Predict(self.scene, owner.reasks)
