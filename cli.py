"""The command line: each command parses, calls the engine once, and shows the result.

Exit codes: 0 done; 1 the log refused, is damaged, or has faults; 2 wrong usage; 130 interrupted.
What a command needs is imported when it runs, so that `whoknew --help` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from whoknew.eventlog import Head

T = TypeVar("T")

app = typer.Typer(
    help="Worlds on an append-only log that knows who knew what, when.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
log = typer.Typer(help="Look after a log.", no_args_is_help=True)
app.add_typer(log, name="log")

Log = Annotated[str, typer.Argument(metavar="LOG", help="A file, or postgresql://...")]
World = Annotated[str | None, typer.Option("--world", help="One world, with all of its past.")]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]


def main() -> None:
    """Run a command. A reader that goes away (`| head`) ends it quietly."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"whoknew {version('whoknew')}")
        raise typer.Exit


@app.callback()
def whoknew(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Say which, and stop."),
    ] = False,
) -> None:
    pass


@app.command()
def demo(
    log: Annotated[
        str | None, typer.Option("--log", metavar="LOG", help="Keep it in this log.")
    ] = None,
) -> None:
    """Play a small world into a log, and show who knew what, when. No key, no network."""
    from whoknew.engine.demo import demo as play
    from whoknew.engine.show.demo import shown

    with _reporting():
        _print(shown(_run(play(log))))


@log.command()
def info(log: Log, json: Json = False) -> None:
    """What kind of log it is, and which worlds it holds."""
    from whoknew.engine import inventory
    from whoknew.engine.show.inventory import shown

    with _reporting():
        found = _run(inventory.info(log))
        _print(found if json else shown(found), json)


@log.command()
def head(log: Log, world: World = None, json: Json = False) -> None:
    """Print the newest event's seq and hash of each world, to keep elsewhere."""
    from whoknew.engine import upkeep
    from whoknew.engine.show.upkeep import heads

    with _reporting():
        found = _run(upkeep.heads(log, world))
        _print(found if json else heads(found), json)


@log.command()
def verify(
    log: Log,
    world: World = None,
    head: Annotated[
        list[str] | None,
        typer.Option(
            "--head", metavar="HEAD", help="A head that was kept, as `log head` printed it."
        ),
    ] = None,
    heads: Annotated[
        Path | None, typer.Option("--heads", metavar="FILE", help="A file of such heads.")
    ] = None,
    json: Json = False,
) -> None:
    """Check that every event is what was written; exit with 1 where one is not."""
    from whoknew.engine import upkeep
    from whoknew.engine.show.upkeep import verified
    from whoknew.engine.show.waiting import waiting

    with _reporting():
        kept = _parsed(head or (), "--head")
        if heads:
            kept += _parsed(upkeep.lines(heads), str(heads))
        with waiting("checking the log"):
            found = _run(upkeep.check(log, world, kept))
        _print(found if json else verified(found), json)
        if found.faults:
            raise typer.Exit(1)


@log.command()
def export(log: Log, file: Path, world: World = None, json: Json = False) -> None:
    """Write worlds as JSON lines, hash for hash; gzipped where FILE ends in .gz."""
    from whoknew.engine import upkeep
    from whoknew.engine.show.upkeep import copied
    from whoknew.engine.show.waiting import waiting

    with _reporting():
        with waiting("exporting the log"):
            done = _run(upkeep.write_export(log, file, world))
        _print(done if json else copied("exported", done), json)


@log.command(name="import")
def import_(log: Log, file: Path, json: Json = False) -> None:
    """Read an export into a log; where there is no log yet, one begins."""
    from whoknew.engine import upkeep
    from whoknew.engine.show.upkeep import imported
    from whoknew.engine.show.waiting import waiting

    with _reporting():
        with waiting("importing into the log"):
            done = _run(upkeep.read_export(log, file))
        _print(done if json else imported(done), json)


@log.command()
def backup(log: Log, file: Path, json: Json = False) -> None:
    """Copy the log into a new SQLite file, while others write to it."""
    from whoknew.engine import upkeep
    from whoknew.engine.show.upkeep import copied
    from whoknew.engine.show.waiting import waiting

    with _reporting():
        with waiting("backing up the log"):
            done = _run(upkeep.write_backup(log, file))
        _print(done if json else copied("backed up", done), json)


def _parsed(lines: Sequence[str], source: str) -> list[Head]:
    """Heads as they were printed; what is none is wrong usage."""
    from whoknew.engine.upkeep import BadHead, parse_head

    try:
        return [parse_head(line) for line in lines]
    except BadHead as error:
        raise typer.BadParameter(str(error), param_hint=source) from None


def _run(work: Coroutine[Any, Any, T]) -> T:
    import asyncio

    return asyncio.run(work)


def _print(result: Any, json: bool = False) -> None:
    """Text and JSON as they are; what is laid out, to the width of the terminal."""
    from whoknew.engine.show.console import out
    from whoknew.engine.show.jsontext import as_json

    if json:
        typer.echo(as_json(result))
    elif isinstance(result, str):
        typer.echo(result, nl=False)
    else:
        out().print(result)


@contextmanager
def _reporting() -> Iterator[None]:
    """Say what went wrong in one message, and exit with 1. Warnings go to stderr too."""
    import structlog

    from whoknew.engine.show.console import say_error
    from whoknew.eventlog.errors import LogError
    from whoknew.worlds.errors import WorldError

    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    try:
        yield
    except BrokenPipeError:
        raise
    except (LogError, WorldError, OSError) as error:
        say_error(str(error))
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


if __name__ == "__main__":
    main()
