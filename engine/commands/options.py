"""What commands share: their arguments and options, and how they answer.

What a command needs is imported when it runs, so that `whoknew --help` answers at once.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

T = TypeVar("T")

DEFAULT_LOG = "whoknew.db"
VARIABLE = "WHOKNEW_LOG"


def group(text: str) -> typer.Typer:
    return typer.Typer(
        help=text,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def argument(name: str) -> Any:
    """What an argument means stands in its command's text."""
    return typer.Argument(metavar=name, hidden=True)


def flag(name: str, text: str) -> Any:
    return typer.Option(name, help=text)


def option(flag: str, metavar: str, text: str, variable: str | None = None) -> Any:
    return typer.Option(flag, metavar=metavar, help=text, envvar=variable)


At = Annotated[str, option("--at", "CURSOR", "#1200, E3, E3.T5, @TIME, a mark, end.")]
Log = Annotated[str, argument("LOG")]
World = Annotated[str, argument("WORLD")]
Name = Annotated[str, argument("NAME")]
File = Annotated[Path, argument("FILE")]
LogOption = Annotated[str, option("--log", "LOG", "A file, or postgresql://...", VARIABLE)]
OneWorld = Annotated[str | None, option("--world", "WORLD", "Only this world of the log.")]
Json = Annotated[bool, flag("--json", "Answer in JSON.")]
Anyway = Annotated[bool, flag("--anyway", "Of a damaged log, all that can still be read.")]


def answer(
    work: Coroutine[Any, Any, T] | Callable[[], T],
    shown: Callable[[T], Any],
    json: bool = False,
    doing: str = "",
    trace: Path | None = None,
) -> T:
    from whoknew.engine.show.answer import answer

    return answer(work, shown, json=json, doing=doing, trace=trace)


async def on(
    address: str, work: Callable[[Any], Coroutine[Any, Any, T]], *, write: bool = False
) -> T:
    """Do something with a log, opened as it is needed."""
    from whoknew.engine.opening import existing, reading

    async with existing(address) if write else reading(address) as log:
        return await work(log)


def reporting(trace: Path | None = None) -> AbstractContextManager[None]:
    from whoknew.engine.show.answer import reporting

    return reporting(trace)
