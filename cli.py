"""The command line: each command parses, calls the engine once, and shows the result.

Exit codes: 0 done; 1 something was refused, failed or has faults; 2 wrong usage; 3 a run was
suspended and can go on; 130 interrupted.
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
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
log = typer.Typer(help="Look after a log.", no_args_is_help=True)
app.add_typer(log, name="log")
import_group = typer.Typer(help="Bring worlds from elsewhere into a log.", no_args_is_help=True)
app.add_typer(import_group, name="import")
export_group = typer.Typer(help="Write worlds as others read them.", no_args_is_help=True)
app.add_typer(export_group, name="export")

Log = Annotated[str, typer.Argument(metavar="LOG", help="A file, or postgresql://...")]
LogOption = Annotated[
    str,
    typer.Option("--log", metavar="LOG", envvar="WHOKNEW_LOG", help="A file, or postgresql://..."),
]
Plan = Annotated[str, typer.Argument(metavar="PLAN", help="A plan's file, or a world's name.")]
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
    """Play ten nights in a diner, and show who knew what, when. No key, no network."""
    from whoknew.engine.demo import demo as play
    from whoknew.engine.show.demo import shown

    with _reporting():
        _print(shown(_run(play(log))))


@app.command()
def run(
    plan: Plan,
    log: Annotated[
        str | None, typer.Option("--log", metavar="LOG", help="Into this log, not the plan's.")
    ] = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Every mind offline: no key, no network, no cost.")
    ] = False,
    chains: Annotated[
        int | None, typer.Option("--chains", min=1, metavar="N", help="So many chains.")
    ] = None,
    dry: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would run, and what it may cost.")
    ] = False,
    trace: Annotated[
        Path | None, typer.Option("--trace", metavar="FILE", help="Warnings and errors as JSON.")
    ] = None,
    json: Json = False,
) -> None:
    """Play a plan, or go on with it. PLAN is a file, or a world of `whoknew worlds`.

    The first Ctrl-C lets the turns in flight finish; a second one stops at once. Nothing is lost.
    """
    from whoknew.engine import conduct, forecast
    from whoknew.engine.show import report as show
    from whoknew.engine.show.progress import watching
    from whoknew.engine.show.seat import console

    with _reporting(trace):
        loaded = conduct.load(plan, conduct.Options(log, chains, offline))
        if dry:
            expected = _run(forecast.forecast(conduct.program_of(loaded)))
            _print(expected if json else show.forecast(expected), json)
            return
        person = console() if conduct.has_person(loaded) else None
        report = _run(conduct.conduct(loaded, watching, person))
        _print(report if json else show.shown(report, conduct.command()), json)
        if not report.finished:
            raise typer.Exit(1 if report.failed else 3)


@app.command()
def ls(log: LogOption = "whoknew.db", json: Json = False) -> None:
    """The worlds of a log: how each stands, and what it has cost."""
    from whoknew.engine.roster import roster
    from whoknew.engine.show.roster import shown

    with _reporting():
        found = _run(roster(log))
        _print(found if json else shown(found, log), json)


@app.command()
def stop(
    world: Annotated[str | None, typer.Argument(metavar="WORLD", help="Or leave it out.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every run of yours here.")] = False,
) -> None:
    """Ask a run on this machine to finish its turns in flight and stop; `run` goes on later."""
    from whoknew.engine.running import stop as ask

    if (world is None) == (not every):
        raise typer.BadParameter("name a world, or give --all")
    with _reporting():
        for one in ask(world):
            typer.echo(
                f"stopped: {', '.join(one.worlds[:8])} (process {one.pid}); to go on, run it"
            )


@app.command()
def show(
    world: Annotated[str, typer.Argument(metavar="WORLD")],
    log: LogOption = "whoknew.db",
    episode: Annotated[
        int | None, typer.Option("--episode", metavar="N", help="Only this episode.")
    ] = None,
    json: Json = False,
) -> None:
    """What happened in a world, and who witnessed it."""
    from whoknew.engine.show.told import shown
    from whoknew.engine.telling import tell

    with _reporting():
        found = _run(tell(log, world, episode))
        _print(found if json else shown(found), json)


@app.command()
def worlds(json: Json = False) -> None:
    """The worlds that come with Whoknew."""
    from whoknew.engine.show.worlds import shown
    from whoknew.worlds import shelf

    with _reporting():
        found = [shelf.find(name) for name in shelf.bundled()]
        _print(found if json else shown(found), json)


@app.command()
def new(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="The file to write.")],
    world: Annotated[
        str, typer.Option("--world", metavar="NAME", help="One of `whoknew worlds`.")
    ] = "midnight-diner",
) -> None:
    """Write a commented plan to start from."""
    from whoknew.engine.conduct import write_plan

    with _reporting():
        write_plan(plan, world)
        typer.echo(f"wrote {plan}: look through it, then `whoknew run {plan} --dry-run`")


@app.command()
def doctor(
    plan: Annotated[
        str | None, typer.Argument(metavar="[PLAN]", help="Ask the models of this plan, too.")
    ] = None,
    log: Annotated[
        str | None, typer.Option("--log", metavar="LOG", help="Look at it, too.")
    ] = None,
    json: Json = False,
) -> None:
    """Look at what this machine has and lacks; exit with 1 where something will fail."""
    from whoknew.engine import conduct
    from whoknew.engine.doctor import examine
    from whoknew.engine.show.doctor import shown

    with _reporting():
        loaded = conduct.load(plan, conduct.Options(log)) if plan else None
        found = _run(examine(loaded, log))
        _print(found if json else shown(found), json)
        if any(one.state == "fault" for one in found):
            raise typer.Exit(1)


@import_group.command(name="sotopia")
def import_sotopia(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A file of Sotopia's, or a folder.")],
    log: LogOption = "whoknew.db",
    settings: Annotated[
        Path | None,
        typer.Option("--settings", metavar="FOLDER", help="Write what there is to play here."),
    ] = None,
    json: Json = False,
) -> None:
    """Episodes and games of Sotopia become worlds; profiles and game configs, settings to play."""
    from whoknew.engine import exchange
    from whoknew.engine.show.exchange import brought
    from whoknew.engine.show.waiting import waiting

    with _reporting():
        with waiting("importing"):
            found = _run(exchange.import_sotopia(path, log, settings))
        _print(found if json else brought(found), json)


@export_group.command(name="sotopia")
def export_sotopia(
    world: Annotated[str, typer.Argument(metavar="WORLD")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    log: LogOption = "whoknew.db",
    form: Annotated[
        str, typer.Option("--form", metavar="FORM", help="jsonl, or database: a dump of redis-om.")
    ] = "jsonl",
    json: Json = False,
) -> None:
    """The episodes of a world as episode logs of Sotopia; imported ones to the byte."""
    from whoknew.engine import exchange
    from whoknew.engine.show.exchange import sent

    if form not in ("jsonl", "database"):
        raise typer.BadParameter("give jsonl or database", param_hint="--form")
    with _reporting():
        done = _run(
            exchange.export_sotopia(log, world, file, "jsonl" if form == "jsonl" else "database")
        )
        _print(done if json else sent(done), json)


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
def _reporting(trace: Path | None = None) -> Iterator[None]:
    """Say what went wrong in one message, and exit with 1. Warnings go to stderr too, or into a
    file as JSON."""
    from whoknew.agents.errors import AgentError
    from whoknew.engine.conduct import Interrupted
    from whoknew.engine.errors import EngineError, Suspended
    from whoknew.engine.show.console import say_error
    from whoknew.engine.show.trace import tracing
    from whoknew.eventlog.errors import LogError
    from whoknew.worlds.errors import WorldError

    try:
        with tracing(trace):
            yield
    except BrokenPipeError:
        raise
    except (LogError, WorldError, AgentError, EngineError, OSError) as error:
        say_error(str(error))
        raise typer.Exit(3 if isinstance(error, Suspended) else 1) from None
    except (KeyboardInterrupt, Interrupted):
        say_error("stopped at once; the same command goes on, and nothing is lost")
        raise typer.Exit(130) from None


if __name__ == "__main__":
    main()
