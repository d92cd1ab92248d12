"""Where warnings and errors go besides what a command says: to stderr, or into a file as JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TextIO

import structlog
from structlog.dev import plain_traceback
from structlog.tracebacks import ExceptionDictTransformer

STAMPED: list[Any] = [
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso"),
]

AS_JSON = [
    *STAMPED,
    structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
    structlog.processors.JSONRenderer(),
]
"""Tracebacks stand in a trace without the values of variables: keys and prompts are among them."""


@contextmanager
def tracing(path: Path | None) -> Iterator[None]:
    with nullcontext(sys.stderr) if path is None else path.open("a", encoding="utf-8") as file:
        if path is None:
            structlog.configure(_in_words(file), logger_factory=structlog.PrintLoggerFactory(file))
        else:
            structlog.configure(AS_JSON, logger_factory=structlog.WriteLoggerFactory(file))
        try:
            yield
        finally:
            structlog.reset_defaults()


def _in_words(file: TextIO) -> list[Any]:
    colours = file.isatty() and not os.environ.get("NO_COLOR")
    lines = structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=plain_traceback)
    return [*STAMPED, lines]
