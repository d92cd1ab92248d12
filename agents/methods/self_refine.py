"""The method of self-refinement: an answer, marks and advice on it, and a better one, round by round.

Each round is shown all that was said before it. It ends as soon as the marks are good enough, or
after so many rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from whoknew.agents.errors import BadAnswer
from whoknew.agents.methods.method import MethodEntry, insist
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.parts import REASKS, Owner
from whoknew.agents.prompts.text import filled, prompt
from whoknew.agents.understand import understand

T = TypeVar("T")

ROUNDS = 3
"""TimeChara's, as what is enough and the scales of the marks are."""

ENOUGH = 5
"""The sum of the marks with which an answer is kept."""

RIGHT = 3
"""The mark of an answer that keeps to where and when it is given; any other has none."""


class Feedback(Struct, frozen=True):
    """What is said of an answer."""

    spatiotemporal: Annotated[int, Meta(ge=0, le=RIGHT)]
    personality: Annotated[int, Meta(ge=1, le=3)]
    advice: str = ""

    @property
    def is_enough(self) -> bool:
        return self.spatiotemporal + self.personality >= ENOUGH


class SelfRefine(Struct, frozen=True):
    """`who` is the character that answers."""

    who: str
    rounds: int = ROUNDS
    reasks: int = REASKS

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        said, found = await self._asked(model, request, read)
        for _ in range(self.rounds):
            asking = filled("feedback", name=self.who)
            shown = (*request.messages, Message("assistant", said), Message("user", asking))
            looking = replace(request, purpose="feedback", messages=shown, answer=Feedback)
            told, feedback = await self._asked(model, looking, _feedback)
            if feedback.is_enough:
                break
            better = (*shown, Message("assistant", told), Message("user", prompt("refine")))
            request = replace(request, messages=better)
            said, found = await self._asked(model, request, read)
        return found

    async def _asked(
        self, model: Model, request: Request, read: Callable[[str], T]
    ) -> tuple[str, T]:
        """What was answered, as it was said and as it is read."""
        return await insist(model, request, lambda text: (text, read(text)), self.reasks)


def _feedback(text: str) -> Feedback:
    found = understand(text, Feedback)
    if found.spatiotemporal not in (0, RIGHT):
        raise BadAnswer(f'"spatiotemporal" is {found.spatiotemporal}, but can be 0 or {RIGHT}.')
    return found


class SelfRefineEntry(MethodEntry, frozen=True):
    """an answer, then feedback on it and a better one, in rounds"""

    prompts: ClassVar[tuple[str, ...]] = ("feedback", "refine")

    rounds: Annotated[int, Meta(ge=1, le=10)] = ROUNDS
    """So many times at most feedback is asked for, and a better answer."""

    def calls(self, purpose: str) -> tuple[str, ...]:
        """If no feedback is good enough before the last."""
        return (purpose, *("feedback", purpose) * self.rounds)

    def make(self, owner: Owner) -> SelfRefine:
        return SelfRefine(owner.who, self.rounds, owner.reasks)
