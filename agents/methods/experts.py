"""The method of experts: a question is put with a hint of those who know the whole story.

A character reads its view; experts read as the director, what comes later and what happened elsewhere,
too. So that nothing of it reaches the character, they do not stand here: all that this method has of
them is an `Adviser`, and all that an adviser can say is a `ExpertHint`, of which there are two, always in the
same words. Only the engine, which alone has a director, makes an adviser (`engine/asking/experts.py`),
and hands it to no method but this one: parts from outside are made without.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import ClassVar, Literal, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents import briefing
from whoknew.agents.errors import BadPart
from whoknew.agents.methods.method import MethodEntry, insist
from whoknew.agents.models.model import Message, Model, Request
from whoknew.agents.parts import REASKS, Owner

T = TypeVar("T")


class ExpertHint(Enum):
    """All that an expert can say to a character."""

    FUTURE = (
        "This happens later than now: you know nothing of it yet. "
        "Do not answer it, and speak of nothing that comes later."
    )
    ABSENT = "You were not there when this happened. Do not speak as if you had been."


class Adviser(Protocol):
    """Reads more than the character that is asked, and says at most one hint to it."""

    async def advise(self, model: Model, request: Request) -> ExpertHint | None:
        """The hint to the question of a request, asked of a model as often as it takes."""
        ...

    async def find(self, request: Request) -> ExpertHint | None:
        """The same by rule: no model is asked."""
        ...


By = Literal["model", "rule"]


class Experts(Struct, frozen=True):
    """`by` says who looks at the question. `bare`: where it is of what comes later, nothing that is
    remembered is shown."""

    adviser: Adviser | None = None
    reasks: int = REASKS
    by: By = "model"
    bare: bool = False

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        """Where no question is put, as to one who acts, it is asked as it is."""
        sections = request.sections
        if sections is not None and sections.question is not None:
            if self.adviser is None:
                raise BadPart(
                    "the method 'experts' has nobody here who reads the whole story: it answers "
                    "questions of `whoknew ask` and of exams"
                )
            advised = self.adviser.advise(model, request) if self.by == "model" else None
            if hint := await (advised or self.adviser.find(request)):
                sections = replace(sections, question=f"{sections.question} ({hint.value})")
                if self.bare and hint is ExpertHint.FUTURE:
                    sections = replace(sections, memory=())
                messages = (request.messages[0], Message("user", briefing.told(sections)))
                request = replace(request, messages=messages, sections=sections)
        return await insist(model, request, read, self.reasks)


class ExpertsEntry(MethodEntry, frozen=True):
    """hints of one who knows the whole story: that this comes later, or happened elsewhere"""

    prompts: ClassVar[tuple[str, ...]] = ("expert.when", "expert.where")

    by: By = "model"
    """Who says which event a question means: the model, or a search alone."""
    bare: bool = False
    """Whether a question of what comes later is put without anything that is remembered."""

    def calls(self, purpose: str) -> tuple[str, ...]:
        """Whoever acts is given no hint."""
        asks = purpose != "act" and self.by == "model"
        return ("when", "where", purpose) if asks else (purpose,)

    def make(self, owner: Owner) -> Experts:
        return self.advised(owner, None)

    def advised(self, owner: Owner, adviser: Adviser | None) -> Experts:
        """The method, with one who reads for it."""
        return Experts(adviser, owner.reasks, self.by, self.bare)
