"""The end of a process whose loop does not come round any more: code in it, such as a part that loops
for ever, does not give way, and nothing can be stopped in order."""

from __future__ import annotations

import _thread
import asyncio
import os
import sys
import threading
from collections.abc import Callable
from typing import NoReturn

from whoknew.engine.part_code import at_work

PATIENCE = 3.0
"""Seconds in which a loop that is well takes up what it is asked for."""

SHOW_CURSOR = "\x1b[?25h"


def insist(loop: asyncio.AbstractEventLoop, name: str, deed: Callable[[], object]) -> None:
    """From a signal's handler: have the loop do this, or else end the process."""
    taken_up = threading.Event()

    def do() -> None:
        taken_up.set()
        deed()

    def watch() -> None:
        if not taken_up.wait(PATIENCE):
            end(name)

    loop.call_soon_threadsafe(do)
    _thread.start_new_thread(watch, ())  # takes no lock that the interrupted code may hold


def end(name: str) -> NoReturn:
    """End at once: what was answered and not yet written is lost, what is on the log is not."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    part = at_work(frame)
    busy = f"{part} does not come back" if part else "something in it does not come back"
    told = f"ended hard by {name}: {busy}. All that is on the log stays; the same command goes on\n"
    cursor = SHOW_CURSOR if sys.stderr.isatty() else ""
    os.write(2, f"\n{cursor}{told}".encode(errors="replace"))
    os._exit(130)
