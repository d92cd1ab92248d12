"""Worlds from elsewhere, and to elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from whoknew.engine.commands.options import (
    DEFAULT_LOG,
    File,
    Json,
    LogOption,
    World,
    answer,
    argument,
    group,
    option,
)

import_group = group("Bring worlds from elsewhere into a log.")
export_group = group("Write worlds as others read them.")


@import_group.command("sotopia", epilog="Example: whoknew import sotopia episodes/")
def import_sotopia(
    path: Annotated[Path, argument("PATH")],
    log: LogOption = DEFAULT_LOG,
    settings: Annotated[
        Path | None, option("--settings", "FOLDER", "Write what can be played into it.")
    ] = None,
    json: Json = False,
) -> None:
    """Bring Sotopia's episodes and games into a log.

    PATH is a file of Sotopia's, or a folder of them. Each episode and each game becomes a world;
    profiles and game configs become settings to play.
    """
    from whoknew.engine.logs.exchange import import_sotopia as read_sotopia
    from whoknew.engine.show.exchange import brought

    answer(read_sotopia(path, log, settings), brought, json, "importing")


def _import(kind: str, what: str, example: str) -> None:
    """A command that brings in the worlds of one kind of file."""

    def command(
        path: Annotated[str, argument("PATH")], log: LogOption = DEFAULT_LOG, json: Json = False
    ) -> None:
        from whoknew.engine.logs.exchange import import_worlds
        from whoknew.engine.show.exchange import brought

        answer(import_worlds(kind, path, log), brought, json, "importing")

    command.__doc__ = what
    import_group.command(kind, epilog=f"Example: whoknew import {kind} {example}")(command)


_import(
    "play",
    "Bring stage plays in Jon Bosak's markup into a log.\n\nPATH is a file, a folder of them, or `the-lamp-room`, which comes with Whoknew. Each scene becomes\nan episode; who hears what follows from the stage directions.",
    "the-lamp-room",
)
_import(
    "storyline",
    "Bring storylines, as Bookmarks reads them, into a log.",
    "title2action_series.hamlet.json",
)
_import("locomo", "Bring LoCoMo's conversations into a log.", "locomo.json")
_import("bigtom", "Bring BigToM's stories into a log, four worlds a row.", "bigtom.csv")


@export_group.command(
    "sotopia",
    epilog="Example: whoknew export sotopia midnight-diner out.jsonl --log midnight-diner.db",
)
def export_sotopia(
    world: World,
    file: File,
    log: LogOption = DEFAULT_LOG,
    form: Annotated[
        str, option("--form", "FORM", "jsonl, or database: a dump of redis-om.")
    ] = "jsonl",
    json: Json = False,
) -> None:
    """Write a world's episodes as Sotopia's episode logs.

    Those that came from Sotopia go out as they came in, to the byte.
    """
    from whoknew.engine.logs.exchange import export_sotopia as send
    from whoknew.engine.show.exchange import sent

    if form not in ("jsonl", "database"):
        raise typer.BadParameter(f"{form!r} is neither jsonl nor database", param_hint="--form")
    answer(send(log, world, file, "jsonl" if form == "jsonl" else "database"), sent, json)
