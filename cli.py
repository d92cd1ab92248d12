"""The command line: each command parses, calls the engine once, and shows the result.

Exit codes: 0 done; 1 something was refused, failed or has faults; 2 wrong usage; 3 a run was
suspended and can go on; 130 interrupted.
What a command needs is imported when it runs, so that `whoknew --help` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractContextManager
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

T = TypeVar("T")

DEFAULT_LOG = "whoknew.db"
LOG_VARIABLE = "WHOKNEW_LOG"

UsageError: Any = typer.BadParameter.__mro__[1]
"""What the command line itself finds wrong; typer names only its children."""


def _group(text: str) -> typer.Typer:
    return typer.Typer(
        help=text,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


app = _group("Worlds on an append-only log that knows who knew what, when.")
log = _group("Look after a log. LOG is a file, or postgresql://...")
import_group = _group("Bring worlds from elsewhere into a log.")
export_group = _group("Write worlds as others read them.")
app.add_typer(log, name="log")
app.add_typer(import_group, name="import")
app.add_typer(export_group, name="export")


def _argument(name: str) -> Any:
    """What an argument means stands in its command's text."""
    return typer.Argument(metavar=name, hidden=True)


def _option(flag: str, metavar: str, text: str, variable: str | None = None) -> Any:
    return typer.Option(flag, metavar=metavar, help=text, envvar=variable)


Log = Annotated[str, _argument("LOG")]
Plan = Annotated[str, _argument("PLAN")]
World = Annotated[str, _argument("WORLD")]
File = Annotated[Path, _argument("FILE")]
LogOption = Annotated[
    str, _option("--log", "LOG", "The log: a file, or postgresql://...", LOG_VARIABLE)
]
OneWorld = Annotated[str | None, _option("--world", "WORLD", "Only this world of the log.")]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Anyway = Annotated[
    bool, typer.Option("--anyway", help="Also where the log is damaged: the copy is, too.")
]


