"""How fast a model may be called: so many at once, so many requests and tokens a minute. By one process,
or by all that share a log."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Protocol

import msgspec
from msgspec import Struct

from whoknew.agents.models.model import EMBED, Model, Reply, Request, prompt_tokens, with_tokens
from whoknew.agents.models.shared_limits import SharedLimits
from whoknew.eventlog.logger import logger

Sleep = Callable[[float], Awaitable[None]]

EXPECTED = 500
"""Tokens that a reply is taken to have, until it is here, where the request sets no limit."""


TOLD = 1.0
"""Seconds from which on a wait is told of: with a limit, most calls wait a little."""


class Limits(Struct, frozen=True):
    """None is no limit."""

    at_once: int | None = None
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None


class CallSeats(Protocol):
    """Lets so many in at once."""

    async def acquire(self) -> None: ...

    async def release(self) -> None: ...


class CallBudget(Protocol):
    """Lets so much pass a minute; of what was taken and not used some is given back."""

    async def take(self, amount: float) -> None: ...

    def give(self, amount: float) -> None: ...


class Limited:
    """A model that keeps to its limits. Who asks first goes first."""

    def __init__(
        self,
        model: Model,
        limits: Limits,
        clock: Callable[[], float] = monotonic,
        sleep: Sleep = asyncio.sleep,
        shared: SharedLimits | None = None,
    ) -> None:
        """Where the limits are `shared`, all processes keep to them together."""
        self.name = model.name
        self._model, self._limits, self._clock = model, limits, clock
        self._sleep, self._shared = sleep, shared
        self._seats: CallSeats | None = None
        self._requests: CallBudget | None = None
        self._tokens: CallBudget | None = None
        self._ready = False

    async def complete(self, request: Request) -> Reply:
        if not self._ready:
            self._make_ready()
        if self._seats is None:
            return await self._paced(request)
        await self._waited("at_once", self._seats.acquire())
        try:
            return await self._paced(request)
        finally:
            await self._seats.release()

    def _make_ready(self) -> None:
        """At the first call: whether others share the limits is known once the log is open."""
        at_once, requests, tokens = msgspec.structs.astuple(self._limits)
        self._ready = True
        if (shared := self._shared) and shared.slices:
            self._seats = shared.seats(self.name, at_once) if at_once else None
            self._requests = shared.bucket(f"requests {self.name}", requests) if requests else None
            self._tokens = shared.bucket(f"tokens {self.name}", tokens) if tokens else None
        else:
            self._seats = LocalSeats(at_once) if at_once else None
            self._requests = Bucket(requests, self._clock, self._sleep) if requests else None
            self._tokens = Bucket(tokens, self._clock, self._sleep) if tokens else None

    async def _paced(self, request: Request) -> Reply:
        if self._requests:
            await self._waited("requests_per_minute", self._requests.take(1))
        if self._tokens is None:
            return await self._model.complete(request)
        expected = _expected(request)
        await self._waited("tokens_per_minute", self._tokens.take(expected))
        reply = await self._model.complete(request)
        reply = with_tokens(request, reply)
        self._tokens.give(expected - (reply.tokens_in or 0) - (reply.tokens_out or 0))
        return reply

    async def _waited(self, limit: str, leave: Awaitable[object]) -> None:
        begun = self._clock()
        await leave
        if (seconds := self._clock() - begun) >= TOLD:
            why = f"{limit} = {getattr(self._limits, limit)}"
            logger().info("call.waited", model=self.name, seconds=round(seconds, 1), why=why)


class LocalSeats:
    """So many at once in this process."""

    def __init__(self, most: int) -> None:
        self._free = asyncio.Semaphore(most)

    async def acquire(self) -> None:
        await self._free.acquire()

    async def release(self) -> None:
        self._free.release()


class Bucket:
    """Fills at a steady rate up to a minute's worth; whoever takes more than is there waits.

    Cancelled while waiting, one has taken nothing.

    By hand, because what a call takes is known only when its reply is here: it must be possible to
    give back, and to owe. aiolimiter takes nothing back, refuses more than a full bucket, and has no
    clock but the loop's.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float], sleep: Sleep) -> None:
        self._rate, self._full = per_minute / 60, float(per_minute)
        self._clock, self._sleep = clock, sleep
        self._level, self._at = self._full, clock()
        self._turn = asyncio.Lock()

    async def take(self, amount: float) -> None:
        """Who needs more than a full bucket waits for a full one, and leaves it in debt."""
        async with self._turn:
            while (lacking := min(amount, self._full) - self._filled()) > 1e-9:
                await self._sleep(lacking / self._rate)
            self._level -= amount

    def give(self, amount: float) -> None:
        self._level = min(self._full, self._filled() + amount)

    def _filled(self) -> float:
        now = self._clock()
        self._level = min(self._full, self._level + (now - self._at) * self._rate)
        self._at = now
        return self._level


def _expected(request: Request) -> float:
    reply = 0 if request.purpose == EMBED else request.sampling.max_tokens or EXPECTED
    return prompt_tokens(request) + reply
