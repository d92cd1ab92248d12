"""Where warnings and errors go besides what a command says: to stderr, or into a file as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import structlog

AS_JSON: list[Any] = [
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso"),
    structlog.processors.dict_tracebacks,
    structlog.processors.JSONRenderer(),
]


@contextmanager
def tracing(path: Path | None) -> Iterator[None]:
    with nullcontext(sys.stderr) if path is None else path.open("a", encoding="utf-8") as file:
        if path is None:
            structlog.configure(logger_factory=structlog.PrintLoggerFactory(file))
        else:
            structlog.configure(AS_JSON, logger_factory=structlog.WriteLoggerFactory(file))
        try:
            yield
        finally:
            structlog.reset_defaults()