def main() -> None:
    """Run a command. A reader that goes away (`| head`) ends it quietly."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            code = _command(sys.argv[1:])
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


def _command(words: Sequence[str]) -> int:
    """Run it, and say how it came out. What was typed wrong is told in one line."""
    command = typer.main.get_command(app)
    try:
        _check_words(words)
        code = command.main(list(words), prog_name="whoknew", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except UsageError as error:
        from whoknew.engine.show.errors import say_usage

        say_usage(error.format_message(), error.ctx.command_path if error.ctx else "whoknew")
        return 2


def _check_words(words: Sequence[str]) -> None:
    """An empty argument is nearly always a shell variable that is not set."""
    for before, word in zip(["whoknew", *words], words, strict=False):
        if not word.strip():
            raise typer.BadParameter(f"what follows `{before}` is empty", param_hint="argument")
        if word.startswith("--") and word.endswith("="):
            raise typer.BadParameter("it is empty", param_hint=word[:-1])


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


@app.command(epilog="Example: whoknew demo --log diner.db")
def demo(
    log: Annotated[str | None, _option("--log", "LOG", "Keep what is played in this log.")] = None,
) -> None:
    """Play ten nights in a diner; show who knew what, when.

    It needs no key and no network.
    """
    from whoknew.engine.demo import demo as play
    from whoknew.engine.show.demo import shown

    _answer(play(log), shown)


@app.command(epilog="Example: whoknew run plan.toml --dry-run")
def run(
    plan: Plan,
    log: Annotated[
        str | None, _option("--log", "LOG", "Into this log, not the plan's.", LOG_VARIABLE)
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
        Path | None, _option("--trace", "FILE", "Append warnings and errors to it, as JSON lines.")
    ] = None,
    json: Json = False,
) -> None:
    """Play a plan, or go on with it.

    PLAN is a file, or one of `whoknew worlds`, which offline minds then play into WORLD.db.

    The first Ctrl-C lets the turns in flight finish; a second one stops at once. Nothing is lost.
    """
    from whoknew.engine import conduct, forecast
    from whoknew.engine.show import progress
    from whoknew.engine.show import report as show
    from whoknew.engine.show.seat import console

    with _reporting(trace):
        loaded = conduct.load(plan, conduct.Options(log, chains, offline))
        if dry:
            _answer(forecast.forecast(conduct.program_of(loaded)), show.forecast, json)
            return
        if conduct.has_person(loaded):
            played = conduct.conduct(loaded, progress.beside_a_person, console())
        else:
            played = conduct.conduct(loaded, progress.watching)
        report = _answer(played, lambda one: show.shown(one, conduct.command()), json)
    if not report.finished:
        raise typer.Exit(1 if report.failed else 3)


@app.command(epilog="Example: whoknew ls --log harbour.db")
def ls(log: LogOption = DEFAULT_LOG, json: Json = False) -> None:
    """List the worlds of a log: how each stands, what it cost."""
    from whoknew.engine.roster import roster
    from whoknew.engine.show.roster import shown

    _answer(roster(log), lambda found: shown(found, log), json)


@app.command(epilog="Example: whoknew stop harbour")
def stop(
    world: Annotated[str | None, _argument("WORLD")] = None,
    log: Annotated[
        str | None, _option("--log", "LOG", "Only what is played into it.", LOG_VARIABLE)
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every run of yours here.")] = False,
    json: Json = False,
) -> None:
    """Stop a run on this machine in order; it can go on later.

    WORLD is one that it plays, or its plan. The turns in flight are finished first.
    """
    from whoknew.engine import running
    from whoknew.engine.show.running import stopped

    if (world is None) == (not every):
        raise typer.BadParameter("name a WORLD, or give --all", param_hint="argument")
    with _reporting():
        found = running.stop(world, log)
        _print(found if json else stopped(found), json)


@app.command(epilog="Example: whoknew show harbour --log harbour.db --episode 2")
def show(
    world: World,
    log: LogOption = DEFAULT_LOG,
    episode: Annotated[
        int | None, typer.Option("--episode", min=1, metavar="N", help="Only this episode.")
    ] = None,
    memories: Annotated[
        bool, typer.Option("--memories", help="Also what each kept of an episode.")
    ] = False,
    json: Json = False,
) -> None:
    """Tell what happened in a world, and who witnessed it."""
    from whoknew.engine.show.told import shown
    from whoknew.engine.telling import tell

    _answer(tell(log, world, episode), lambda told: shown(told, memories=memories), json)


@app.command(epilog="Example: whoknew worlds")
def worlds(json: Json = False) -> None:
    """List the worlds that come with Whoknew."""
    from whoknew.engine.show.worlds import shown
    from whoknew.worlds import shelf

    with _reporting():
        found = [shelf.find(name) for name in shelf.bundled()]
        _print(found if json else shown(found), json)


@app.command(epilog="Example: whoknew new plan.toml --world harbour")
def new(
    plan: Annotated[Path, _argument("PLAN")],
    world: Annotated[
        str, _option("--world", "WORLD", "One of `whoknew worlds`.")
    ] = "midnight-diner",
) -> None:
    """Write a commented plan to start from.

    PLAN is the file to write; one that is there is left alone.
    """
    from whoknew.engine.conduct import write_plan
    from whoknew.engine.show.report import written

    with _reporting():
        write_plan(plan, world)
        _print(written(plan))


@app.command(epilog="Example: whoknew doctor plan.toml")
def doctor(
    plan: Annotated[str | None, _argument("PLAN")] = None,
    log: Annotated[str | None, _option("--log", "LOG", "Look at it, too.", LOG_VARIABLE)] = None,
    json: Json = False,
) -> None:
    """Look at what this machine has and lacks.

    With a PLAN, each of its models is asked for one word. It exits with 1 where something will
    fail.
    """
    from whoknew.engine import conduct
    from whoknew.engine.doctor import examine
    from whoknew.engine.show.doctor import shown

    with _reporting():
        loaded = conduct.load(plan, conduct.Options(log)) if plan else None
        found = _answer(examine(loaded, log), shown, json)
    _exit_with_1_if(any(one.state == "fault" for one in found))


@import_group.command(
    name="sotopia", epilog="Example: whoknew import sotopia episodes/ --log sotopia.db"
)
def import_sotopia(
    path: Annotated[Path, _argument("PATH")],
    log: LogOption = DEFAULT_LOG,
    settings: Annotated[
        Path | None, _option("--settings", "FOLDER", "Write what there is to play into it.")
    ] = None,
    json: Json = False,
) -> None:
    """Bring Sotopia's episodes and games into a log.

    PATH is a file of Sotopia's, or a folder of them. Each episode and each game becomes a world;
    profiles and game configs become settings to play.
    """
    from whoknew.engine.exchange import import_sotopia as bring
    from whoknew.engine.show.exchange import brought

    _answer(bring(path, log, settings), brought, json, "importing")


@export_group.command(
    name="sotopia", epilog="Example: whoknew export sotopia harbour harbour.jsonl --log harbour.db"
)
def export_sotopia(
    world: World,
    file: File,
    log: LogOption = DEFAULT_LOG,
    form: Annotated[
        str, _option("--form", "FORM", "jsonl, or database: a dump of redis-om.")
    ] = "jsonl",
    json: Json = False,
) -> None:
    """Write a world's episodes as Sotopia's episode logs.

    Those that came from Sotopia go out as they came in, to the byte.
    """
    from whoknew.engine.exchange import export_sotopia as send
    from whoknew.engine.show.exchange import sent

    if form not in ("jsonl", "database"):
        raise typer.BadParameter(f"{form!r} is neither jsonl nor database", param_hint="--form")
    _answer(send(log, world, file, "jsonl" if form == "jsonl" else "database"), sent, json)


@log.command(epilog="Example: whoknew log info harbour.db")
def info(log: Log, json: Json = False) -> None:
    """Say what kind of log it is, and which worlds it holds."""
    from whoknew.engine import inventory
    from whoknew.engine.show.inventory import shown

    _answer(inventory.info(log), shown, json)


@log.command(epilog="Example: whoknew log head harbour.db > heads.txt")
def head(log: Log, world: OneWorld = None, json: Json = False) -> None:
    """Print each world's newest seq and hash, to keep elsewhere."""
    from whoknew.engine import upkeep
    from whoknew.engine.show.upkeep import heads

    _answer(upkeep.heads(log, world), heads, json)


