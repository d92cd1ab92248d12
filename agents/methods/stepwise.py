"""The stepwise method: a call to think, then one to answer, which reads the thoughts."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.methods.method import MethodEntry, insist, replied, shown
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.parts import REASKS, Owner
from whoknew.agents.prompts.text import prompt

T = TypeVar("T")


class Stepwise(Struct, frozen=True):
    reasks: int = REASKS

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        asked = (*request.messages, Message("user", prompt("think")))
        thinking = replace(request, purpose="think", messages=asked, answer=None)
        thoughts, reasks = await replied(model, thinking, self.reasks)
        informed = (
            *asked,
            Message("assistant", shown(thoughts.text)),
            Message("user", "Now answer."),
        )
        return await insist(model, replace(request, messages=informed), read, reasks)


class StepwiseEntry(MethodEntry, frozen=True):
    """one call to think, one to answer"""

    calls_before: ClassVar[tuple[str, ...]] = ("think",)
    prompts: ClassVar[tuple[str, ...]] = ("think",)

    def most(self, reasks: int, purpose: str = "answer") -> int:
        """What is asked again is asked again of either call, not of both."""
        return 2 + reasks

    def make(self, owner: Owner) -> Stepwise:
        return Stepwise(owner.reasks)
