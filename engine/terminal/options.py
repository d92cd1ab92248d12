"""What commands share: their arguments and options, and the log that they name."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from whoknew.engine.opening import existing, reading
from whoknew.engine.terminal.commands import SETTINGS

T = TypeVar("T")

VARIABLE = "WHOKNEW_LOG"

PORT = 8420
"""Where a server listens on its machine, where nobody says otherwise."""


def alone() -> typer.Typer:
    """What a file holds its one command by."""
    return typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=SETTINGS,
    )


def argument(name: str) -> Any:
    """What an argument means stands in its command's text."""
    return typer.Argument(metavar=name, hidden=True)


def flag(name: str, text: str) -> Any:
    return typer.Option(name, help=text)


def option(flag: str, metavar: str, text: str, variable: str | None = None) -> Any:
    return typer.Option(flag, metavar=metavar, help=text, envvar=variable)


At = Annotated[
    str,
    option(
        "--at",
        "CURSOR",
        "When: #1200 (an event), E3 (an episode's end), E3.T5 (a turn), @1599-06-01T21:00 (story time), the name of a mark, or end.",
    ),
]
Log = Annotated[str, argument("LOG")]
World = Annotated[str, argument("WORLD")]
Name = Annotated[str, argument("NAME")]
File = Annotated[Path, argument("FILE")]
LogOption = Annotated[str, option("--log", "LOG", "A file, or postgresql://...", VARIABLE)]
Amend = Annotated[
    Path | None,
    option("--amend", "FILE", "Who heard what otherwise than the source says: a TOML file."),
]
OneWorld = Annotated[str | None, option("--world", "WORLD", "Only this world of the log.")]
QuestionsOption = Annotated[
    Path | None, option("--questions", "FILE", "Write the questions that it has, as JSON Lines.")
]
ChaptersOption = Annotated[
    Path | None,
    option(
        "--text", "FOLDER", "The chapters of the novels, in files: SERIES/book_1/chapter_2.txt."
    ),
]
ExamplesOption = Annotated[
    Path | None,
    option("--examples", "PATH", "Examples for few-shot: the file of TimeChara's authors."),
]
ClusterOption = Annotated[
    str | None,
    option("--cluster", "local|ADDRESS", "Have workers of a Ray cluster do it (PostgreSQL)."),
]
WorkersOption = Annotated[
    int, typer.Option("--workers", min=1, metavar="N", help="So many, with --cluster.")
]
Json = Annotated[bool, flag("--json", "Answer in JSON.")]
Anyway = Annotated[
    bool, flag("--anyway", "If the log is damaged, save all that can still be read.")
]
SharedLog = Annotated[str, option("--log", "LOG", "A log on PostgreSQL.", VARIABLE)]
OrWorld = Annotated[str | None, argument("WORLD")]
OrAll = Annotated[bool, flag("--all", "All who play this log.")]


def check_either(world: str | None, *, every: bool) -> None:
    """Whom a command means: a world, or all; never all because nothing was said."""
    if (world is None) == (not every):
        raise typer.BadParameter("give a WORLD or --all: one of the two")


def listed(names: str) -> tuple[str, ...]:
    """The names in an option, with commas between."""
    return tuple(name.strip() for name in names.split(",") if name.strip())


async def on(
    address: str, work: Callable[[Any], Coroutine[Any, Any, T]], *, write: bool = False
) -> T:
    """Do something with a log, opened as it is needed."""
    async with existing(address) if write else reading(address) as log:
        return await work(log)
