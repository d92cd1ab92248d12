"""The calls that one cell makes, one review, or one step of a memory: each is on the log before the next is made, so that
whoever goes on with it gets the same answers, and pays for none of them (laws 6 and 8)."""

from __future__ import annotations

import asyncio
import zlib
from collections import deque
from collections.abc import Callable

from msgspec.structs import replace

from whoknew.agents.errors import PastWindow, Rejected
from whoknew.agents.models.model import Model, Reply, Request, with_tokens
from whoknew.agents.models.prices import Price
from whoknew.agents.models.recorded import reply_of
from whoknew.agents.weights.training import TRAIN
from whoknew.engine import registry
from whoknew.engine.exams.cell_scan import CellScan
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.shared_calls import SharedCalls
from whoknew.engine.playing.allowance import Allowance, Writing
from whoknew.engine.playing.ledger import DROPPED, NOBODY, called, failed, unanswered
from whoknew.eventlog.kinds import Called
from whoknew.eventlog.machinery import LineRefused

Counting = Callable[[Called], None]
"""Is told of each call that is on the log."""


def check_weights(name: str, request: Request) -> None:
    """Refuse to ask a model by weights that it cannot have, or to have it trained."""
    if (request.adapter or request.purpose == TRAIN) and not registry.model(name).takes_adapters:
        what = "cannot be trained" if request.purpose == TRAIN else "answers by no adapter"
        raise Rejected(f'{name} {what}: give a model in this process (model = "local:PATH")')


class CellCalls:
    """What is `held` is of calls that are over and not on the log: it goes in with what comes of
    them, or before the next is made. `cause` is the seq of what they are about: an answer, a memory."""

    def __init__(
        self,
        *,
        log: ExamLog,
        key: str,
        allowance: Allowance,
        spent: Counting,
        keep_prompts: bool,
        cause: int | None = None,
        shared: SharedCalls | None = None,
    ) -> None:
        self._shared = shared
        self.key, self.held = key, list[Called | LineRefused]()
        self._log, self._allowance, self._spent = log, allowance, spent
        self._keep_prompts, self._cause = keep_prompts, cause
        self.scan: CellScan | None = None
        """Looks at what is asked of a character before it is sent."""
        self._answered: dict[str, deque[Called]] = {}
        self._refused = deque[str]()
        self._saving = asyncio.Lock()
        self._to_share: list[tuple[str, Called]] = []
        """Of what is held what others may make use of, each with the name of its model."""

    async def resume(self) -> None:
        """Take what was answered and refused before, where this is gone on with, and what was no reply."""
        for event in await self._log.calls(self.key):
            body = event.body
            if isinstance(body, Called) and (body.reply is not None or body.no_reply):
                self._answered.setdefault(body.digest, deque()).append(body)
            elif isinstance(body, LineRefused):
                self._refused.append(body.text)

    async def complete(
        self, who: str, model: Model, price: Price | None, request: Request
    ) -> Reply:
        digest = request.digest
        if answered := self._answered.get(digest):
            return self._noted(who, reply_of(answered.popleft()))
        leaks = await self.scan.leaks(request) if self.scan and who != NOBODY else 0
        if self._shared is None or not request.shared:
            return await self._asked(who, model, price, request, leaks)
        async with self._shared.turn(model.name, digest):
            if known := await self._shared.find(model.name, digest):
                self.held.append(replace(known, leaks=leaks))
                return self._noted(who, reply_of(known))
            reply = await self._asked(who, model, price, request, leaks)
            if isinstance(made := self.held[-1], Called):
                self._to_share.append((model.name, made))
            await self.save()
            return reply

    async def _asked(
        self, who: str, model: Model, price: Price | None, request: Request, leaks: int
    ) -> Reply:
        await self.save()
        with await self._allowance.leave(who, model.name, price, request, acting=False):
            if self._log.is_shared:
                started = self._allowance.started(model.name, price, request, self.key)
                await self._log.started(started)
            reply = await self._replied(model, price, request)
        kept = zlib.compress(request.prompt) if self._keep_prompts else None
        what = called(request, model, reply, price, kept)
        self.held.append(replace(what, leaks=leaks) if leaks else what)
        return self._noted(who, reply)

    def _noted(self, who: str, reply: Reply) -> Reply:
        if self.scan and who != NOBODY:
            self.scan.replied(reply.text)
        return reply

    async def _replied(self, model: Model, price: Price | None, request: Request) -> Reply:
        """What the model answers. Whatever it does instead, the call was made, and is held."""
        try:
            check_weights(model.name, request)
            return with_tokens(request, await model.complete(request))
        except PastWindow:
            raise  # nothing was asked
        except asyncio.CancelledError:
            self.held.append(unanswered(request, model, price, DROPPED))
            raise
        except Exception as error:
            self.held.append(failed(request, model, price, error))
            raise

    def refuse(self, line: LineRefused) -> None:
        """An answer that does not count is written down with the call that it came of."""
        self.held.append(line)

    def was_refused(self, text: str) -> bool:
        """Whether this was refused before: asked once for each time."""
        if not self._refused or self._refused[0] != text:
            return False
        self._refused.popleft()
        return True

    async def save(self) -> None:
        """Write what is held, before anything comes of it. Calls can be made side by side: they are
        written one after another."""
        if not (self.held or self._saving.locked()):
            return
        async with self._saving:
            if not self.held:
                return
            sharing, self._to_share = self._to_share, []
            with self.written() as held:
                last = await self._log.called(self.key, self._cause, held)
            for seq, one in enumerate(held, last - len(held) + 1):
                for name, made in sharing:
                    if made is one and self._shared:
                        self._shared.note(name, made, seq)

    def written(self) -> WrittenCalls:
        """What is held, for an append after which it counts as what is on the log."""
        held, self.held = self.held, []
        return WrittenCalls(held, self._allowance.writing(), self._spent)


class WrittenCalls:
    """Calls, and what was refused of them, that go onto the log while this is entered."""

    def __init__(self, held: list[Called | LineRefused], writing: Writing, spent: Counting) -> None:
        self._held, self._writing, self._spent = held, writing, spent

    def __enter__(self) -> list[Called | LineRefused]:
        return self._held

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is None:
            for one in self._held:
                if isinstance(one, Called):
                    self._spent(one)
        self._writing.__exit__(kind, *error)


class CellModel:
    """A model as one cell calls it."""

    def __init__(self, who: str, model: Model, price: Price | None, calls: CellCalls) -> None:
        self.name = model.name
        self._who, self._model, self._price, self._calls = who, model, price, calls

    async def complete(self, request: Request) -> Reply:
        return await self._calls.complete(self._who, self._model, self._price, request)
