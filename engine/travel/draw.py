"""A story as a picture, into a file."""

from __future__ import annotations

import asyncio
from pathlib import Path

from whoknew.engine.opening import check_picture
from whoknew.engine.travel.story_drawing import Drawing, DrawnStory
from whoknew.engine.travel.story_picture import picture
from whoknew.eventlog import Log
from whoknew.eventlog.archive import becoming
from whoknew.eventlog.cursor import When
from whoknew.eventlog.knowledge import SURE

POSTER = 400
"""Columns of a picture that is kept: it may be as wide as a wall."""


async def draw(
    log: Log,
    world: str,
    at: When = "end",
    *,
    about: str | None = None,
    character: str | None = None,
    sure: float = SURE,
) -> Drawing:
    """The whole of a world up to a cursor, or as much of it as a character perceived; coloured by who
    knows of the event that `about` means."""
    return await DrawnStory(log, world, character).drawing(
        at, about=about, columns=POSTER, sure=sure
    )


async def draw_into(
    log: Log,
    world: str,
    file: Path,
    at: When = "end",
    *,
    about: str | None = None,
    character: str | None = None,
    sure: float = SURE,
) -> Drawing:
    """The same as a picture in SVG, in a new file: all of it or nothing."""
    check_picture(file)
    drawing = await draw(log, world, at, about=about, character=character, sure=sure)
    text = await asyncio.to_thread(picture, drawing)
    with becoming(file) as partial:
        partial.write_text(text, "utf-8")
    return drawing
