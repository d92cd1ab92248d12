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
from whoknew.eventlog.errors import Conflict, LogError, Refused

if TYPE_CHECKING:  # its words are stemmed: a stemmer is not loaded where nobody looks for tellings
    from whoknew.engine.playing.seeker import Seeker


class ChainLog:
    """Appends go one after another, each at the head that the one before it left. What is held goes
    first in the next of them, and is held until it is on the log. `state` is the fold of what is on
    the log, and of nothing else; `watch` hears of every event that went in. What a `seeker` finds in
    a batch is written behind it.

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
        """Whether the seeker has heard a batch that did not get on the log."""
        self._held: list[Draft] = []
        self._one_by_one = asyncio.Lock()
        self._broken: Exception | None = None

    @property
    def next_seq(self) -> int:
        """The seq of the first draft that is appended next, after what is held."""
        return self.state.head + len(self._held) + 1

    def hold(self, draft: Draft) -> None:
        self._held.append(draft)

    async def append(self, drafts: Sequence[Draft] = ()) -> None:
        """Append what is held, and what happens next. Nobody else writes this world meanwhile."""
        if not (self._held or drafts or self._broken):
            return  # what another append has under way is held until it is on the log
        async with self._one_by_one:
            with self._allowance.writing():
                if self._broken is not None:
                    raise self._broken
                if self._held or drafts:
                    await self._append(drafts)

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
        head, held = self.state.head, len(self._held)
        batch = [*self._held, *drafts]
        if drafts:  # in calls alone nothing is told
            batch += await self._found_behind(batch, head)
        written: list[bool] = []
        try:
            then = partial(written.append, True)
            await self.log.append(self.world, batch, expect=exactly(head), written=then)
        except Refused:
            raise  # of this batch alone: what is held can still be written
        except Conflict as error:
            self._broken = self._broken or _conflicting(error)
            raise self._broken from error
        except Exception as error:
            self._broken = self._broken or error
            raise
        finally:
            if written:  # also where this was cancelled meanwhile: the state must follow
                del self._held[:held]
                for draft in batch:
                    self.state.take(draft)
                    self._watch(draft)
            elif drafts:
                self._misheard = True

    async def _found_behind(self, batch: Sequence[Draft], head: int) -> list[Draft]:
        """What is found in a batch. Who has heard what never happened is made anew, from the log."""
        if self._seeker is None:
            return []
        if self._misheard:
            self._seeker, self._misheard = await type(self._seeker).of(self.log, self.world), False
        return self._seeker.behind(batch, head)


def _conflicting(error: Conflict) -> Exception:
    """Somebody else has written only where the log has gone on past us."""
    if error.actual < error.expected:
        return error
    return BeingPlayed(
        f"{error.world!r} is written to by somebody else, too: #{error.expected} was its newest "
        f"event when this turn began, and #{error.actual} is now. Let one process play it: "
        "nothing that is on the log is lost"
    )
