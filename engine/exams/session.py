"""What every sitting of an exam does, whatever its cells are: many at once, until it is over or has to
stop."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import compress, starmap
from typing import Any, Generic, TypeVar

from msgspec import Struct

from whoknew.agents.errors import AgentError, GivesAway
from whoknew.engine.errors import NotRemembered, PromptLeaks, Suspended, concerns_all
from whoknew.engine.exams.arms import ExamArm, ExamJudge
from whoknew.engine.exams.asked_models import Roles
from whoknew.engine.exams.calls import CellCalls, CellModel
from whoknew.engine.exams.cell_scan import CellScan
from whoknew.engine.exams.cells import ExamCell
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.shards import Shard, ShardCounts, Shards, Work
from whoknew.engine.exams.shared_calls import SharedCalls
from whoknew.engine.exams.shared_sitting import SharedSitting
from whoknew.engine.part_code import told
from whoknew.engine.plan.plan import Seat
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.engine.playing.allowance import Allowance, limits_of
from whoknew.engine.playing.control import Control
from whoknew.engine.playing.judge import Judge
from whoknew.engine.playing.ledger import NOBODY
from whoknew.engine.playing.panel import REVIEW
from whoknew.engine.playing.state import ChainState
from whoknew.engine.running.models import Silent, judge_of, mind
from whoknew.eventlog.errors import LeaseLost, LogError
from whoknew.eventlog.kinds import Called, Failed, Kind, Reviewed
from whoknew.eventlog.logger import logger
from whoknew.eventlog.stores.leases import Leases, stated

T = TypeVar("T")
C = TypeVar("C", bound=ExamCell)


class Failure(Struct, frozen=True):
    """Why something could not be had. `stops`: its plan says to stop there."""

    why: str
    stops: bool = False


Hearing = Awaitable[Sequence[Reviewed] | Failure]
"""What a judge says of something: nothing, where there is nothing to be said of it."""

Known = Callable[[], Iterable[str]]
"""What stands in a prompt besides what is of its character's view."""

NOTHING = "there is nothing to be said of it"


class DueReview(Struct, frozen=True):
    """What a judge is to say under a key: of all of a cell; or of one `episode` of it anew, in which it
    failed to say anything of `missed`."""

    judge: ExamJudge
    key: str
    episode: int = 0
    missed: frozenset[str] = frozenset()


class WatchedShards(Struct):
    """What was seen of a sitting up to a head of its log: the shards that were not over, and how they were
    counted last."""

    left: dict[Shard, ShardCounts]
    head: int


class SessionParts(Struct, frozen=True, kw_only=True):
    """What each start of an exam needs: `log` is the exam's own. `asks`: else only judges are heard.
    `again`: what failed is tried again."""

    exam: LoadedExam
    log: ExamLog
    roles: Roles
    control: Control
    progress: ExamProgress
    asks: bool = True
    again: bool = False


