"""A run while it goes on: one line that stays on a terminal; now and then a line elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.text import Text

from whoknew.engine.progress import Progress
from whoknew.engine.run import Run
from whoknew.engine.show.console import err
from whoknew.engine.show.figures import counted, lasting, money, short

EVERY = 10.0
"""Seconds between two lines where there is no terminal."""


@contextmanager
def watching(run: Run) -> Iterator[None]:
    """Show how a run goes on, on stderr."""
    console, progress = err(), run.progress
    console.print(found(progress), soft_wrap=True)
    begun = monotonic()
    if console.is_terminal:
        with _staying(progress, begun):
            yield
        return
    over = threading.Event()
    teller = threading.Thread(target=_telling, args=(progress, begun, over), daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def found(progress: Progress) -> Text:
    """What was found on the log before anything goes on."""
    parts = [
        f"{count} {what}"
        for count, what in (
            (progress.over, "done already"),
            (progress.begun, "to go on with"),
            (progress.new, "to begin"),
        )
        if count
    ]
    text = f"{counted(progress.chains, 'chain')}: {', '.join(parts)}"
    if progress.before.calls:
        spent = progress.before
        text += f" (before: {short(spent.calls)} calls, {_money(progress)})"
    return Text(text)


def line(progress: Progress, seconds: float) -> str:
    done = progress.over + progress.finished
    parts = [
        f"chains {done}/{progress.chains}",
        f"episodes {progress.episodes_done}/{progress.episodes}",
        f"turns {short(progress.turns)}",
        f"calls {short(progress.spent.calls)}",
        f"tokens {short(progress.spent.tokens)}",
        _money(progress),
    ]
    if progress.failures:
        parts.append(f"failed {progress.failures}")
    if (left := _left(progress, seconds)) is not None:
        parts.append(f"{lasting(left)} left")
    return "  ".join(parts)


def _left(progress: Progress, seconds: float) -> float | None:
    """How long it may still take, from the episodes of this start."""
    played = progress.episodes_done - progress.episodes_before
    to_come = progress.episodes - progress.episodes_done
    if seconds < 2 or played < 1 or to_come < 1:
        return None
    return seconds / played * to_come


def _money(progress: Progress) -> str:
    spent = progress.spent
    if not spent.unpriced:
        return money(spent.money)
    return f"{money(spent.money)} + unknown" if spent.money else money(None)


@contextmanager
def _staying(progress: Progress, begun: float) -> Iterator[None]:
    from rich.live import Live

    class Now:
        def __rich__(self) -> Text:
            text = line(progress, monotonic() - begun)
            return Text(text, no_wrap=True, overflow="ellipsis")

    with Live(Now(), console=err(), refresh_per_second=5, transient=True):
        yield


def _telling(progress: Progress, begun: float, over: threading.Event) -> None:
    while not over.wait(EVERY):
        err().print(line(progress, monotonic() - begun), soft_wrap=True)
