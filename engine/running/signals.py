"""Signals to this run: what asks it to stop, in order or at once, and what it still waits for."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from whoknew.engine.errors import Interrupted
from whoknew.engine.playing.control import Control
from whoknew.engine.running.hard_stop import end, insist
from whoknew.engine.running.stop import STOP, STOP_NOW, tell_waits
from whoknew.eventlog.counted import counted

CTRL_C = "Ctrl-C"

EVERY = 0.5
"""Seconds after which it is told anew what a run that is to stop waits for."""


@contextmanager
def stopped_by_signals(control: Control) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM lets the turns in flight finish; the second drops the calls in
    flight, which are written down as dropped. `whoknew stop` does the first, with --now the second.
    Where code in the loop does not give way to a second, or there is a third, the process ends.

    It stands around all of a run, the opening of its models too. A `whoknew stop` that comes later
    is of one that saw the run a moment before: it is ignored, and the report is printed.
    """
    stopping = _Stopping(control)
    before = {
        number: signal.signal(number, stopping.heed)
        for number in (signal.SIGINT, signal.SIGTERM, STOP, STOP_NOW)
    }
    try:
        yield
    except asyncio.CancelledError:
        if stopping.dropped is None:
            raise
        raise Interrupted(stopping.dropped) from None
    finally:
        stopping.over()
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if number in (STOP, STOP_NOW) else handler)


NAMES = {
    signal.SIGINT: CTRL_C,
    signal.SIGTERM: "SIGTERM",
    STOP: "`whoknew stop`",
    STOP_NOW: "`whoknew stop --now`",
}


class _Stopping:
    """`dropped` says that it was stopped at once, and by whom."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._task, self._loop = asyncio.current_task(), asyncio.get_running_loop()
        self._telling: asyncio.TimerHandle | None = None
        self._times = count(1)
        self._is_over = False
        self.dropped: str | None = None

    def heed(self, number: int, frame: object) -> None:
        """A signal, whatever is at work when it comes: the loop may not come round any more."""
        name = NAMES[signal.Signals(number)]
        asked_again = number in (signal.SIGINT, signal.SIGTERM) and self._is_again()
        if number != STOP_NOW and not asked_again:
            self._control.stop(f"stopped by {name}")
            self._loop.call_soon_threadsafe(self._tell)
        elif self.dropped is None:
            self._control.stop(f"stopped by {name}")
            self.dropped = self._dropping(name)
            insist(self._loop, name, self._drop)
        elif number != STOP_NOW:
            end(name)

    def _is_again(self) -> bool:
        """Whether it is to stop already. In one step: another signal may come while one is heeded."""
        return next(self._times) > 1 or self._control.reason is not None

    def _dropping(self, name: str) -> str:
        calls = len(self._control.flights)
        what = f"{counted(calls, 'call')} in flight"
        dropped = f": {what} dropped, and noted on the log" if calls else ""
        return (
            f"stopped at once by {name}{dropped}. The same command goes on: nothing that was "
            "answered is lost"
        )

    def _drop(self) -> None:
        if self._task is not None and not self._is_over:
            self._task.cancel()

    def over(self) -> None:
        self._is_over = True
        if self._telling is not None:
            self._telling.cancel()

    def _tell(self) -> None:
        """Let other processes know what is waited for, for as long as it is."""
        if self._is_over:
            return
        if self._telling is not None:
            self._telling.cancel()
        tell_waits(list(self._control.flights))
        self._telling = self._loop.call_later(EVERY, self._tell)
