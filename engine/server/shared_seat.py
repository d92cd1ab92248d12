"""Seats of a log that several servers show: taken at any of them, whoever plays the world.

Whoever plays says on the store whose turn it is; each server reads that, and offers there what its
people do. An action is accepted when it stands there, and is then taken by whoever plays the world,
another process too, where the one that asked has died.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
from msgspec import structs

from whoknew.agents.agent import Action, Moment, Perception
from whoknew.agents.errors import BadAction
from whoknew.engine.errors import Suspended
from whoknew.engine.server.seat import BrowserSeat, Seats, Told
from whoknew.engine.server.tasks import Tasks
from whoknew.eventlog import Event, Log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.errors import LeaseLost, LogError
from whoknew.eventlog.kinds import Acted, Failed, Left
from whoknew.eventlog.logger import logger
from whoknew.eventlog.stores.leases import Leases
from whoknew.eventlog.stores.turns import OpenTurn

PAUSE = 0.05
"""Seconds between two looks at whose turn it is, however much is written meanwhile."""

LOOKS = 0.5
"""Seconds after which it is looked without any news."""


class ShownMoment(Perception, frozen=True, kw_only=True):
    """A moment without its view, which the log has; and how long its person is waited for."""

    patience: float | None = None


class SeatsOfAll(Seats):
    def __init__(self, log: Log, leases: Leases) -> None:
        super().__init__()
        self._log, self._leases = log, leases
        self._shared: dict[tuple[str, str], SharedSeat] = {}
        self._tasks = Tasks()
        self._watching: asyncio.Task[None] | None = None

    async def look(self) -> None:
        turns = {(one.world, one.character): one for one in await self._leases.turns.waiting()}
        for where in turns:
            self.at(*where)
        for where, seat in list(self._shared.items()):
            try:
                await seat.see(turns.get(where))
            except (LogError, msgspec.MsgspecError) as error:  # the others go on
                logger().warning(
                    "seat.unseen", world=seat.world, character=seat.who, why=str(error)
                )

    async def close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
        await self._tasks.close()

    def watch(self) -> None:
        """Look from now on whenever there is news, for as long as anybody wants to know."""
        if self._watching is None or self._watching.done():
            self._watching = self._tasks.begin(self._watch(), "seats")

    async def _watch(self) -> None:
        with self._log.news.of(None) as fresh:
            while any(one.is_heard for one in self._shared.values()):
                fresh.clear()
                try:
                    await self.look()
                except LogError as error:
                    logger().warning("seats.unseen", why=str(error))
                await asyncio.sleep(PAUSE)
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOKS):
                        await fresh.wait()

    def _new(self, world: str, who: str) -> BrowserSeat:
        seat = SharedSeat(world, who, self._log, self._leases, self.watch)
        self._shared[world, who] = seat
        return seat


class SharedSeat(BrowserSeat):
    """One agent, for whoever plays here; and what a person at this server sees of it, whoever plays."""

    def __init__(self, world: str, who: str, log: Log, leases: Leases, watch: Told) -> None:
        super().__init__(world, who)
        self._log, self._leases, self._turns, self._watch = log, leases, leases.turns, watch
        self._turn: OpenTurn | None = None
        """The turn that waits, as it was seen last."""

    async def act(self, moment: Moment) -> Action:
        if self.released is not None:
            raise Suspended(self.released)
        turn = await self._turn_of(moment)
        accepted = await self._turns.ask(turn, keep=await self._goes_on(turn))
        return _action(accepted or await self._waited(turn, moment))

    def listen(self, told: Told) -> None:
        super().listen(told)
        self._watch()

    async def see(self, turn: OpenTurn | None) -> None:
        """How the store has it now."""
        if self._answer is not None:
            await self._hear(turn)
            return
        waits = turn if turn is not None and turn.action is None else None
        if _which(waits) == _which(self._turn):
            return
        self._turn = waits
        if waits is None:
            self._tell(None)
            return
        moment, self.patience = await self._moment(waits)
        if self._turn is waits:  # it may have gone on while its view was read
            self._until(waits.left)
            self._tell(moment)

    async def _turn_of(self, moment: Moment) -> OpenTurn:
        epoch = self._leases.epochs.get(self.world)
        if epoch is None:
            raise Suspended(f"{self.world!r} is not played here any more")
        perceived = msgspec.convert(moment, Perception, from_attributes=True)
        shown = ShownMoment(**structs.asdict(perceived), patience=self.patience)
        return OpenTurn(
            world=self.world,
            character=self.who,
            epoch=epoch,
            upto=moment.view.cursor.seq,
            number=len(moment.view),
            shown=msgspec.json.encode(shown),
            left=self.patience,
        )

    async def _goes_on(self, turn: OpenTurn) -> bool:
        """Whether it is the very turn for which it was asked last: the character has perceived nothing
        since, and the log has nothing that it did. What was accepted for it is not lost then."""
        asked = await self._turns.asked(self.world, self.who)
        if asked is None or asked[1] != turn.number:
            return False
        async for event in self._log.read(self.world, AtSeq(asked[0])):
            if event.actor == self.who and _is_turn(event):
                return False
        return True

    async def _waited(self, turn: OpenTurn, moment: Moment) -> bytes:
        """What its person does. Whatever ends the waiting: what was accepted before counts."""
        self._answer = answer = asyncio.get_running_loop().create_future()
        self._turn = turn
        try:
            if self.released is not None:  # meanwhile
                raise Suspended(self.released)
            async with asyncio.timeout(self.patience):
                self._until(turn.left)
                self._tell(moment)
                self._watch()
                return _packed(await answer)
        except (TimeoutError, Suspended) as ended:
            if (accepted := await self._turns.close(turn)) is not None:
                return accepted
            raise ended if isinstance(ended, Suspended) else self._nobody_acted() from None
        finally:
            self._answer = self._turn = self._ends = None
            self._tell(None)

    async def _hear(self, turn: OpenTurn | None) -> None:
        """Whoever plays here hears what was accepted for this very turn, or that another process plays
        it by now. What was read may be older than the turn."""
        answer, own = self._answer, self._turn
        assert answer is not None and own is not None
        if turn is None or turn.epoch > own.epoch:
            try:
                await self._leases.check(self.world)
            except LeaseLost as lost:
                if not answer.done():
                    answer.set_exception(lost)
        elif turn.action is not None and _which(turn) == _which(own) and not answer.done():
            answer.set_result(_action(turn.action))

    async def _offer(self, action: Action) -> None:
        turn = self._turn
        if turn is None or not await self._turns.offer(turn, _packed(action)):
            raise BadAction(
                f"it is not {self.who}'s turn any more: its time is over, somebody else acted for it, "
                "or nobody plays this world now"
            )

    async def _moment(self, turn: OpenTurn) -> tuple[Moment, float | None]:
        shown = msgspec.json.decode(turn.shown, type=ShownMoment)
        view = await self._log.view(self.world, self.who, AtSeq(turn.upto))
        fields = structs.asdict(shown)
        patience: float | None = fields.pop("patience")
        return Moment(who=self.who, view=view, **fields), patience

    def _until(self, left: float | None) -> None:
        now = asyncio.get_running_loop().time()
        self._ends = None if left is None else now + left


def _is_turn(event: Event) -> bool:
    """Whether it is what came of a turn. It may also have been asked something beside the story."""
    body = event.body
    return isinstance(body, (Acted, Left)) or (isinstance(body, Failed) and body.what != "answer")


def _which(turn: OpenTurn | None) -> tuple[int, int, int] | None:
    return None if turn is None else (turn.epoch, turn.upto, turn.number)


def _packed(action: Action) -> bytes:
    return msgspec.json.encode(action)


def _action(packed: bytes) -> Action:
    return msgspec.json.decode(packed, type=Action)
