"""Every call of a chain, on the log: made once, paid once (laws 6 and 8)."""

from __future__ import annotations

import asyncio
import zlib
from collections import deque
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from whoknew.agents.errors import AgentError, ModelError
from whoknew.agents.models.model import Model, Reply, Request, Sampling, with_tokens
from whoknew.agents.models.prices import Price
from whoknew.agents.models.recorded import reply_of
from whoknew.engine.playing.allowance import Allowance
from whoknew.engine.playing.chain_log import ChainLog
from whoknew.eventlog import Draft
from whoknew.eventlog.frozen_dict import FrozenDict, frozen
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.logger import logged_with
from whoknew.eventlog.machinery import CallOccasion, LineRefused

if TYPE_CHECKING:  # its words are looked at: not loaded where nobody does
    from whoknew.engine.playing.scanning import PromptCheck

NOBODY = ""
"""Asks what none of the characters asks: a judge."""

DROPPED = "dropped: it was stopped at once, before an answer came"
"""Why a call has no answer that was in flight when its run was cancelled."""


class Ledger:
    """What a turn's calls were answered is kept until the turn is over: a turn that is played
    again, after the process was killed, gets the same answers and pays for none of them.

    Of what `check` finds in a prompt that tells too much, nothing is sent.

    An answer is written before the next call is made, or together with the action that it led to.
    Cancelled, a call that is in flight is held as dropped, for it may have been paid for: whoever
    plays the turn writes what is held when it ends.
    """

    def __init__(
        self,
        log: ChainLog,
        allowance: Allowance,
        *,
        keep_prompts: bool,
        check: PromptCheck | None = None,
    ) -> None:
        self._log, self._allowance, self._keep_prompts = log, allowance, keep_prompts
        self._check = check
        self._answered: dict[tuple[str, str], deque[Called]] = {}
        self._refused: dict[str, deque[str]] = {}
        self._episode = self._turn = 0
        self._at: datetime | None = None
        self._alone = True
        self._occasion: CallOccasion = "act"

    def begin(
        self,
        episode: int,
        turn: int,
        at: datetime,
        *,
        alone: bool,
        occasion: CallOccasion = "act",
    ) -> None:
        """A turn begins, or what comes before it, or the close of an episode, at which all remember;
        or it goes on with the answers that it has had already. Where only one character acts, its
        last answer may wait for the action."""
        self._episode, self._turn, self._at = episode, turn, at
        self._alone, self._occasion = alone, occasion
        self._answered.clear()
        for who, one in self._log.state.pending:
            self._answered.setdefault((who, one.digest), deque()).append(one)
        self._refused.clear()
        for who, line in self._log.state.refused:
            self._refused.setdefault(who, deque()).append(line)

    async def call(self, who: str, model: Model, price: Price | None, request: Request) -> Reply:
        if self._check is None or who == NOBODY:
            return await self._call(who, model, price, request)
        await self._check.check(who, request)
        reply = await self._call(who, model, price, request)
        self._check.replied(who, reply.text)
        return reply

    async def _call(self, who: str, model: Model, price: Price | None, request: Request) -> Reply:
        digest = request.digest
        if answered := self._answered.get((who, digest)):
            return reply_of(answered.popleft())
        await self._log.append()
        acting = who != NOBODY and self._occasion != "remember"
        try:
            leave = self._allowance.leave(who, model.name, price, request, acting=acting)
            with await leave:
                reply = await self._replied(who, model, request)
        except Exception:
            await self._log.append()
            raise
        kept, occasion = self._kept(request), self._occasion_of(who)
        self._hold(who, called(request, model, digest, reply, price, kept, occasion))
        if not self._alone:
            await self._log.append()
        return reply

    def refuse(self, who: str, line: LineRefused) -> None:
        """A line that somebody is not let say is written down with the call that it came of."""
        self._hold(who, line)

    def was_refused(self, who: str, line: str) -> bool:
        """Whether this line was refused when the turn was played before: asked once for each time."""
        lines = self._refused.get(who)
        if not lines or lines[0] != line:
            return False
        lines.popleft()
        return True

    async def _replied(self, who: str, model: Model, request: Request) -> Reply:
        """What the model answers. Whatever it does instead, the call was made, and is held."""
        try:
            with logged_with(episode=self._episode, turn=self._turn, character=who or None):
                return with_tokens(request, await model.complete(request))
        except asyncio.CancelledError:
            occasion = self._occasion_of(who)
            self._hold(who, unanswered(request, model, DROPPED, occasion=occasion))
            raise
        except Exception as error:
            self._hold(who, failed(request, model, error, self._occasion_of(who)))
            raise

    def _hold(self, who: str, what: Called | LineRefused) -> None:
        self._log.hold(
            Draft(what, at=self._at, episode=self._episode, turn=self._turn, actor=who or None)
        )

    def _occasion_of(self, who: str) -> CallOccasion:
        return self._occasion if who != NOBODY else ""

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
    occasion: CallOccasion = "",
) -> Called:
    """A call that was answered, as an event."""
    return Called(
        purpose=request.purpose,
        model=reply.model or model.name,
        digest=digest,
        reply=reply.text,
        parameters=_parameters(request.sampling),
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        seconds=reply.seconds,
        attempts=reply.attempts,
        money=price.money(reply.tokens_in, reply.tokens_out) if price else None,
        prompt=prompt,
        ended=reply.ended,
        counted=reply.counted,
        left_out=_left_out(request),
        occasion=occasion,
    )


def unanswered(
    request: Request, model: Model, why: str, *, attempts: int = 1, occasion: CallOccasion = ""
) -> Called:
    """A call that was not answered, or whose answer broke off, as an event: nothing is kept of what
    had come of it."""
    return Called(
        purpose=request.purpose,
        model=model.name,
        digest=request.digest,
        parameters=_parameters(request.sampling),
        attempts=attempts,
        error=why,
        left_out=_left_out(request),
        occasion=occasion,
    )


def failed(request: Request, model: Model, error: Exception, occasion: CallOccasion = "") -> Called:
    """A call that came to an error, as where its connection broke in mid-answer, as an event."""
    why = str(error) if isinstance(error, AgentError) else f"{type(error).__name__}: {error}"
    attempts = error.attempts if isinstance(error, ModelError) else 1
    return unanswered(request, model, why, attempts=attempts, occasion=occasion)


@lru_cache(256)
def _parameters(sampling: Sampling) -> FrozenDict[str, Any]:
    found: FrozenDict[str, Any] = frozen(msgspec.to_builtins(sampling))
    return found


def _left_out(request: Request) -> int:
    return request.sections.left_out if request.sections else 0
