"""The calls of a model that no run makes: each is noted, with what came of it (law 6)."""

from __future__ import annotations

import asyncio

from whoknew.agents.models.model import Model, Reply, Request
from whoknew.agents.models.prices import price_of
from whoknew.engine.playing.ledger import DROPPED, called, failed, unanswered
from whoknew.eventlog.kinds import Called


class Journal:
    """A model whose calls are noted, after those that were noted before."""

    def __init__(self, model: Model, calls: list[Called]) -> None:
        self.name = model.name
        self._model, self._price, self._calls = model, price_of(model.name), calls

    async def complete(self, request: Request) -> Reply:
        try:
            reply = await self._model.complete(request)
        except Exception as error:
            self._calls.append(failed(request, self._model, self._price, error))
            raise
        except asyncio.CancelledError:
            self._calls.append(unanswered(request, self._model, self._price, DROPPED))
            raise
        self._calls.append(called(request, self._model, reply, self._price, None))
        return reply
