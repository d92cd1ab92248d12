"""The bare method: a question in the form of the rows that models are trained on.

No rules and no JSON: whom the model is to be, what comes to mind, and the question. What it says is the
answer. For models that follow no instructions, and to ask those in the same way who were trained on rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.methods.method import MethodEntry, insist, ruled
from whoknew.agents.models.model import Model, Request
from whoknew.agents.parts import REASKS, Owner
from whoknew.agents.weights.rows import question

T = TypeVar("T")


class Bare(Struct, frozen=True):
    reasks: int = REASKS

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        """Asked for anything but an answer, it is asked as it is."""
        sections = request.sections
        if sections is None or sections.question is None or not request.answer:
            return await insist(model, request, read, self.reasks)
        told = "\n".join([*sections.memory, *(sections.here or ()), sections.question])
        rules, *asked = question(sections.who, told)
        bare = replace(request, messages=(ruled(rules.text, request.warning), *asked), answer=None)
        return await insist(model, bare, lambda text: read(_answer(text)), self.reasks)


def _answer(text: str) -> str:
    return msgspec.json.encode({"answer": text.strip()}).decode()


class BareEntry(MethodEntry, frozen=True):
    """one call with the question as it stands: for models that follow no instructions"""

    prompts: ClassVar[tuple[str, ...]] = ("lived",)

    def make(self, owner: Owner) -> Bare:
        return Bare(owner.reasks)
