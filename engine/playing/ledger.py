"""Every call of a chain, on the log: made once, paid once (laws 6 and 8)."""

from __future__ import annotations

import asyncio
import zlib
from collections import deque
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from whoknew.agents.errors import (
    AgentError,
    BadReply,
    Busy,
    ModelError,
    NotRecorded,
    Rejected,
    ServerUnavailable,
)
from whoknew.agents.models.model import Model, Reply, Request, Sampling, with_tokens
from whoknew.agents.models.prices import NOTHING, Price
from whoknew.agents.models.recorded import reply_of
from whoknew.engine.playing.allowance import Allowance
from whoknew.engine.playing.chain_log import ChainLog
from whoknew.eventlog import Draft
from whoknew.eventlog.frozen_dict import FrozenDict, frozen
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.logger import logged_with
from whoknew.eventlog.machinery import CallOccasion, CallStarted, LineRefused

if TYPE_CHECKING:  # its words are looked at: not loaded where nobody does
    from whoknew.engine.playing.scanning import PromptCheck

NOBODY = ""
"""Asks what none of the characters asks: a judge."""

DROPPED = "dropped: it was stopped at once, before an answer came"
"""Why a call has no answer that was in flight when its run was cancelled."""


class Ledger:
    """What a turn's calls were answered is kept until the turn is over: a turn that is played
    again, after the process was killed, gets the same answers and pays for none of them. What was no
    reply is none again: it counts as often.

    What may be shared is asked once of all that ask it at once in a turn: the others have a record that
    names that call.

    Of what `check` finds in a prompt that tells too much, nothing is sent.

    An answer is written before the next call is made, or together with the action that it led to.
    On a log that several processes write, that a call is started is written before it is made.

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
        self._asking: dict[tuple[str, str], asyncio.Event] = {}
        self._named: dict[tuple[str, str], str] = {}
        """What the model called itself that was asked what may be shared, by its name and the digest."""
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
        self._named.clear()
        for who, one, _ in self._log.state.pending:
            self._answered.setdefault((who, one.digest), deque()).append(one)
        self._refused.clear()
        for who, line in self._log.state.refused:
            self._refused.setdefault(who, deque()).append(line)

    async def call(self, who: str, model: Model, price: Price | None, request: Request) -> Reply:
        check = None if who == NOBODY else self._check
        if check is not None and check.is_due(request):
            await check.check(who, request)
        if answered := self._answered.get((who, request.digest)):
            reply = reply_of(answered.popleft())
        elif request.shared and not self._alone:
            reply = await self._asked_once(who, model, price, request)
        else:
            reply = await self._asked(who, model, price, request)
        if check is not None:
            check.replied(who, reply.text)
        return reply

    async def _asked_once(
        self, who: str, model: Model, price: Price | None, request: Request
    ) -> Reply:
        digest = request.digest
        key = (model.name, digest)
        while asking := self._asking.get(key):
            await asking.wait()
        if known := self._known(model, digest):
            self._hold(who, known)
            await self._log.append()
            return reply_of(known)
        self._asking[key] = asyncio.Event()
        try:
            reply = await self._asked(who, model, price, request)
            self._named[key] = reply.model or model.name
        finally:
            self._asking.pop(key).set()
        return reply

    def _known(self, model: Model, digest: str) -> Called | None:
        """The record of one more who asks this in the same turn, where another was answered."""
        named = self._named.get((model.name, digest), model.name)
        for who, one, seq in self._log.state.pending:
            same = (one.digest, one.model, one.answered_by) == (digest, named, 0)
            if same and not one.no_reply and who != NOBODY:
                return answered_by(one, seq)
        return None

    async def _asked(self, who: str, model: Model, price: Price | None, request: Request) -> Reply:
        if self._log.is_due:
            await self._log.append()
        occasion = self._occasion if who != NOBODY else ""
        acting = occasion in ("act", "before_turn")
        try:
            leave = self._allowance.leave(who, model.name, price, request, acting=acting)
            with await leave:
                if self._log.is_shared:
                    self._hold(who, self._allowance.started(model.name, price, request))
                    await self._log.append()
                reply = await self._replied(who, model, price, request, occasion)
        except Exception:
            await self._log.append()
            raise
        self._hold(who, called(request, model, reply, price, self._kept(request), occasion))
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

    async def _replied(
        self,
        who: str,
        model: Model,
        price: Price | None,
        request: Request,
        occasion: CallOccasion,
    ) -> Reply:
        """What the model answers. Whatever it does instead, the call was made, and is held."""
        try:
            with logged_with(episode=self._episode, turn=self._turn, character=who or None):
                return with_tokens(request, await model.complete(request))
        except asyncio.CancelledError:
            self._hold(who, unanswered(request, model, price, DROPPED, occasion=occasion))
            raise
        except Exception as error:
            self._hold(who, failed(request, model, price, error, occasion))
            raise

    def _hold(self, who: str, what: Called | CallStarted | LineRefused) -> None:
        self._log.hold(
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
    reply: Reply,
    price: Price | None,
    prompt: bytes | None,
    occasion: CallOccasion = "",
) -> Called:
    """A call that was answered, as an event."""
    return Called(
        purpose=request.purpose,
        model=reply.model or model.name,
        digest=request.digest,
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


def answered_by(called: Called, seq: int) -> Called:
    """The record of one more who asked what was answered at a seq: nothing was sent, so that its tokens
    and its money count once."""
    return replace(called, seconds=None, attempts=0, prompt=None, leaks=0, answered_by=seq)


def unanswered(
    request: Request,
    model: Model,
    price: Price | None,
    why: str,
    *,
    attempts: int = 1,
    occasion: CallOccasion = "",
    no_reply: bool = False,
) -> Called:
    """A call that was not answered, or whose answer broke off, as an event: nothing is kept of what
    had come of it. What a server bills for that nobody says."""
    return Called(
        purpose=request.purpose,
        model=model.name,
        digest=request.digest,
        parameters=_parameters(request.sampling),
        attempts=attempts,
        error=why,
        money=price.money(None, None) if price else None,
        left_out=_left_out(request),
        occasion=occasion,
        no_reply=no_reply,
    )


def failed(
    request: Request,
    model: Model,
    price: Price | None,
    error: Exception,
    occasion: CallOccasion = "",
) -> Called:
    """A call that came to an error, as where its connection broke in mid-answer, as an event. What a
    server refused it does not bill. One that is not made again, as all is to stop, came to its last error."""
    why = str(error) if isinstance(error, AgentError) else f"{type(error).__name__}: {error}"
    if isinstance(last := error.__cause__, ServerUnavailable):
        because = "" if str(last) == str(error) else f": {error}"
        error, why = last, f"{last}; not made again{because}"
    attempts = error.attempts if isinstance(error, ModelError) else 1
    cost = NOTHING if isinstance(error, REFUSED) else price
    no_reply = isinstance(error, BadReply)
    return unanswered(
        request, model, cost, why, attempts=attempts, occasion=occasion, no_reply=no_reply
    )


REFUSED = (Busy, Rejected, NotRecorded)


@lru_cache(256)
def _parameters(sampling: Sampling) -> FrozenDict[str, Any]:
    found: FrozenDict[str, Any] = frozen(msgspec.to_builtins(sampling))
    return found


def _left_out(request: Request) -> int:
    return request.sections.left_out if request.sections else 0
