"""A run while it goes on: one line that stays on a terminal; now and then a line elsewhere."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Group
from rich.text import Text

from whoknew.engine.playing.control import Control, Flight
from whoknew.engine.running.chains import Run
from whoknew.engine.running.progress import Progress
from whoknew.engine.running.signals import CTRL_C
from whoknew.engine.terminal.console import err, safe
from whoknew.engine.terminal.figures import lasting, short, spent
from whoknew.eventlog.counted import counted

EVERY = 10.0
"""Seconds between two lines where there is no terminal."""

LONG = 5.0
"""Seconds from which on it is said that a call is waited for."""

_EACH = re.compile(r"  (?=[a-z$])")
"""Between two figures: a number stands on the right of its room."""

LOOK = 0.2
"""Seconds until somebody who asks it to stop sees that it was heard."""


class Shown(Struct, frozen=True):
    """What goes on: what stops it, its figures in words, and how long it may still take after so many
    seconds."""

    control: Control
    figures: Callable[[], str]
    outlook: Callable[[float], str]
    what: str = "turns"
    """What is in flight."""
    waits: Callable[[], str] = str
    """What is to be said at once of whom it waits for."""


@contextmanager
def watching(run: Run) -> Iterator[None]:
    """Show how a run goes on, on stderr."""
    err().print(found(run.progress), soft_wrap=True)
    with showing(_of_run(run)):
        yield


@contextmanager
def beside_a_person(run: Run) -> Iterator[None]:
    """Say only what was found: the terminal belongs to who plays."""
    err().print(found(run.progress), soft_wrap=True)
    shown = replace(_of_run(run), waits=partial(elsewhere, run.progress))
    with _telling(shown, monotonic(), float("inf")):
        yield


@contextmanager
def showing(shown: Shown) -> Iterator[None]:
    """Show how something goes on, on stderr."""
    begun = monotonic()
    with _staying(shown, begun) if err().is_terminal else _telling(shown, begun, EVERY):
        yield


def _of_run(run: Run) -> Shown:
    progress = run.progress
    return Shown(run.control, partial(figures, progress), partial(outlook, progress))


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
    if progress.before.spent.calls:
        calls = progress.before.spent.calls
        noun = "call" if calls == 1 else "calls"
        text += f" (before: {short(calls)} {noun}, {_money(progress)})"
    return Text(text)


def figures(progress: Progress) -> str:
    """Each has a width of its own, so that those after it stay where they are."""
    done = progress.over + progress.finished
    parts = [
        f"chains {_of(done, progress.chains)}",
        f"episodes {_of(progress.tally.closed, progress.episodes)}",
        f"turns {short(progress.tally.turns):>5}",
        f"calls {short(progress.spent.calls):>5}",
        f"tokens {short(progress.spent.tokens):>6}",
        _money(progress),
    ]
    return "  ".join(filter(None, (*parts, elsewhere(progress))))


def on_a_line(figures: str, width: int) -> list[str]:
    """As many of them as a line holds, and each of the others."""
    parts, rest = _EACH.split(figures), list[str]()
    while len(parts) > 1 and cell_len("  ".join(parts)) > width:
        rest.insert(0, parts.pop())
    return ["  ".join(parts), *rest]


def elsewhere(progress: Progress) -> str:
    """What others play, where nothing is left to be played here."""
    others = progress.elsewhere
    return f"waits for {counted(others, 'chain')} that others play" if others else ""


def held_up(flights: Collection[Flight]) -> str:
    """How many calls are waited for that take long, and for what: without it a run that a server
    keeps waiting looks as if it did nothing."""
    now = datetime.now(UTC)
    waits = {flight: (now - flight.since).total_seconds() for flight in flights}
    long = [flight for flight, wait in waits.items() if wait >= LONG]
    if not long:
        return ""
    longest = max(long, key=lambda flight: waits[flight])
    return (
        f"waits for {counted(len(long), 'call')}, "
        f"the longest {lasting(waits[longest])} for {longest.model}"
    )


def tried_again(why: str) -> str:
    """Why a call is made again: said as soon as it has failed, and not when all is given up."""
    return f"tried again: {why}"


def outlook(progress: Progress, seconds: float) -> str:
    """How long it may still take, and what failed."""
    parts = []
    if (left := _left(progress, seconds)) is not None:
        parts.append(f"{lasting(left)} left")
    if progress.tally.failures:
        parts.append(f"failed {progress.tally.failures}")
    return "  ".join(parts)


def _of(done: int, whole: int) -> str:
    return f"{done:>{len(str(whole))}}/{whole}"


def _left(progress: Progress, seconds: float) -> float | None:
    """How long it may still take, from the episodes of this start."""
    played = progress.tally.closed - progress.before.closed
    to_come = progress.episodes - progress.tally.closed
    if seconds < 2 or played < 1 or to_come < 1:
        return None
    return seconds / played * to_come


def _money(progress: Progress) -> str:
    return spent(progress.spent.money, unknown=bool(progress.spent.unpriced))


PAUSED = "paused: `whoknew resume` lets all who play this go on"


def stopping(reason: str | None, what: str = "turns") -> str | None:
    """What is said once it is asked to stop: only who gave Ctrl-C is told to give it again."""
    if not reason:
        return None
    again = " again" if reason.endswith(CTRL_C) else ""
    return (
        f"{reason}: the {what} in flight finish; Ctrl-C{again} stops at once, and ends the process if "
        "something in it does not come back"
    )


@contextmanager
def _staying(shown: Shown, begun: float) -> Iterator[None]:
    """A line of figures, and under it those for which it has no room, how long, what failed, and that it
    stops."""
    from rich.live import Live

    class Now:
        def __rich__(self) -> Group:
            line, *rest = on_a_line(shown.figures(), err().width)
            ahead = [
                *rest,
                shown.outlook(monotonic() - begun),
                held_up(shown.control.flights.copy()),
                *map(tried_again, shown.control.retried.copy().values()),
                PAUSED if shown.control.paused else None,
                stopping(shown.control.reason, shown.what),
            ]
            told = "  ".join(safe(one) for one in ahead if one)
            lines = (Text(one, no_wrap=True, overflow="ellipsis") for one in (line, told))
            return Group(*lines)

    with Live(Now(), console=err(), refresh_per_second=5, transient=True):
        yield


@contextmanager
def _telling(shown: Shown, begun: float, every: float) -> Iterator[None]:
    """A line of figures now and then, and at once that it stops."""
    over = threading.Event()
    teller = threading.Thread(target=_tell, args=(shown, begun, every, over), daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def _tell(shown: Shown, begun: float, every: float, over: threading.Event) -> None:
    due, said, known, paused, waits = begun + every, False, set[str](), False, ""
    while not over.wait(LOOK):
        if paused != (paused := shown.control.paused) and paused:
            err().print(PAUSED, soft_wrap=True)
        if waits != (waits := shown.waits()) and waits:
            err().print(waits, soft_wrap=True)
        for model, why in shown.control.retried.copy().items():
            if model not in known:
                err().print(safe(tried_again(why)), soft_wrap=True)
                known.add(model)
        if not said and (told := stopping(shown.control.reason, shown.what)):
            err().print(safe(told), soft_wrap=True)
            said = True
        if monotonic() >= due:
            parts = [
                shown.figures(),
                shown.outlook(monotonic() - begun),
                held_up(shown.control.flights.copy()),
            ]
            err().print("  ".join(safe(part) for part in parts if part), soft_wrap=True)
            due += every
