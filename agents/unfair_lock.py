"""A lock for what is mostly over at once: whoever comes while it is free need not queue."""

from __future__ import annotations

import asyncio
from collections import deque

Line = deque[asyncio.Future[None]]


class UnfairLock:
    """One at a time, as asyncio.Lock has it; but who comes while it is free goes ahead of those who were
    just woken, and have not gone on yet.

    Behind asyncio's lock all who come later queue once somebody waits, and one goes on in each turn of
    the loop. At a thousand at once it is never found free again, though nobody holds it for longer than a
    moment. Here who was passed by once is next, whoever comes.
    """

    def __init__(self) -> None:
        self._taken = False
        self._waiting, self._passed_by = Line(), Line()

    async def __aenter__(self) -> None:
        if self._taken:
            await self._called(self._waiting)
            if self._taken:
                await self._called(self._passed_by)  # it was handed over, and stays taken
        self._taken = True

    async def __aexit__(self, *error: object) -> None:
        self._leave()

    async def _called(self, line: Line) -> None:
        """Wait for one's turn. Who is cancelled when it has come leaves it to the next."""
        turn = asyncio.get_running_loop().create_future()
        line.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled() and (line is self._passed_by or not self._taken):
                self._leave()
            raise

    def _leave(self) -> None:
        self._taken = bool(self._passed_by) and _call(self._passed_by)
        if self._waiting and not self._taken:
            _call(self._waiting)


def _call(line: Line) -> bool:
    """Call the first who still waits, if there is one."""
    while line:
        turn = line.popleft()
        if not turn.done():
            turn.set_result(None)
            return True
    return False
