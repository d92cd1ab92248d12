"""Where one chain writes: on the log of its world, append after append, and its state follows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from whoknew.engine.errors import BeingPlayed
from whoknew.engine.playing.allowance import Allowance
from whoknew.engine.playing.state import ChainState
from whoknew.eventlog import Draft, Event, Log, exactly
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.errors import Conflict, LogError, Refused
from whoknew.eventlog.kinds import Planned
from whoknew.eventlog.story import is_outside_story, renumbered

if TYPE_CHECKING:  # its words are stemmed: a stemmer is not loaded where nobody looks for tellings
    from whoknew.engine.playing.seeker import Seeker


class ChainLog:
    """Appends go one after another, each at the head that the one before it left. What is held goes
    first in the next of them, and is held until it is on the log. `state` is the fold of what is on
    the log, and of nothing else; `watch` hears of every event that went in. What a `seeker` finds in
    a batch is written behind it.

    Others may write beside the story meanwhile (a mark, a question, what was found of tellings): what
    is appended goes behind that. Of the story nobody else writes.

    After an append that failed nothing more is begun: the same error is raised again. Cancelled, an
    append that is under way is seen to its end.
    """

    def __init__(
        self,
        *,
        log: Log,
        world: str,
        state: ChainState,
        allowance: Allowance,
        watch: Callable[[Event | Draft], None],
        seeker: Seeker | None = None,
    ) -> None:
        self.log, self.world, self.state = log, world, state
        self._allowance, self._watch = allowance, watch
        self._seeker = seeker
        self._misheard = False
        """Whether the seeker has heard a batch that did not get on the log, or not what others wrote."""
        self._held: list[Draft] = []
        self._one_by_one = asyncio.Lock()
        self._broken: Exception | None = None

    @property
    def next_seq(self) -> int:
        """The seq of the first draft that is appended next, after what is held."""
        return self.state.head + len(self._held) + 1

    @property
    def is_shared(self) -> bool:
        """Whether other processes may go on with the chain where this one dies."""
        return self.log.store.leases is not None

    @property
    def is_due(self) -> bool:
        """Whether anything is held, or an append failed: without a draft there is else nothing to append."""
        return bool(self._held or self._broken)

    def hold(self, draft: Draft) -> None:
        self._held.append(draft)

    async def append(self, drafts: Sequence[Draft] = ()) -> None:
        """Append what is held, and what happens next."""
        if not (self._held or drafts or self._broken):
            return  # what another append has under way is held until it is on the log
        await self._one_by_one.acquire()
        try:
            with self._allowance.writing():
                if self._broken is not None:
                    raise self._broken
                if self._held or drafts:
                    await self._append(drafts)
        finally:
            self._one_by_one.release()

    async def save_held(self) -> None:
        """Whatever went wrong: an answer that came is on the log if it can be, for it was paid for
        (law 6). Where an append failed this tries once more, at the head at which it was tried: what
        is on the log after all is not written twice."""
        async with self._one_by_one:
            known = self._broken
            try:
                with self._allowance.writing():
                    if self._held:
                        await self._append(())
            except (LogError, BeingPlayed) as error:
                if known is not None:
                    return
                if isinstance(error, BeingPlayed):
                    await self._append_behind()
                raise

    async def _append_behind(self) -> None:
        """Somebody else wrote first, so nothing that is held went in: it goes behind theirs."""
        await self.log.append(self.world, self._held, written=self._held.clear)

    async def _append(self, drafts: Sequence[Draft]) -> None:
        while True:
            head = self.state.head
            try:
                return await self._append_at(head, drafts)
            except Conflict as error:
                count = await self._let_in(error)
                if not count:
                    self._broken = self._broken or _conflicting(error)
                    raise self._broken from error
                drafts = [renumbered(draft, partial(_behind, head, count)) for draft in drafts]

    async def _let_in(self, conflict: Conflict) -> int:
        """Go on behind what others have written beside the story: how much that was. Nothing, where
        it is the story that they have gone on with."""
        head = AtSeq(conflict.expected), AtSeq(max(conflict.expected, conflict.actual))
        others = [event async for event in self.log.read(self.world, *head)]
        if not all(map(_is_beside_story, others)):
            return 0
        for event in others:
            self.state.take(event)
            self._watch(event)
        self._misheard = True
        return len(others)

    async def _append_at(self, head: int, drafts: Sequence[Draft]) -> None:
        batch = [*self._held, *drafts]
        if drafts and self._seeker is not None:  # in calls alone nothing is told
            batch += await self._found_behind(self._seeker, batch, head)
        written = partial(self._written, len(self._held), batch)
        try:
            await self.log.append(self.world, batch, expect=exactly(head), written=written)
        except (Refused, Conflict):
            raise  # of this batch alone: what is held can still be written
        except Exception as error:
            self._broken = self._broken or error
            raise
        if drafts:
            self._misheard = False

    def _written(self, held: int, batch: Sequence[Draft]) -> None:
        """A batch is on the log, with so much of what was held. Also where its append was cancelled
        meanwhile: the state must follow."""
        del self._held[:held]
        state, watch = self.state, self._watch
        for draft in batch:
            state.take(draft)
            watch(draft)

    async def _found_behind(self, seeker: Seeker, batch: Sequence[Draft], head: int) -> list[Draft]:
        """What is found in a batch. Who has heard what never happened is made anew, from the log."""
        if self._misheard:
            self._seeker = seeker = await type(seeker).of(self.log, self.world)
        self._misheard = True  # until the batch is on the log
        return seeker.behind(batch, head)


def _is_beside_story(event: Event) -> bool:
    """A plan is no part of the story, but whoever writes one plays."""
    return is_outside_story(event) and type(event.body) is not Planned


def _behind(head: int, count: int, seq: int) -> int:
    """The seq of what was to stand past a head, where so many came first."""
    return seq + count if seq > head else seq


def _conflicting(error: Conflict) -> Exception:
    """Somebody else has written only where the log has gone on past us."""
    if error.actual < error.expected:
        return error
    return BeingPlayed(
        f"{error.world!r} is written to by somebody else, too: #{error.expected} was its newest "
        f"event when this turn began, and #{error.actual} is now. Let one process play it: "
        "nothing that is on the log is lost"
    )
