"""What calls take: how many there are, and their tokens."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from whoknew.agents.models.model import Model, Reply, Request, with_tokens

MOST = 2**53 - 1

Amount = Annotated[int, Meta(ge=0, le=MOST)]


class CallCost(Struct, frozen=True, omit_defaults=True):
    """Sums and differences stay amounts: one that somebody made up is counted on with, and what comes of it
    has to be readable, too."""

    calls: Amount = 0
    tokens: Amount = 0

    def __add__(self, other: CallCost) -> CallCost:
        return CallCost(min(self.calls + other.calls, MOST), min(self.tokens + other.tokens, MOST))

    def __sub__(self, other: CallCost) -> CallCost:
        return CallCost(max(self.calls - other.calls, 0), max(self.tokens - other.tokens, 0))


NO_CALLS = CallCost()


class MeteredModel:
    """A model, and what all that it was asked has taken: whoever paid for it."""

    def __init__(self, model: Model) -> None:
        self._model, self.name, self.spent = model, model.name, NO_CALLS

    async def complete(self, request: Request) -> Reply:
        reply = await self._model.complete(request)
        counted = with_tokens(request, reply)
        tokens = (counted.tokens_in or 0) + (counted.tokens_out or 0)
        self.spent += CallCost(1, tokens)
        return reply
