"""Looking after a log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from whoknew.engine.commands.options import (
    Anyway,
    File,
    Json,
    Log,
    OneWorld,
    answer,
    argument,
    group,
    option,
    reporting,
)

log_group = group("Look after a log. LOG is a file, or postgresql://...")


@log_group.command(epilog="Example: whoknew log info midnight-diner.db")
def info(log: Log, json: Json = False) -> None:
    """Say what kind of log it is, and which worlds it holds."""
    from whoknew.engine.logs import info as inventory
    from whoknew.engine.show.inventory import shown

    answer(inventory.info(log), shown, json)


@log_group.command(epilog="Example: whoknew log head midnight-diner.db > heads.txt")
def head(log: Log, world: OneWorld = None, json: Json = False) -> None:
    """Print each world's newest seq and hash, to keep elsewhere."""
    from whoknew.engine.logs import upkeep
    from whoknew.engine.show.upkeep import heads

    answer(upkeep.heads(log, world), heads, json)


@log_group.command(epilog="Example: whoknew log verify midnight-diner.db --heads heads.txt")
def verify(
    log: Log,
    world: OneWorld = None,
    head: Annotated[
        list[str] | None, option("--head", "HEAD", "A kept head, as `log head` printed it.")
    ] = None,
    heads: Annotated[Path | None, option("--heads", "FILE", "Such heads; - is stdin.")] = None,
    json: Json = False,
) -> None:
    """Check that every event is what was written.

    Heads that were kept elsewhere must still stand in it. It exits with 1 where something is
    wrong. A world is checked with the past that it shares.
    """
    from whoknew.engine.logs import upkeep
    from whoknew.engine.show.upkeep import checked

    with reporting():
        try:
            kept = upkeep.kept(head or (), heads)
        except upkeep.BadHead as error:
            raise typer.BadParameter(
                str(error), param_hint="--heads" if heads else "--head"
            ) from None
    found = answer(upkeep.check(log, world, kept), checked, json, "checking the log")
    if found.faults:
        raise typer.Exit(1)


@log_group.command(epilog="Example: whoknew log export midnight-diner.db midnight-diner.jsonl.gz")
def export(
    log: Log, file: File, world: OneWorld = None, anyway: Anyway = False, json: Json = False
) -> None:
    """Write a log as JSON lines, hash for hash.

    FILE is gzipped where its name ends in .gz. A world is written with the past that it shares.
    All is checked first.
    """
    from whoknew.engine.logs import upkeep
    from whoknew.engine.show.upkeep import exported

    work = upkeep.write_export(log, file, world, anyway=anyway)
    if answer(work, exported, json, "exporting the log").lost:
        raise typer.Exit(1)


@log_group.command(
    name="import", epilog="Example: whoknew log import new.db midnight-diner.jsonl.gz"
)
def import_(log: Log, file: File, json: Json = False) -> None:
    """Read an export into a log.

    Where there is no log yet, one begins. All of FILE is checked before anything is written.
    """
    from whoknew.engine.logs import upkeep
    from whoknew.engine.show.upkeep import imported

    answer(upkeep.read_export(log, file), imported, json, "importing into the log")


@log_group.command(epilog="Example: whoknew log backup midnight-diner.db copy.db")
def backup(log: Log, file: File, anyway: Anyway = False, json: Json = False) -> None:
    """Copy a log into a new SQLite file.

    Others may write to it meanwhile. All is checked first.
    """
    from whoknew.engine.logs import upkeep
    from whoknew.engine.show.upkeep import backed_up

    work = upkeep.write_backup(log, file, anyway=anyway)
    if answer(work, backed_up, json, "backing up the log").lost:
        raise typer.Exit(1)


@log_group.command(
    epilog="Example: whoknew log anonymise midnight-diner.db nameless.jsonl key.json"
)
def anonymise(
    log: Log,
    file: File,
    key: Annotated[Path, argument("KEY")],
    world: OneWorld = None,
    json: Json = False,
) -> None:
    """Write a log as JSON lines without a name in it.

    Each person gets an alias such as Person7, in every text. KEY is the file that turns them back:
    keep it apart. `log import` reads FILE as any other.
    """
    from whoknew.engine.logs.anonymise import anonymise as write
    from whoknew.engine.show.upkeep import anonymised

    answer(write(log, file, key, world), anonymised, json, "taking out the names")


@log_group.command(
    epilog="Example: whoknew log restore nameless.jsonl key.json midnight-diner.jsonl"
)
def restore(
    file: File,
    key: Annotated[Path, argument("KEY")],
    target: Annotated[Path, argument("TARGET")],
    json: Json = False,
) -> None:
    """Put the names back into what `log anonymise` wrote.

    TARGET is then what `log export` would have written, to the byte.
    """
    from whoknew.engine.logs.anonymise import put_back
    from whoknew.engine.show.upkeep import restored

    answer(lambda: put_back(file, key, target), restored, json, "putting the names back")
