from collections.abc import Callable
from typing import ClassVar, TypeVar

from msgspec.structs import replace

from whoknew.agents import Message, Method, MethodEntry, Model, Owner, Request, insist, replied

T = TypeVar("T")


class Aim(Method):
    def __init__(self, question: str, reasks: int) -> None:
        self._question, self._reasks = question, reasks

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        asked = (*request.messages, Message("user", self._question))
        first = replace(request, purpose="aim", messages=asked, answer=None)
        aim, reasks = await replied(model, first, self._reasks)
        told = (*asked, Message("assistant", aim.text), Message("user", "Now answer."))
        return await insist(model, replace(request, messages=told), read, reasks)


class AimEntry(MethodEntry, frozen=True):
    """a call to say what one wants, one to answer"""

    calls_before: ClassVar[tuple[str, ...]] = ("aim",)

    question: str = "First, in one sentence: what do you want here?"

    def make(self, owner: Owner) -> Aim:
        return Aim(self.question, owner.reasks)
