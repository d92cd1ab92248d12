"""Where warnings and errors go besides what a command says: to stderr, or into a file as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog


@contextmanager
def tracing(path: Path | None) -> Iterator[None]:
    if path is None:
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
        yield
        return
    with path.open("a", encoding="utf-8") as file:
        structlog.configure(
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso"),
                structlog.processors.dict_tracebacks,
                structlog.processors.JSONRenderer(),
            ],
            logger_factory=structlog.WriteLoggerFactory(file),
        )
        yield
