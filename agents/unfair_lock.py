"""A lock for what is mostly over at once: whoever comes while it is free need not queue."""

from __future__ import annotations

import asyncio

from msgspec import Struct


class UnfairLock:
    """One at a time, as asyncio.Lock has it; but who comes while it is free goes ahead of those who were
    just woken, and have not gone on yet.

    Behind asyncio's lock all who come later queue once somebody waits, and one goes on in each turn of
    the loop. At a thousand at once it is never found free again, though nobody holds it for longer than a
    moment. Here who was passed by once is next, whoever comes.

    Each comes for a place, `at`. Those who wait are called in the order of their places, from that of who had
    it last, and then from the first again: where to go back takes long, nobody makes another do it. So who
    comes goes ahead of nobody whose place is nearer.
    """

    def __init__(self) -> None:
        self._taken, self._at = False, 0
        self._called: int | None = None
        """The place of who was woken, and has not gone on yet."""
        self._waiting, self._passed_by = list[_Turn](), list[_Turn]()

    async def take(self, at: int = 0) -> None:
        """Nobody else has it from now on, until whoever took it has called `leave`."""
        if self._taken or (self._called is not None and self._far(self._called) < self._far(at)):
            await self._come(self._waiting, at)
            self._called = None
            if self._taken:
                await self._come(self._passed_by, at)  # it was handed over, and stays taken
        self._taken, self._at = True, at

    def leave(self) -> None:
        """Who was passed by has it next; else it is free, and the nearest of those who wait is called."""
        if not (self._passed_by or self._waiting):
            self._taken = False  # as nearly always
            return
        passed_by, waiting = _still(self._passed_by), _still(self._waiting)
        self._taken = bool(passed_by)
        if line := passed_by or (waiting if self._called is None else []):
            nearest = min(line, key=lambda turn: self._far(turn.at))
            line.remove(nearest)
            if line is waiting:
                self._called = nearest.at
            nearest.come.set_result(None)

    def _far(self, at: int) -> tuple[bool, int]:
        """How far it is to a place: those behind are the farthest."""
        return at < self._at, at

    async def _come(self, line: list[_Turn], at: int) -> None:
        """Wait for one's turn. Who is cancelled when it has come leaves it to the next."""
        turn = _Turn(at, asyncio.get_running_loop().create_future())
        line.append(turn)
        try:
            await turn.come
        except asyncio.CancelledError:
            if not turn.come.cancelled():
                if line is self._waiting:
                    self._called = None
                if line is self._passed_by or not self._taken:
                    self.leave()
            raise


class _Turn(Struct, frozen=True, eq=False):
    """Somebody's, who comes for a place and waits."""

    at: int
    come: asyncio.Future[None]


def _still(line: list[_Turn]) -> list[_Turn]:
    """Those who still wait in a line: who was cancelled does not."""
    line[:] = [turn for turn in line if not turn.come.done()]
    return line
