"""Where what is logged goes besides what a command says: to stderr, or into a file as JSON lines.

structlog is loaded by the first that has something to tell: most commands end without one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from whoknew.eventlog.logger import configured_by, with_facts


@contextmanager
def tracing(path: Path | None, *, server: bool = False) -> Iterator[None]:
    """A command that somebody waits for tells of warnings and errors alone. A trace holds all that
    is logged, and so does the stderr of a server, which programs read unless it is a terminal."""
    with nullcontext(sys.stderr) if path is None else path.open("a", encoding="utf-8") as file:
        if path is not None or (server and not file.isatty()):
            tell = partial(_tell_in_json, file)
        else:
            tell = partial(_tell_in_words, file, "info" if server else "warning")
        with configured_by(tell, only_wrong=path is None and not server):
            yield


def _tell_in_words(file: TextIO, least: str) -> None:
    import structlog

    colours = file.isatty() and not os.environ.get("NO_COLOR")
    lines = structlog.dev.ConsoleRenderer(
        colors=colours, exception_formatter=structlog.dev.plain_traceback
    )
    structlog.configure(
        [*_stamped(), lines],
        structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.PrintLoggerFactory(file),
    )


def _tell_in_json(file: TextIO) -> None:
    """Tracebacks stand in a trace without the values of variables: keys and prompts are among
    them."""
    import structlog
    from structlog.tracebacks import ExceptionDictTransformer

    processors = [
        *_stamped(),
        structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
        structlog.processors.JSONRenderer(),
    ]
    structlog.configure(processors, logger_factory=structlog.WriteLoggerFactory(file))


def _stamped() -> list[Any]:
    """With what is bound where it is logged: the world, the episode, the turn, the character."""
    from structlog.processors import TimeStamper, add_log_level

    return [with_facts, add_log_level, TimeStamper(fmt="iso")]
