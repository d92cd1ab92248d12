"""The stepwise method: a call to think, then one to answer, which reads the thoughts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from whoknew.agents.methods.method import insist, replied
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.prompts.text import prompt

T = TypeVar("T")


class Stepwise(Struct, frozen=True):
    reasks: int = 2

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        asked = (*request.messages, Message("user", prompt("think")))
        thinking = Request("think", asked, None, request.sampling)
        thoughts, reasks = await replied(model, thinking, self.reasks)
        informed = (*asked, Message("assistant", thoughts.text), Message("user", "Now answer."))
        return await insist(
            model,
            Request(request.purpose, informed, request.answer, request.sampling),
            read,
            reasks,
        )
