"""`whoknew bundle`: a world as files to send."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.server.bundle import Bundled, BundleOptions, bundle
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, LogOption, World, alone, argument, option
from whoknew.eventlog.counted import counted

app = alone()


@app.command(epilog="Example: whoknew bundle midnight-diner diner --log midnight-diner.db")
def command(
    world: World,
    folder: Annotated[Path, argument("FOLDER")],
    log: LogOption = DEFAULT_LOG,
    who: Annotated[
        str | None, option("--as", "NAME", "Only what this character perceived.")
    ] = None,
    without: Annotated[
        Literal["prompts"] | None,
        typer.Option("--without", metavar="prompts", help="Leave out what models were given."),
    ] = None,
    key: Annotated[
        Path | None,
        option("--nameless", "KEY", "Take the names out; KEY is a new file that turns them back."),
    ] = None,
    json: Json = False,
) -> None:
    """Write a world as files to send: a page that opens without a server.

    It goes into a new FOLDER: open index.html there, or put it on any host. Nothing is in it that its
    reader may not see: what was written is searched for that before it is left there.
    """
    options = BundleOptions(who=who, prompts=not without, key=key)
    answer(bundle(log, world, folder, options), bundled, json, "writing the bundle")


def bundled(found: Bundled) -> str:
    whose = f"what {safe(found.character)} perceived" if found.character else "all"
    events, files = counted(found.events, "event"), counted(found.files, "file")
    lines = [
        f"{safe(found.folder)}: {whose} of {safe(found.world)}, {events}",
        f"{files}, {found.size / 1e6:.1f} MB: open {safe(found.folder)}/index.html",
    ]
    if found.turns:
        lines.append(f"with the prompts of {counted(found.turns, 'turn')}")
    if found.left:
        lines.append(f"without those of {counted(found.left, 'turn')} before, to stay small")
    if found.people:
        lines.append(f"the names of {counted(found.people, 'character')} were taken out")
    return "".join(f"{line}\n" for line in lines)
