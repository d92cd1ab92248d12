"""Signals to this run: what asks it to stop, in order or at once, and what it still waits for."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from whoknew.engine.errors import Interrupted
from whoknew.engine.playing.control import Control
from whoknew.engine.running.stop import STOP, STOP_NOW, tell_waits

CTRL_C = "Ctrl-C"

EVERY = 0.5
"""Seconds after which it is told anew what a run that is to stop waits for."""


@contextmanager
def stopped_by_signals(control: Control) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM lets the turns in flight finish; the second drops the calls in
    flight, which are written down as dropped. `whoknew stop` does the first, with --now the second.

    It stands around all of a run, the opening of its models too. A `whoknew stop` that comes later
    is of one that saw the run a moment before: it is ignored, and the report is printed.
    """
    stopping = _Stopping(control)
    handlers = (
        (signal.SIGINT, stopping.asked, CTRL_C),
        (signal.SIGTERM, stopping.asked, "SIGTERM"),
        (STOP, stopping.stop, "`whoknew stop`"),
        (STOP_NOW, stopping.drop, "`whoknew stop --now`"),
    )
    loop = asyncio.get_running_loop()
    for number, heed, name in handlers:
        loop.add_signal_handler(number, heed, name)
    try:
        yield
    except asyncio.CancelledError:
        if stopping.dropped is None:
            raise
        raise Interrupted(stopping.dropped) from None
    finally:
        stopping.over()
        for number, _, _ in handlers:
            loop.remove_signal_handler(number)
        for number in (STOP, STOP_NOW):
            signal.signal(number, signal.SIG_IGN)


class _Stopping:
    """`dropped` says that it was stopped at once, and by whom."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self._task = asyncio.current_task()
        self._telling: asyncio.TimerHandle | None = None
        self.dropped: str | None = None

    def asked(self, name: str) -> None:
        (self.stop if self._control.reason is None else self.drop)(name)

    def stop(self, name: str) -> None:
        self._control.stop(f"stopped by {name}")
        if self._telling is None:
            self._tell()

    def drop(self, name: str) -> None:
        calls = len(self._control.flights)
        what = f"{calls} call{'' if calls == 1 else 's'} in flight"
        dropped = f": {what} dropped, and noted on the log" if calls else ""
        self.dropped = (
            f"stopped at once by {name}{dropped}. The same command goes on: nothing that was "
            "answered is lost"
        )
        self._control.stop(f"stopped by {name}")
        if self._task is not None:
            self._task.cancel()

    def over(self) -> None:
        if self._telling is not None:
            self._telling.cancel()

    def _tell(self) -> None:
        """Let other processes know what is waited for, for as long as it is."""
        tell_waits(list(self._control.flights.values()))
        self._telling = asyncio.get_running_loop().call_later(EVERY, self._tell)
