"""A sign of life while something long goes on: on a terminal only, gone when it is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from whoknew.engine.terminal.console import err


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Nothing is shown where there is nothing to say."""
    if not what or not (console := err()).is_terminal:
        yield
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        progress.add_task(what, total=None)
        yield