class ExamSession(Generic[C]):
    """One start of an exam."""

    def __init__(self, parts: SessionParts) -> None:
        self.exam, self.control, self.progress = parts.exam, parts.control, parts.progress
        self.log, self._roles = parts.log, parts.roles
        self._asks, self._again = parts.asks, parts.again
        self._shared = SharedCalls(self.log)
        self._standing, self._limits = ChainState(), limits_of(self.control, PlayRules())
        self.tried_before, self.failed_before = Counter[str](), Counter[str]()
        """Reviews that were had, or tried, before this start, by their judges; and those that failed."""
        self._due = bytearray()
        """Of each cell, whether anything of it was lacking at this start: no other is made again."""
        self._looked: WatchedShards | None = None
        self._sharing: SharedSitting | None = None

    def cell_parts(self) -> Iterator[tuple[Any, ExamArm, int]]:
        """Unit, arm and repeat of all cells that there are, in the order in which they are wanted."""
        raise NotImplementedError

    def cell(self, unit: Any, arm: ExamArm, repeat: int) -> C:
        raise NotImplementedError

    def cells(self) -> Iterator[C]:
        return starmap(self.cell, self.cell_parts())

    async def do(self, cell: C) -> None:
        """What is lacking of one cell, and of its reviews."""
        raise NotImplementedError

    def survey(self) -> None:
        """Count what there is, and what there will be."""
        progress, log = self.progress, self.log
        for cell in self.cells():
            done, is_asked = log.done(cell.key), self._asks and self._lacks(cell.key)
            progress.cells += 1
            progress.before += done
            progress.failed_before += log.failed(cell.key)
            unheard = 0
            for one in self.reviews(cell):
                unheard += self._lacks(one.key)
                self.failed_before[one.judge.name] += (failed := log.failed(one.key))
                self.tried_before[one.judge.name] += failed or log.done(one.key)
            progress.reviews += unheard if done or is_asked else 0
            self._due.append(is_asked or (done and unheard > 0))

    async def sit(self) -> None:
        """Do what there is to do, until it is done or has to stop. Where other processes may sit it, too,
        they share it."""
        await self.log.begin(self.exam.arms, self.exam.judges)
        if leases := self.log.log.store.leases:
            sharing = self.share(leases)
            await Shards(self, sharing, self.shards(), self.exam.plan.at_once).sit()
            return
        works = self.works()
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self.exam.plan.at_once, self._most())):
                group.create_task(self._work(works))

    def share(self, leases: Leases, scenes: Collection[str] = ()) -> SharedSitting:
        """Have in common with others what is said there."""
        parts = self.log, self.exam, self.control, self._roles.limits
        self._sharing = SharedSitting(leases, *parts, scenes)
        return self._sharing

    def _most(self) -> int:
        """No more works than this are there."""
        return self.progress.cells + self.progress.lives + self.progress.reviews

    def works(self) -> Iterator[Work]:
        """All that is to be done, piece by piece."""
        due = starmap(self.cell, compress(self.cell_parts(), self._due))
        return (partial(self.do, cell) for cell in self.waiting(due))

    def shards(self) -> Iterable[Shard]:
        """All that is to be done, in parts that share nothing."""
        raise NotImplementedError

    def shard(
        self,
        lease: str,
        cells: Callable[[], Iterable[C]],
        first: Callable[[], Work | None] = lambda: None,
    ) -> Shard:
        """What is to be done of some cells, and `first` of what all of them need."""

        def works() -> Iterator[Work]:
            return (partial(self.do, cell) for cell in self.waiting(cells()))

        def counts() -> ShardCounts:
            done = failed = heard = 0
            for cell in cells():
                done += self.log.others_did(cell.key)
                failed += self.log.others_failed(cell.key)
                heard += sum(self.log.others_did(one.key) for one in self.reviews(cell))
            return ShardCounts(done, failed, heard, lives=first() is not None)

        return Shard(lease=lease, first=first, works=works, counts=counts)

    def done_elsewhere(self, before: ShardCounts, now: ShardCounts) -> None:
        """Count what other processes did of a shard meanwhile."""
        progress = self.progress
        progress.before += now.done - before.done
        progress.failed_before += now.failed - before.failed
        progress.reviewed += now.heard - before.heard
        progress.remembered += before.lives - now.lives

    async def look(self) -> None:
        """See how far others are, of whom this one only watches what they do. All cells are counted for that:
        off the loop."""
        if self._looked is None:
            self._looked = await asyncio.to_thread(self._watched)
        looked = self._looked
        await self.log.catch_up()
        if self.log.head > looked.head:
            looked.head = await self.log.spent(self.progress.spent, after=looked.head)
            await asyncio.to_thread(self._look_again, looked)

    def _watched(self) -> WatchedShards:
        left = {one: one.counts() for one in self.shards() if not one.is_over()}
        return WatchedShards(left, self.log.head)

    def _look_again(self, looked: WatchedShards) -> None:
        for shard, before in list(looked.left.items()):
            self.done_elsewhere(before, now := shard.counts())
            looked.left[shard] = now
            if shard.is_over():
                del looked.left[shard]

    @property
    def all_over(self) -> bool:
        """Whether nothing of it is lacking, as far as was seen."""
        return self._looked is not None and not self._looked.left

    @property
    def done(self) -> int:
        """How much was written, as far as was seen: a number that grows."""
        return self.log.head

    def waiting(self, cells: Iterable[C]) -> Iterator[C]:
        """Those of which something is lacking."""
        for cell in cells:
            if (self._asks and self._lacks(cell.key)) or (
                self.log.done(cell.key) and any(self._unheard(cell))
            ):
                yield cell

    def _lacks(self, key: str) -> bool:
        return self.log.lacks(key, again=self._again)

    def reviews(self, cell: C) -> Iterator[DueReview]:
        """What judges are to say of it when it is done."""
        for judge in self.exam.judges:
            if cell.judged_by(judge):
                yield DueReview(judge, cell.review(judge))

    def _unheard(self, cell: C) -> Iterator[DueReview]:
        return (one for one in self.reviews(cell) if self._lacks(one.key))

    async def _work(self, works: Iterator[Work]) -> None:
        for work in works:
            if not await self.is_done(work):
                return

    async def is_done(self, work: Work) -> bool:
        """A piece of work is done, whatever came of it; not where it is to stop, or has to as
        the log cannot be written. LeaseLost where another process does it by now."""
        try:
            await self.control.going_on()
            self.control.check()
        except Suspended:
            return False
        try:
            await work()
        except LeaseLost:
            raise
        except LogError as error:
            self.control.stop(str(error))
            return False
        return True

    async def tried(self, calls: CellCalls, work: Awaitable[T]) -> T | Failure | None:
        """What came of it, or why it failed. Nothing where that is not decided: the sitting stops, and
        the next one goes on with it."""
        try:
            return await work
        except Suspended:
            pass
        except NotRemembered as error:
            return Failure(str(error))
        except LeaseLost:
            raise
        except (AgentError, LogError, PromptLeaks) as error:
            if isinstance(error, AgentError) and not concerns_all(error):
                return Failure(str(error), isinstance(error, GivesAway) and error.stops)
            self.control.stop(str(error))
        except asyncio.CancelledError:
            await calls.save()
            raise
        except Exception as error:  # noqa: BLE001  (code from elsewhere: one failure stays one)
            logger().exception("cell.failed")
            return Failure(told(error))
        await calls.save()
        return None

    async def review(
        self, judge: ExamJudge, key: str, cause: int, heard: Callable[[CellCalls], Hearing]
    ) -> None:
        """What a judge says of the event at a seq, under a key: `heard` from it with these calls."""
        calls = self.calls(key, cause)
        found = await self.tried(calls, heard(calls))
        if found is None:
            return
        failed = isinstance(found, Failure)
        self.progress.reviewed += not failed
        self.progress.unreviewed += failed
        self.control.count(f"reviews of {judge.name}", 1, failed)
        bodies: Sequence[Kind]
        if isinstance(found, Failure):
            bodies = [Failed(REVIEW, f"{judge.name}: {found.why}")]
        else:
            bodies = found or [Reviewed(judge.name, {}, NOTHING, judge.digest)]
        with calls.written() as held:
            await self.log.concluded(key, cause, [*held, *bodies], failed=failed)

    def judging(
        self, judge: ExamJudge, calls: CellCalls, seat: Callable[[str], Seat]
    ) -> Judge[Any]:
        """A judge at work: its calls are these. What comes to somebody's mind it sees by the seat that
        they have."""
        return judge_of(
            judge.judging,
            lambda address: self.model(NOBODY, address, calls),
            lambda who: mind(who, seat(who), Silent()),
        )

    def calls(self, key: str, cause: int | None = None) -> CellCalls:
        """The calls of one cell, or of what is about the event at a seq: a review, a memory."""
        under = stated()
        lease = under.lease if under else None
        shared = self._sharing if lease else None
        allowance = Allowance(
            world=self.exam.plan.name,
            lease=lease,
            state=shared.state(lease or "") if shared else self._standing,
            limits=self._limits,
            control=self.control,
        )
        return CellCalls(
            log=self.log,
            key=key,
            allowance=allowance,
            spent=partial(self._count, shared, lease or ""),
            keep_prompts=self.exam.plan.keep_prompts,
            cause=cause,
            shared=self._shared,
        )

    def _count(self, shared: SharedSitting | None, lease: str, called: Called) -> None:
        """A call is on the log."""
        self.progress.spent.add(called)
        if shared is not None:
            shared.called(lease, called)

    async def scan(
        self, world: str, who: str, upto: int, parts: str, known: Known, *, counts: bool = False
    ) -> CellScan | None:
        """The scan of what is asked of somebody up to a seq of a world that an exam is about."""
        return None

    def model(self, who: str, address: str, calls: CellCalls) -> CellModel:
        return CellModel(who, self._roles.models[address], self._roles.prices[address], calls)
