"""The calls of a model that no run makes: each is noted, with what came of it (law 6)."""

from __future__ import annotations

import asyncio

from whoknew.agents.errors import ModelError
from whoknew.agents.models.model import Model, Reply, Request, with_tokens
from whoknew.engine.errors import concerns_all
from whoknew.engine.plan.plan import ModelSettings
from whoknew.engine.playing.ledger import DROPPED, called, failed, unanswered
from whoknew.eventlog.kinds import Called

IN_A_ROW = 10
"""So many prompts refused one after the other, and it is not they that are wrong."""


class Journal:
    """A model whose calls are noted, after those that were noted before, with what they cost by these
    settings."""

    def __init__(self, model: Model, calls: list[Called], settings: ModelSettings) -> None:
        self.name = model.name
        self._model, self._price, self._calls = model, settings.price(model.name), calls
        self.answered = False
        self._refused = 0
        """So many calls, one after the other, up to now."""

    async def complete(self, request: Request) -> Reply:
        try:
            reply = with_tokens(request, await self._model.complete(request))
        except Exception as error:
            self._calls.append(failed(request, self._model, self._price, error))
            self._refused += 1
            raise
        except asyncio.CancelledError:
            self._calls.append(unanswered(request, self._model, self._price, DROPPED))
            raise
        self._calls.append(called(request, self._model, reply, self._price, None))
        self.answered, self._refused = True, 0
        return reply

    def goes_on_past(self, error: ModelError) -> bool:
        """Whether it was that prompt alone which was refused, for good, and others may be answered."""
        return not concerns_all(error) and self._refused < IN_A_ROW
