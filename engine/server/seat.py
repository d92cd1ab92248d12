"""A person's seat: whoever is shown a character's view in a browser acts for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec.structs import asdict

from whoknew.agents.agent import Action, Agent, Moment, check
from whoknew.agents.dealing import check_dealing
from whoknew.agents.errors import BadAction, BadAnswer
from whoknew.engine.errors import Suspended
from whoknew.engine.server.decoding import sent
from whoknew.engine.server.errors import BadRequest

Told = Callable[[], None]
"""Called when the moment of a seat has changed."""


class Seats:
    """All seats that a person can take, by world and character; a seat is kept when its person
    goes, and is there when it comes back."""

    def __init__(self) -> None:
        self._seats: dict[tuple[str, str], BrowserSeat] = {}

    def at(self, world: str, who: str) -> BrowserSeat:
        if (world, who) not in self._seats:
            self._seats[world, who] = self._new(world, who)
        return self._seats[world, who]

    def person(self, world: str, who: str, patience: float | None) -> BrowserSeat:
        """The seat, when somebody begins to play the world."""
        seat = self.at(world, who)
        seat.patience, seat.released = patience, None
        return seat

    def awaited(self, world: str) -> frozenset[str]:
        """Whose turn it is in a world, of the people who play it."""
        found = self._seats.items()
        return frozenset(who for (where, who), one in found if where == world and one.moment)

    async def look(self) -> None:
        """See whose turn it is now. In one process that is known."""

    async def close(self) -> None:
        """Nobody is told anything any more."""

    def _new(self, world: str, who: str) -> BrowserSeat:
        return BrowserSeat(world, who)


class Sent(Action, frozen=True, kw_only=True):
    """An action as a person sends it; with the `number` of the turn that it is meant for, it is taken
    for no other: whoever was cut off may send it again."""

    number: int | None = None

    @property
    def action(self) -> Action:
        fields = asdict(self)
        del fields["number"]
        return Action(**fields)


class BrowserSeat(Agent):
    """One agent: it waits for its person, no longer than the plan allows."""

    def __init__(self, world: str, who: str) -> None:
        self.world, self.who = world, who
        self.patience: float | None = None
        self.moment: Moment | None = None
        """The moment in which it is to act, while it is."""
        self.released: str | None = None
        """Why nobody is waited for any more, once its run is to stop."""
        self._ends: float | None = None
        self._listeners: set[Told] = set()
        self._answer: asyncio.Future[Action] | None = None

    async def act(self, moment: Moment) -> Action:
        if self.released is not None:
            raise Suspended(self.released)
        self._answer = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(self.patience) as limit:
                self._ends = limit.when()
                self._tell(moment)
                return await self._answer
        except TimeoutError:
            raise self._nobody_acted() from None
        finally:
            self._answer = self._ends = None
            self._tell(None)

    @property
    def number(self) -> int | None:
        """Of the turn that it is to take: how many events it had perceived by then."""
        return None if self.moment is None else len(self.moment.view)

    @property
    def left(self) -> float | None:
        """Seconds for which it is still waited for, where that is not for ever."""
        if self._ends is None:
            return None
        return max(0.0, self._ends - asyncio.get_running_loop().time())

    @property
    def is_heard(self) -> bool:
        """Whether anybody wants to know whose turn it is: who plays, or who looks."""
        return bool(self._listeners) or self._answer is not None

    async def take(self, text: bytes | str) -> None:
        """An action that a person sent; BadAction where it cannot be done now."""
        action, moment = self._read(text), self.moment
        if moment is not None:
            await check_dealing(action, moment)
        if self.moment is not moment:
            raise self._not_its_turn()
        await self._offer(action)

    def release(self, reason: str) -> None:
        """Wait for its person no longer: the run is to stop, and asks again when it goes on."""
        self.released = reason
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Suspended(reason))

    def listen(self, told: Told) -> None:
        """Hear of each moment, and of its end. What is newest counts: the moment itself is read."""
        self._listeners.add(told)

    def ignore(self, told: Told) -> None:
        self._listeners.discard(told)

    def _read(self, text: bytes | str) -> Action:
        """What can be done in this moment, by whoever is to act in it."""
        try:
            content = text.encode() if isinstance(text, str) else text
            given = sent(content, Sent, "it")
        except BadRequest as error:
            raise BadAction(f"this is no action: {error}") from None
        if self.moment is None:
            raise self._not_its_turn()
        if given.number not in (None, self.number):
            raise BadAction("that was meant for an earlier turn, which is over: look what happened")
        check(given.action, self.moment)
        if is_empty(given.action):
            raise BadAction("`text` is empty: write words, or do nothing with the act 'none'")
        return given.action

    async def _offer(self, action: Action) -> None:
        if self._answer is None or self._answer.done():
            raise self._not_its_turn()
        self._answer.set_result(action)

    def _not_its_turn(self) -> BadAction:
        return BadAction(f"it is not {self.who}'s turn")

    def _nobody_acted(self) -> BadAnswer:
        return BadAnswer(f"nobody acted for {self.who} within {self.patience:g} s")

    def _tell(self, moment: Moment | None) -> None:
        self.moment = moment
        for told in self._listeners:
            told()


def is_empty(action: Action) -> bool:
    """Whether something is said, shown or done, and there is nothing that says what."""
    deals = action.offer or action.agrees or action.sleeps or action.wakes
    return action.act in ("speak", "non-verbal", "action") and not (action.text.strip() or deals)
