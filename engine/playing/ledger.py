"""Every call of a chain, on the log: made once, paid once (laws 6 and 8)."""

from __future__ import annotations

import asyncio
import zlib
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from datetime import datetime

import msgspec

from whoknew.agents.errors import ModelError
from whoknew.agents.models.model import Model, Reply, Request, with_tokens
from whoknew.agents.models.prices import Price
from whoknew.agents.models.recorded import reply_of
from whoknew.eventlog import Draft
from whoknew.eventlog.errors import LogError
from whoknew.eventlog.kinds import Called

NOBODY = ""
"""Asks what none of the characters asks: a judge."""

DROPPED = "dropped: the run was stopped at once, before an answer came"
"""Why a call has no answer that was in flight when its run was cancelled."""

Append = Callable[[Sequence[Draft]], Awaitable[None]]
Calling = Callable[[str, str, Price | None, Request], AbstractAsyncContextManager[None]]


class Ledger:
    """What a turn's calls were answered is kept until the turn is over: a turn that is played
    again, after the process was killed, gets the same answers and pays for none of them.

    An answer is written before the next call is made, or together with the action that it led to.
    `calling` stands around each call, given who calls which model, at what price, with what, and may
    refuse it. Cancelled, a call that is in flight is written down as dropped: it may have been paid
    for.
    """

    def __init__(
        self,
        append: Append,
        calling: Calling,
        *,
        keep_prompts: bool,
    ) -> None:
        self._append, self._calling, self._keep_prompts = append, calling, keep_prompts
        self._answered: dict[tuple[str, str], deque[Called]] = {}
        self._held: list[Draft] = []
        self._episode = self._turn = 0
        self._at: datetime | None = None
        self._alone = True

    def begin(self, episode: int, turn: int, at: datetime, *, alone: bool) -> None:
        """A turn begins. Where only one character acts, its last answer may wait for the action."""
        self._episode, self._turn, self._at, self._alone = episode, turn, at, alone

    def resume(self, calls: Iterable[tuple[str, Called]]) -> None:
        """The answers that the turn in hand has had already."""
        self._answered.clear()
        for who, one in calls:
            self._answered.setdefault((who, one.digest), deque()).append(one)

    def take(self) -> list[Draft]:
        """The answers not yet written: they go first in the batch of the turn."""
        held, self._held = self._held, []
        self._answered.clear()
        return held

    async def call(self, who: str, model: Model, price: Price | None, request: Request) -> Reply:
        digest = request.digest
        if answered := self._answered.get((who, digest)):
            return reply_of(answered.popleft())
        if self._held:
            await self.write()
        try:
            async with self._calling(who, model.name, price, request):
                reply = with_tokens(request, await model.complete(request))
        except ModelError as error:
            self._hold(who, unanswered(request, model, digest, str(error), error.attempts))
            await self.write()
            raise
        except asyncio.CancelledError:
            self._hold(who, unanswered(request, model, digest, DROPPED))
            with suppress(LogError):  # it ends at once, also where nothing can be written any more
                await self.write()
            raise
        self._hold(who, called(request, model, digest, reply, price, self._kept(request)))
        if not self._alone:
            await self.write()
        return reply

    async def write(self, after: Sequence[Draft] = ()) -> None:
        """Write the answers that still wait for what they lead to, and what comes after them."""
        held, self._held = self._held, []
        if held or after:
            await self._append([*held, *after])

    def _hold(self, who: str, what: Called) -> None:
        self._held.append(
            Draft(what, at=self._at, episode=self._episode, turn=self._turn, actor=who or None)
        )

    def _kept(self, request: Request) -> bytes | None:
        return zlib.compress(request.prompt) if self._keep_prompts else None


class LoggedModel:
    """A model as one character of one chain calls it: through the ledger."""

    def __init__(self, who: str, model: Model, price: Price | None, ledger: Ledger) -> None:
        self.name = model.name
        self._who, self._model, self._price, self._ledger = who, model, price, ledger

    async def complete(self, request: Request) -> Reply:
        return await self._ledger.call(self._who, self._model, self._price, request)


def called(
    request: Request,
    model: Model,
    digest: str,
    reply: Reply,
    price: Price | None,
    prompt: bytes | None,
) -> Called:
    """A call that was answered, as an event."""
    return Called(
        purpose=request.purpose,
        model=reply.model or model.name,
        digest=digest,
        reply=reply.text,
        parameters=msgspec.to_builtins(request.sampling),
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        seconds=reply.seconds,
        attempts=reply.attempts,
        money=price.money(reply.tokens_in, reply.tokens_out) if price else None,
        prompt=prompt,
        ended=reply.ended,
        counted=reply.counted,
    )


def unanswered(request: Request, model: Model, digest: str, why: str, attempts: int = 1) -> Called:
    """A call that was not, as an event."""
    return Called(
        purpose=request.purpose,
        model=model.name,
        digest=digest,
        parameters=msgspec.to_builtins(request.sampling),
        attempts=attempts,
        error=why,
    )