@log.command(epilog="Example: whoknew log verify harbour.db --heads heads.txt")
def verify(
    log: Log,
    world: OneWorld = None,
    head: Annotated[
        list[str] | None,
        _option("--head", "HEAD", "A head that was kept, as `log head` printed it."),
    ] = None,
    heads: Annotated[
        Path | None, _option("--heads", "FILE", "A file of such heads; - reads stdin.")
    ] = None,
    json: Json = False,
) -> None:
    """Check that every event is what was written.

    Heads that were kept elsewhere must still stand in it. It exits with 1 where something is
    wrong. A world is checked with the past that it shares.
    """
    from whoknew.engine import upkeep
    from whoknew.engine.show.upkeep import checked

    with _reporting():
        try:
            kept = upkeep.kept(head or (), heads)
        except upkeep.BadHead as error:
            raise typer.BadParameter(
                str(error), param_hint="--heads" if heads else "--head"
            ) from None
    found = _answer(upkeep.check(log, world, kept), checked, json, "checking the log")
    _exit_with_1_if(bool(found.faults))


@log.command(epilog="Example: whoknew log export harbour.db harbour.jsonl.gz")
def export(
    log: Log, file: File, world: OneWorld = None, anyway: Anyway = False, json: Json = False
) -> None:
    """Write a log as JSON lines, hash for hash.

    FILE is gzipped where its name ends in .gz. A world is written with the past that it shares.
    All is checked first.
    """
    from whoknew.engine import upkeep
    from whoknew.engine.show.upkeep import exported

    work = upkeep.write_export(log, file, world, anyway=anyway)
    _answer(work, exported, json, "exporting the log")


@log.command(name="import", epilog="Example: whoknew log import new.db harbour.jsonl.gz")
def import_(log: Log, file: File, json: Json = False) -> None:
    """Read an export into a log.

    Where there is no log yet, one begins. All of FILE is checked before anything is written.
    """
    from whoknew.engine import upkeep
    from whoknew.engine.show.upkeep import imported

    _answer(upkeep.read_export(log, file), imported, json, "importing into the log")


@log.command(epilog="Example: whoknew log backup harbour.db copy.db")
def backup(log: Log, file: File, anyway: Anyway = False, json: Json = False) -> None:
    """Copy a log into a new SQLite file.

    Others may write to it meanwhile. All is checked first.
    """
    from whoknew.engine import upkeep
    from whoknew.engine.show.upkeep import backed_up

    work = upkeep.write_backup(log, file, anyway=anyway)
    _answer(work, backed_up, json, "backing up the log")


def _answer(
    work: Coroutine[Any, Any, T], shown: Callable[[T], Any], json: bool = False, doing: str = ""
) -> T:
    from whoknew.engine.show.answer import answer

    return answer(work, shown, json=json, doing=doing)


def _print(result: Any, json: bool = False) -> None:
    from whoknew.engine.show.answer import say

    say(result, json=json)


def _reporting(trace: Path | None = None) -> AbstractContextManager[None]:
    from whoknew.engine.show.answer import reporting

    return reporting(trace)


def _exit_with_1_if(wrong: bool) -> None:
    if wrong:
        raise typer.Exit(1)


if __name__ == "__main__":
    main()
