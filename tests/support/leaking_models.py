"""A model that gives away what its character cannot know: in so many of its lines, what somebody said
elsewhere, word for word or in other words."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import msgspec
from planted_leaks import reworded, telling

from whoknew.agents.models.model import Model, Reply, Request
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import Acted
from whoknew.eventlog.words import terms


class Leaking:
    """Says what another model says, or else a leak: what was said elsewhere, and is news to whoever is
    asked, for at least half of its words side by side stand in nothing that it witnessed. `leaks` are those that it said, each with whose
    line it was to be."""

    def __init__(self, model: Model, log: Log, world: str, share: float, *ways: str) -> None:
        self.name = model.name
        self._model, self._log, self._world = model, log, world
        self._share, self._ways = share, ways or ("word for word",)
        self.leaks = list[tuple[str, str]]()
        self.requests: list[Request] = []
        """What it was asked to do."""

    async def complete(self, request: Request) -> Reply:
        """What it says of a prompt is always the same: it goes by the prompt's digest."""
        if request.purpose != "act":
            return await self._model.complete(request)
        self.requests.append(request)
        chance = Random(request.digest)
        if chance.random() < self._share and (leak := await self._leak(request, chance)):
            self.leaks.append(leak)
            text = msgspec.json.encode({"act": "speak", "text": leak[1]}).decode()
            return Reply(text=text, tokens_in=10, tokens_out=10)
        return await self._model.complete(request)

    async def _leak(self, request: Request, chance: Random) -> tuple[str, str] | None:
        assert request.sections is not None
        who, world = request.sections.who, self._world
        events = await (await self._log.director(world)).events()
        told = (await self._log.knowledge(world)).told(who)
        known = {pair for event in events if who in event.witnesses for pair in pairs(event.text)}
        unknown = [
            event.body.text
            for event in telling(events)
            if isinstance(event.body, Acted)
            and who not in event.witnesses
            and event.seq not in told
            and len(pairs(event.body.text) - known) >= len(pairs(event.body.text)) / 2
        ]
        if not unknown:
            return None
        return who, reworded(chance.choice(unknown), chance.choice(self._ways))


def pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(terms(text)))
