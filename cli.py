"""The command line: each command parses, calls the engine once, and shows the result.

Exit codes: 0 done; 1 something was refused, failed or has faults; 2 wrong usage; 3 a run was
suspended and can go on; 130 interrupted.
What a command needs is imported when it runs, so that `whoknew --help` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

T = TypeVar("T")

DEFAULT_LOG = "whoknew.db"
VARIABLE = "WHOKNEW_LOG"


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


def _flag(name: str, text: str) -> Any:
    return typer.Option(name, help=text)


def _option(flag: str, metavar: str, text: str, variable: str | None = None) -> Any:
    return typer.Option(flag, metavar=metavar, help=text, envvar=variable)


At = Annotated[str, _option("--at", "CURSOR", "#1200, E3, E3.T5, @TIME, a mark, end.")]
Log = Annotated[str, _argument("LOG")]
Plan = Annotated[str, _argument("PLAN")]
World = Annotated[str, _argument("WORLD")]
Name = Annotated[str, _argument("NAME")]
File = Annotated[Path, _argument("FILE")]
LogOption = Annotated[str, _option("--log", "LOG", "A file, or postgresql://...", VARIABLE)]
OneWorld = Annotated[str | None, _option("--world", "WORLD", "Only this world of the log.")]
Json = Annotated[bool, _flag("--json", "Answer in JSON.")]
Anyway = Annotated[bool, _flag("--anyway", "Also a damaged log: the copy is damaged, too.")]


def main() -> None:
    """Run a command. A reader that goes away (`| head`) ends it quietly."""
    from whoknew.engine.show.usage import run_command

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            code = run_command(typer.main.get_command(app), sys.argv[1:])
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


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
    plan: Annotated[str | None, _argument("PLAN")] = None,
    log: Annotated[str | None, _option("--log", "LOG", "Play into this log.", VARIABLE)] = None,
    offline: Annotated[bool, _flag("--offline", "Every mind offline: no key, no cost.")] = False,
    chains: Annotated[
        int | None, typer.Option("--chains", min=1, metavar="N", help="So many chains.")
    ] = None,
    dry: Annotated[bool, _flag("--dry-run", "Only say what would run, and its cost.")] = False,
    trace: Annotated[Path | None, _option("--trace", "FILE", "Warnings as JSON lines.")] = None,
    world: Annotated[
        str | None, _option("--world", "WORLD", "Go on with this one, by the plan on its log.")
    ] = None,
    json: Json = False,
) -> None:
    """Play a plan, or go on with it.

    PLAN is a file, or one of `whoknew worlds`, which offline minds then play into WORLD.db. A fork
    is gone on with by --world.

    The first Ctrl-C lets the turns in flight finish; a second one stops at once. Nothing is lost.
    """
    from whoknew.engine import conduct, forecast
    from whoknew.engine.show import progress
    from whoknew.engine.show import report as show
    from whoknew.engine.show.seat import console

    if (plan is None) == (world is None):
        raise typer.BadParameter("name a PLAN, or give --world")
    with _reporting(trace):
        loaded = conduct.load(plan, world, conduct.Options(log, chains, offline))
        person = console() if conduct.has_person(loaded) and not dry else None
    if dry:
        _answer(forecast.forecast(conduct.program_of(loaded)), show.forecast, json)
        return
    work = conduct.conduct(
        loaded, progress.beside_a_person if person else progress.watching, person
    )
    report = _answer(work, lambda one: show.shown(one, conduct.command()), json, trace=trace)
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
    log: Annotated[str | None, _option("--log", "LOG", "Only runs into it.", VARIABLE)] = None,
    every: Annotated[bool, _flag("--all", "Every run of yours here.")] = False,
    json: Json = False,
) -> None:
    """Stop a run on this machine in order; it can go on later.

    WORLD is one that it plays, or its plan. The turns in flight are finished first.
    """
    from whoknew.engine import running
    from whoknew.engine.show.running import stopped

    if (world is None) == (not every):
        raise typer.BadParameter("name a WORLD, or give --all")
    _answer(lambda: running.stop(world, log), stopped, json)


@app.command(epilog="Example: whoknew show harbour --log harbour.db --episode 2")
def show(
    world: World,
    log: LogOption = DEFAULT_LOG,
    episode: Annotated[
        int | None, typer.Option("--episode", min=1, metavar="N", help="Only this episode.")
    ] = None,
    memories: Annotated[bool, _flag("--memories", "Also what each remembered.")] = False,
    json: Json = False,
) -> None:
    """Tell what happened in a world, and who witnessed it."""
    from whoknew.engine.show.told import shown
    from whoknew.engine.telling import tell

    _answer(tell(log, world, episode), lambda told: shown(told, memories=memories), json)


@app.command(epilog="Example: whoknew replay diner --at E4 --as Ruben")
def replay(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    who: Annotated[str | None, _option("--as", "NAME", "Only what NAME perceived.")] = None,
    after: Annotated[str | None, _option("--from", "CURSOR", "Only what came after it.")] = None,
    follow: Annotated[bool, _flag("--follow", "Go on with what happens next.")] = False,
    speed: Annotated[
        float | None,
        typer.Option("--speed", min=0.001, metavar="X", help="X times as fast as it happened."),
    ] = None,
    json: Json = False,
) -> None:
    """Show a world as it stood at any moment.

    With --as, what one character had perceived by then; what it was told is marked.
    """
    from whoknew.engine.opening import reading
    from whoknew.engine.show import replay as show
    from whoknew.engine.travel import replaying

    async def found() -> Any:
        async with reading(log) as opened:
            seen = await replaying.replay(opened, world, at, character=who, after=after)
            if (follow or speed is not None) and not json:
                await show.watch(opened, seen, speed=speed, follow=follow)
                return None
            return seen

    _answer(found(), lambda seen: show.shown(seen) if seen else "", json)


@app.command(epilog="Example: whoknew knows diner --about 'cannot taste' --at E4 --trace")
def knows(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    about: Annotated[str | None, _option("--about", "TEXT", "Words, a seq, or 12-20.")] = None,
    who: Annotated[str, _option("--who", "NAMES", "Only these, with commas between.")] = "",
    trace: Annotated[bool, _flag("--trace", "Also how it came to those who were told.")] = False,
    json: Json = False,
) -> None:
    """Show who knows of what at any moment: present, told, absent.

    Without --about, of the secrets that were marked (`whoknew mark --secret`).
    """
    from whoknew.engine.show.knows import shown
    from whoknew.engine.travel import knowing

    names = tuple(name.strip() for name in who.split(",") if name.strip())
    work = _on(log, lambda opened: knowing.knows(opened, world, at, about=about, who=names))
    _answer(work, lambda found: shown(found, trace=trace), json)


@app.command(epilog="Example: whoknew ask diner Ruben 'Who cannot taste?' --at E4")
def ask(
    world: World,
    name: Name,
    question: Annotated[str, _argument("QUESTION")],
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    model: Annotated[str, _option("--model", "MODEL", "As in a plan.")] = "offline:",
    memory: Annotated[str, _option("--memory", "MEMORY", "As in a plan.")] = "entire",
    method: Annotated[str, _option("--method", "METHOD", "As in a plan.")] = "plain",
    unsaved: Annotated[bool, _flag("--no-save", "Do not keep it on the log.")] = False,
    json: Json = False,
) -> None:
    """Ask a character something at any moment of its life.

    It answers from its view alone. Shown are what that rests on, and how much it could not see.
    Question and answer are kept on the log, witnessed by nobody.
    """
    from whoknew.engine.probe import probe
    from whoknew.engine.show.travel import asked

    work = probe(log, world, name, question, at, model, memory, method, save=not unsaved)
    found = _answer(work, asked, json)
    if found.answer is None:
        raise typer.Exit(1)


@app.command(epilog="Example: whoknew recall diner Ruben 'the soup' --at E4")
def recall(
    world: World,
    name: Name,
    words: Annotated[str, _argument("WORDS")],
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    k: Annotated[int, typer.Option("-k", min=1, metavar="N", help="So many at most.")] = 10,
    json: Json = False,
) -> None:
    """Search what a character knows at any moment."""
    from whoknew.engine.show.travel import recalled
    from whoknew.engine.travel import recalling

    _answer(
        _on(log, lambda opened: recalling.recall(opened, world, name, words, at, k)), recalled, json
    )


@app.command(epilog="Example: whoknew prompt diner E3.T5 --who Ruben")
def prompt(
    world: World,
    at: Annotated[str, _argument("CURSOR")],
    log: LogOption = DEFAULT_LOG,
    who: Annotated[str | None, _option("--who", "NAME", "Only what NAME was asked.")] = None,
    json: Json = False,
) -> None:
    """Show what a model was given at a turn, and what it answered.

    The prompt is made again from the log and compared with the digest of what was sent.
    """
    from whoknew.engine.show.prompt import shown
    from whoknew.engine.travel import prompting

    _answer(_on(log, lambda opened: prompting.prompts(opened, world, at, who)), shown, json)


@app.command(epilog="Example: whoknew fork diner --at E4.T3 --tell Ruben 'Dorte cannot taste.'")
def fork(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: Annotated[str | None, _option("--at", "CURSOR", "As far as it is the same.")] = None,
    name: Annotated[str | None, _option("--name", "WORLD", "What the new world is called.")] = None,
    tell: Annotated[
        list[str] | None,
        typer.Option("--tell", metavar="NAME TEXT", help="NAME alone gets to know of it."),
    ] = None,
    goal: Annotated[
        list[str] | None,
        typer.Option("--goal", metavar="NAME TEXT", help="What NAME wants from now on."),
    ] = None,
    replace: Annotated[
        tuple[int, str] | None,
        typer.Option("--replace", metavar="SEQ TEXT", help="Another wording of that event."),
    ] = None,
    json: Json = False,
) -> None:
    """Begin a what-if: a world that is another's up to a cursor.

    `whoknew run --world` goes on in it, by the plan of its parent. With --replace all that came
    after SEQ, up to the cursor, stays as it was.
    """
    from whoknew.engine.show.travel import forked
    from whoknew.engine.show.usage import pairs
    from whoknew.engine.travel import forking

    changes = forking.Changes(pairs(tell), pairs(goal), replace)
    work = _on(
        log, lambda opened: forking.fork(opened, world, at, name=name, changes=changes), write=True
    )
    _answer(work, lambda found: forked(found, log), json)


@app.command(epilog="Example: whoknew diff diner --who Ruben,Dorte --at E4")
def diff(
    world: World,
    other: Annotated[str | None, _argument("OTHER")] = None,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    after: Annotated[str | None, _option("--from", "CURSOR", "The other cursor.")] = None,
    who: Annotated[str, _option("--who", "NAMES", "Two characters; or one, with --from.")] = "",
    json: Json = False,
) -> None:
    """Compare two characters, two cursors, or a fork with its parent.

    OTHER is another world of the same origin; without it, a fork's parent.
    """
    from whoknew.engine.show.diff import shown
    from whoknew.engine.travel import comparing

    names = tuple(name.strip() for name in who.split(",") if name.strip())
    work = _on(log, lambda opened: comparing.compare(opened, world, other, at, after, names))
    _answer(work, shown, json)


@app.command(epilog="Example: whoknew rerun diner --recorded")
def rerun(
    world: World,
    log: LogOption = DEFAULT_LOG,
    recorded: Annotated[
        bool, _flag("--recorded/--no-recorded", "With the answers on the log.")
    ] = True,
    json: Json = False,
) -> None:
    """Play a world again, and say whether the same story comes of it.

    It is played in memory, with the answers that are on the log: no model is asked, nothing is
    written. It exits with 1 where the story differs.
    """
    from whoknew.engine.show.travel import rerun as shown
    from whoknew.engine.travel import rerunning

    if not recorded:
        raise typer.BadParameter("to ask the models anew, run its plan under another name")
    found = _answer(_on(log, lambda opened: rerunning.rerun(opened, world)), shown, json, "playing")
    if not found.agrees:
        raise typer.Exit(1)


@app.command(epilog="Example: whoknew mark diner 'the secret' --at #31 --secret")
def mark(
    world: World,
    name: Name,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    secret: Annotated[bool, _flag("--secret", "Follow who knows of the event there.")] = False,
    json: Json = False,
) -> None:
    """Give a moment a name, which is a cursor from then on."""
    from whoknew.engine.show.travel import marked
    from whoknew.engine.travel import marking

    work = _on(log, lambda opened: marking.mark(opened, world, name, at, secret=secret), write=True)
    _answer(work, lambda found: marked(found, log), json)


@app.command(epilog="Example: whoknew worlds")
def worlds(json: Json = False) -> None:
    """List the worlds that come with Whoknew."""
    from whoknew.engine.show.worlds import shown
    from whoknew.worlds import shelf

    _answer(lambda: [shelf.find(name) for name in shelf.bundled()], shown, json)


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

    _answer(lambda: write_plan(plan, world), lambda _: written(plan))


@app.command(epilog="Example: whoknew doctor plan.toml")
def doctor(
    plan: Annotated[str | None, _argument("PLAN")] = None,
    log: Annotated[str | None, _option("--log", "LOG", "Look at it, too.", VARIABLE)] = None,
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
        loaded = conduct.load(plan, None, conduct.Options(log)) if plan else None
    found = _answer(examine(loaded, log), shown, json)
    if any(one.state == "fault" for one in found):
        raise typer.Exit(1)


@import_group.command("sotopia", epilog="Example: whoknew import sotopia episodes/")
def import_sotopia(
    path: Annotated[Path, _argument("PATH")],
    log: LogOption = DEFAULT_LOG,
    settings: Annotated[
        Path | None, _option("--settings", "FOLDER", "Write what can be played into it.")
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


def _import(kind: str, what: str, example: str) -> None:
    """A command that brings in the worlds of one kind of file."""

    def command(
        path: Annotated[str, _argument("PATH")], log: LogOption = DEFAULT_LOG, json: Json = False
    ) -> None:
        from whoknew.engine.exchange import bring
        from whoknew.engine.show.exchange import brought

        _answer(bring(kind, path, log), brought, json, "importing")

    command.__doc__ = what
    import_group.command(kind, epilog=f"Example: whoknew import {kind} {example}")(command)


_import(
    "play",
    "Bring stage plays in Jon Bosak's markup into a log.\n\nPATH is a file, a folder of them, or `the-lamp-room`, which comes with Whoknew. Each scene becomes\nan episode; who hears what follows from the stage directions.",
    "hamlet.xml",
)
_import(
    "storyline",
    "Bring storylines, as Bookmarks reads them, into a log.",
    "title2action_series.hamlet.json",
)
_import("locomo", "Bring LoCoMo's conversations into a log.", "locomo.json")
_import("bigtom", "Bring BigToM's stories into a log, four worlds a row.", "bigtom.csv")


@export_group.command("sotopia", epilog="Example: whoknew export sotopia harbour out.jsonl")
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
        list[str] | None, _option("--head", "HEAD", "A kept head, as `log head` printed it.")
    ] = None,
    heads: Annotated[Path | None, _option("--heads", "FILE", "Such heads; - is stdin.")] = None,
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
    if found.faults:
        raise typer.Exit(1)


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
    work: Coroutine[Any, Any, T] | Callable[[], T],
    shown: Callable[[T], Any],
    json: bool = False,
    doing: str = "",
    trace: Path | None = None,
) -> T:
    from whoknew.engine.show.answer import answer

    return answer(work, shown, json=json, doing=doing, trace=trace)


@log.command(epilog="Example: whoknew log anonymise harbour.db nameless.jsonl key.json")
def anonymise(
    log: Log,
    file: File,
    key: Annotated[Path, _argument("KEY")],
    world: OneWorld = None,
    json: Json = False,
) -> None:
    """Write a log as JSON lines without a name in it.

    Each person gets an alias such as Person7, in every text. KEY is the file that turns them back:
    keep it apart. `log import` reads FILE as any other.
    """
    from whoknew.engine.anonymising import anonymise as write
    from whoknew.engine.show.upkeep import anonymised

    _answer(write(log, file, key, world), anonymised, json, "taking out the names")


@log.command(epilog="Example: whoknew log restore nameless.jsonl key.json harbour.jsonl")
def restore(
    file: File,
    key: Annotated[Path, _argument("KEY")],
    target: Annotated[Path, _argument("TARGET")],
    json: Json = False,
) -> None:
    """Put the names back into what `log anonymise` wrote.

    TARGET is then what `log export` would have written, to the byte.
    """
    from whoknew.engine.anonymising import put_back
    from whoknew.engine.show.upkeep import restored

    _answer(lambda: put_back(file, key, target), restored, json, "putting the names back")


async def _on(
    address: str, work: Callable[[Any], Coroutine[Any, Any, T]], *, write: bool = False
) -> T:
    """Do something with a log, opened as it is needed."""
    from whoknew.engine.opening import existing, reading

    async with existing(address) if write else reading(address) as log:
        return await work(log)


def _reporting(trace: Path | None = None) -> AbstractContextManager[None]:
    from whoknew.engine.show.answer import reporting

    return reporting(trace)


if __name__ == "__main__":
    main()
