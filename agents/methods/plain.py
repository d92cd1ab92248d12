"""The plain method: one call, and as many more as it takes to be understood."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from whoknew.agents.methods.method import MethodEntry, insist
from whoknew.agents.models.model import Model, Request
from whoknew.agents.parts import REASKS, Owner

T = TypeVar("T")


class Plain(Struct, frozen=True):
    reasks: int = REASKS

    async def ask(self, model: Model, request: Request, read: Callable[[str], T]) -> T:
        return await insist(model, request, read, self.reasks)


class PlainEntry(MethodEntry, frozen=True):
    """one call"""

    def make(self, owner: Owner) -> Plain:
        return Plain(owner.reasks)
