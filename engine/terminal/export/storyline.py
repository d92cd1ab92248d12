"""`whoknew export storyline`: a world as Bookmarks reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rich.console import Group
from rich.text import Text

from whoknew.engine.logs.storyline import ExportedStory, export_storyline
from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, LogOption, World, alone, argument
from whoknew.engine.terminal.remarks import strange
from whoknew.eventlog.counted import counted

app = alone()


@app.command(
    epilog="Example: whoknew export storyline midnight-diner stories --log midnight-diner.db"
)
def command(
    world: World,
    folder: Annotated[Path, argument("FOLDER")],
    log: LogOption = DEFAULT_LOG,
    json: Json = False,
) -> None:
    """Write a world as a storyline, as Bookmarks reads it, into a folder.

    Beside it, all_characters.json says who its major characters are. What came in that form goes out as
    it came in.
    """
    answer(export_storyline(log, world, folder), exported, json, "exporting the world")


def exported(found: ExportedStory) -> Group:
    what = f"{counted(found.actions, 'action')} under {counted(found.titles, 'title')}"
    line = f"{safe(found.file)}: {what}, {counted(found.major, 'major character')}"
    return Group(Text(line), *strange(found.remarks))
