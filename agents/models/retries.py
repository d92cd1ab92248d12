"""Calls that are made again: what failed for now, after a while; what is refused for good, never."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

from msgspec.structs import replace
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt
from tenacity.wait import wait_base, wait_exponential

from whoknew.agents.errors import Busy, ModelError, ServerUnavailable
from whoknew.agents.models.model import Model, Reply, Request


class Retrying:
    """A model whose calls are made up to `attempts` times. Where the server says when to come
    back it is taken at its word; more than `longest` seconds are not waited."""

    def __init__(
        self,
        model: Model,
        attempts: int = 6,
        longest: float = 120.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.name = model.name
        self._model, self._attempts, self._longest, self._sleep = model, attempts, longest, sleep
        self._wait = WaitBeforeRetry(chance)

    async def complete(self, request: Request) -> Reply:
        """The first attempt is made as it is: nearly all calls need no more."""
        try:
            return await self._model.complete(request)
        except ServerUnavailable as error:
            return await self._insist(request, error)

    async def _insist(self, request: Request, first: ModelError) -> Reply:
        failures: list[ModelError] = []
        retrying = AsyncRetrying(
            stop=stop_after_attempt(self._attempts),
            wait=self._wait,
            retry=retry_if_exception_type(ServerUnavailable),
            sleep=self._sleep,
            reraise=True,
            before_sleep=lambda state: _bounded(state, self._longest),
        )
        try:
            reply: Reply = await retrying(self._tried, request, first, failures)
        except ModelError as error:
            error.attempts = len(failures)
            raise
        return replace(reply, attempts=len(failures) + 1)

    async def _tried(
        self, request: Request, first: ModelError, failures: list[ModelError]
    ) -> Reply:
        """One attempt; the first has been made already, and failed."""
        try:
            if not failures:
                raise first
            return await self._model.complete(request)
        except ModelError as error:
            failures.append(error)
            raise


class WaitBeforeRetry(wait_base):
    """Longer with every failure, and never quite as long as somebody else; or as long as asked."""

    def __init__(self, chance: Callable[[], float]) -> None:
        self._chance, self._growing = chance, wait_exponential(multiplier=1, max=30)

    def __call__(self, retry_state: RetryCallState) -> float:
        error = retry_state.outcome.exception() if retry_state.outcome else None
        jitter = 0.5 + self._chance()
        if isinstance(error, Busy) and error.after is not None:
            return error.after + jitter
        return self._growing(retry_state) * jitter


def _bounded(state: RetryCallState, longest: float) -> None:
    """Who is told to come back after hours does not wait, but says so."""
    wait = state.next_action.sleep if state.next_action else 0.0
    if wait > longest + 2 and state.outcome is not None:
        asked = f"{state.outcome.exception()} It asks for a wait of {wait:.0f} seconds"
        raise ServerUnavailable(f"{asked}, more than the {longest:.0f} that are waited at most")
