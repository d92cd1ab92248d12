"""A sign of life while something long goes on: on a terminal a line that is gone when it is done; now
and then a line elsewhere, where there is something to tell."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.text import Text

from whoknew.engine.terminal.console import err, safe

EVERY = 10.0
"""Seconds between two lines where there is no terminal."""

Doing = str | Callable[[], str]
"""What goes on, in words; or how far it has come, asked for again and again."""


@contextmanager
def waiting(what: Doing) -> Iterator[None]:
    """Nothing is shown where there is nothing to say."""
    if err().is_terminal and what:
        with _staying(what):
            yield
    elif callable(what):
        with _telling(what):
            yield
    else:
        yield


@contextmanager
def _staying(what: Doing) -> Iterator[None]:
    from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TimeElapsedColumn

    class Words(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(safe(what() if callable(what) else what))

    columns = (SpinnerColumn(), Words(), TimeElapsedColumn())
    with Progress(*columns, console=err(), transient=True) as progress:
        progress.add_task("", total=None)
        yield


@contextmanager
def _telling(what: Callable[[], str]) -> Iterator[None]:
    over = threading.Event()

    def tell() -> None:
        while not over.wait(EVERY):
            err().print(safe(what()), soft_wrap=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
