"""Calls that are made again: what failed for now, after a while; what is refused for good, never."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from functools import partial
from typing import NoReturn

from msgspec.structs import replace
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    wait_exponential,
)
from tenacity.stop import stop_base
from tenacity.wait import wait_base

from whoknew.agents.errors import Busy, ModelError, NotCalled, ServerUnavailable
from whoknew.agents.models.model import Model, Reply, Request
from whoknew.eventlog.logger import logger


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
        telling: Callable[[str, str], None] = lambda model, why: None,
    ) -> None:
        """`telling` is told of each call that will be made again: of which model, and why; and when
        one was answered then, without a why."""
        self.name = model.name
        self._model, self._telling = model, telling
        self._retrying = AsyncRetrying(
            retry=retry_if_exception_type(ServerUnavailable),
            wait=WaitAsAsked(chance),
            stop=stop_after_attempt(attempts) | StopIfTooLong(longest),
            before_sleep=self._tell,
            retry_error_callback=partial(_give_up, longest),
            sleep=sleep,
        )

    async def complete(self, request: Request) -> Reply:
        try:
            reply = await self._model.complete(request)
        except NotCalled:
            return await self._once_more(request)
        except ServerUnavailable as error:
            failure = error
        except ModelError as error:
            error.attempts = 1
            raise
        else:
            return reply if reply.attempts == 1 else replace(reply, attempts=1)
        return await self._again(request, failure)

    async def _once_more(self, request: Request) -> Reply:
        """No server is to blame for the first: it costs none of the attempts, and is one that was made."""
        try:
            reply = await self.complete(request)
        except ModelError as error:
            error.attempts += 1
            raise
        return replace(reply, attempts=reply.attempts + 1)

    async def _again(self, request: Request, first: ServerUnavailable) -> Reply:
        """The same, gone on with after a first failure: most calls need nothing of this. Whatever ends a wait
        has the last failure for its cause."""
        failed, lost = list[ServerUnavailable](), 0

        async def complete(request: Request) -> Reply:
            nonlocal lost
            try:
                if not failed:
                    raise first
                while True:
                    try:
                        return await self._model.complete(request)
                    except NotCalled:
                        lost += 1
            except ServerUnavailable as error:
                failed.append(error)
                raise

        retrying = self._retrying.copy()  # its statistics are of this one call
        try:
            reply: Reply = await retrying(complete, request)
        except ModelError as error:
            error.attempts = retrying.statistics["attempt_number"] + lost
            raise
        except Exception as stopped:
            failed[-1].attempts = len(failed) + lost
            raise stopped from failed[-1]
        self._telling(self.name, "")
        return replace(reply, attempts=retrying.statistics["attempt_number"] + lost)

    def _tell(self, state: RetryCallState) -> None:
        self._telling(self.name, str(_failure(state)))
        logger().info(
            "call.retried",
            model=self.name,
            purpose=state.args[0].purpose,
            attempt=state.attempt_number,
            seconds=round(state.upcoming_sleep, 1),
            why=str(_failure(state)),
        )


class WaitAsAsked(wait_base):
    """How long to wait between tries, before a call is made again (after a 503, say): as long as the
    server asks, else longer with every failure; and never quite as long as somebody else, so that
    not all come back at once."""

    def __init__(self, chance: Callable[[], float]) -> None:
        self._chance, self._growing = chance, wait_exponential(multiplier=1, max=30)

    def __call__(self, retry_state: RetryCallState) -> float:
        asked, jitter = _asked(_failure(retry_state)), 0.5 + self._chance()
        return self._growing(retry_state) * jitter if asked is None else asked + jitter


class StopIfTooLong(stop_base):
    """Who is told to come back after hours does not wait."""

    def __init__(self, longest: float) -> None:
        self._longest = longest

    def __call__(self, retry_state: RetryCallState) -> bool:
        return (_asked(_failure(retry_state)) or 0.0) > self._longest


def _give_up(longest: float, state: RetryCallState) -> NoReturn:
    """Raise what the last attempt came to; and say so where it asks for a longer wait."""
    error = _failure(state)
    asked = _asked(error)
    if asked is None or asked <= longest:
        raise error
    raise Busy(
        f"{error} It asks for a wait of {asked:.0f} seconds, more than the {longest:.0f} that are "
        "waited at most",
        asked,
    )


def _failure(state: RetryCallState) -> BaseException:
    """What the last attempt came to: only a failure is ever tried again."""
    assert state.outcome is not None
    error = state.outcome.exception()
    assert error is not None
    return error


def _asked(error: BaseException) -> float | None:
    """The seconds that a server asks to wait."""
    return error.after if isinstance(error, Busy) else None
