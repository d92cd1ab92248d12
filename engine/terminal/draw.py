"""`whoknew draw`: the story as a picture, into a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import TextLines, laid_out, safe
from whoknew.engine.terminal.matrix import LETTERS
from whoknew.engine.terminal.options import At, Json, LogOption, World, alone, on, option
from whoknew.engine.travel import draw as drawing
from whoknew.engine.travel.story_drawing import Drawing
from whoknew.eventlog import Log
from whoknew.eventlog.counted import counted
from whoknew.eventlog.knowledge import SURE
from whoknew.worlds.file_names import as_file_name

app = alone()


@app.command(epilog="Example: whoknew draw midnight-diner --about 89 --log midnight-diner.db")
def command(
    world: World,
    log: LogOption = DEFAULT_LOG,
    at: At = "end",
    about: Annotated[
        str | None,
        option("--about", "TEXT", "Colour who knows of this event: a seq, or words to search for."),
    ] = None,
    who: Annotated[str | None, option("--as", "NAME", "Only what NAME perceived.")] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE.svg", help="The file; WORLD.svg if not given."
        ),
    ] = None,
    sure: Annotated[
        float, typer.Option(min=0, max=1, metavar="P", help="Only tellings at least so sure.")
    ] = SURE,
    json: Json = False,
) -> None:
    """Draw who is together with whom, and who comes to know of an event.

    Time goes to the right, and each character has a line. With --about the line of everybody who knows
    of the event is coloured from then on, with an arrow from whoever told it.
    """
    into = file or Path(f"{as_file_name(world)}.svg")

    async def drawn(opened: Log) -> Drawing:
        return await drawing.draw_into(
            opened, world, into, at, about=about, character=who, sure=sure
        )

    answer(on(log, drawn), lambda found: shown(found, into), json)


def shown(found: Drawing, file: Path) -> TextLines:
    lines = counted(len(found.lines.people), "line")
    whose = f" as {safe(found.character)} perceived it" if found.character else ""
    told = f"{safe(str(file))}: {safe(found.title)}{whose}, {lines}"
    parts = [*laid_out(Text(told))]
    if fact := found.fact:
        know = sum(one.how != "otherwise" for one in fact.learnt)
        of = f" (of {fact.meant:,} found)" if fact.meant > 1 else ""
        parts += laid_out(
            Text(
                f"#{fact.event}{of} is known to {know} of {len(found.characters)}: {_cut(fact.text)}",
                "dim",
            )
        )
    if found.lines.others:
        parts.append(Text(f"{counted(found.lines.others, 'more character')} not drawn", "dim"))
    return TextLines(parts)


def _cut(text: str) -> str:
    flat = Text(safe(" ".join(text.split())))
    flat.truncate(LETTERS, overflow="ellipsis")
    return flat.plain
