"""A question put to a character at any moment of its life, however long ago that is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack

import msgspec
from msgspec import Struct

from whoknew.agents.answering import Respondent
from whoknew.agents.errors import BadAnswer, ModelError
from whoknew.agents.models.address import OFFLINE
from whoknew.agents.models.model import Model, Reply, Request
from whoknew.agents.models.prices import price_of
from whoknew.engine.errors import BadQuestion
from whoknew.engine.plan.plan import ModelSettings, Seat
from whoknew.engine.playing.ledger import DROPPED, called, unanswered
from whoknew.engine.registry import MEMORIES, METHODS
from whoknew.engine.running.models import memory_of, method_of, model_at
from whoknew.eventlog import Draft, Event, Log, exactly
from whoknew.eventlog.cursor import When
from whoknew.eventlog.errors import Conflict
from whoknew.eventlog.kinds import Answered, Called, Failed, Kind, Probed


class Asked(Struct, frozen=True, kw_only=True):
    """What a character answered, and the events that this rests on. It could read `read` events;
    of those up to its cursor it was not allowed `unseen`, and none of the `later` ones. `probe` is
    the seq under which the question is kept; `unkept` why it could not be."""

    world: str
    character: str
    cursor: int
    question: str
    answer: str | None
    rests_on: tuple[Event, ...]
    read: int
    unseen: int
    later: int
    model: str
    memory: str
    method: str
    calls: tuple[Called, ...]
    error: str | None = None
    probe: int | None = None
    unkept: str | None = None


async def ask(
    log: Log,
    world: str,
    character: str,
    question: str,
    at: When = "end",
    *,
    model: str = OFFLINE,
    memory: str = "entire",
    method: str = "plain",
    settings: ModelSettings | None = None,
    dropped: Callable[[Asked], Awaitable[object]] | None = None,
) -> Asked:
    """The answer that a character gives from its view alone. Nothing is written. Cancelled while a
    call is in flight, it hands what there is to `dropped` first: the call may have been paid for.
    """
    if not question.strip():
        raise BadQuestion("there is no question: give one")
    _check(memory, "memory", tuple(MEMORIES))
    _check(method, "method", tuple(METHODS))
    view = await log.view(world, character, at)
    head = (await log.lineage.find(world)).head
    async with AsyncExitStack() as opened:
        journal = Journal(await model_at(model, settings or ModelSettings(), opened))
        seat = Seat(memory=memory, method=method)
        respondent = Respondent(journal, memory_of(seat), method_of(seat))

        def asked(answer: str | None, rests_on: Sequence[Event], error: str | None) -> Asked:
            return Asked(
                world=world,
                character=character,
                cursor=view.cursor.seq,
                question=question,
                answer=answer,
                rests_on=tuple(rests_on),
                read=len(view),
                unseen=view.cursor.seq - len(view),
                later=head - view.cursor.seq,
                model=journal.name,
                memory=memory,
                method=method,
                calls=tuple(journal.calls),
                error=error,
            )

        try:
            given = await respondent.answer(view, question)
        except (BadAnswer, ModelError) as failure:
            return asked(None, (), str(failure))
        except asyncio.CancelledError:
            if dropped is not None and journal.calls:
                await dropped(asked(None, (), DROPPED))
            raise
        events = [(await view.events(place - 1, place))[0] for place in given.rests_on]
        return asked(given.answer, events, None)


async def keep(log: Log, asked: Asked) -> Asked:
    """Write a question and its answer into the world, in one batch, witnessed by nobody."""
    who = asked.character
    if asked.answer is None:
        result: Kind = Failed("answer", asked.error or "there was no answer")
    else:
        result = Answered(asked.answer, tuple(event.seq for event in asked.rests_on))
    while True:
        head = (await log.lineage.find(asked.world)).head
        drafts = [Draft(Probed(who, asked.cursor, asked.question))]
        drafts += [Draft(one, actor=who, cause=head + 1) for one in (*asked.calls, result)]
        try:
            await log.append(asked.world, drafts, expect=exactly(head))
        except Conflict:
            continue  # another process appended meanwhile
        return msgspec.structs.replace(asked, probe=head + 1)


class Journal:
    """A model whose calls are noted, each with what came of it."""

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self.calls: list[Called] = []
        self._model, self._price = model, price_of(model.name)

    async def complete(self, request: Request) -> Reply:
        try:
            reply = await self._model.complete(request)
        except ModelError as error:
            self.calls.append(
                unanswered(request, self._model, request.digest, str(error), error.attempts)
            )
            raise
        except asyncio.CancelledError:
            self.calls.append(unanswered(request, self._model, request.digest, DROPPED))
            raise
        self.calls.append(called(request, self._model, request.digest, reply, self._price, None))
        return reply


def _check(name: str, what: str, there: tuple[str, ...]) -> None:
    if name not in there:
        raise BadQuestion(f"there is no {what} {name!r}: take one of {', '.join(there)}")
