"""What a character lived through as rows to train a model on: `whoknew export rows`."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from whoknew.agents.weights.rows import encoded, rows_of
from whoknew.engine.opening import check_new, reading
from whoknew.eventlog.archive import becoming


class ExportedTraining(Struct, frozen=True, kw_only=True):
    """How many rows went into a file, of how many episodes of a character, up to a seq."""

    file: str
    world: str
    character: str
    cursor: int
    episodes: int
    rows: int


async def export_rows(
    address: str, world: str, character: str, file: Path, at: str = "end"
) -> ExportedTraining:
    """From the character's view and nothing else, a chat a line."""
    check_new(file)
    async with reading(address) as log:
        view = await log.view(world, character, at)
        episodes = rows_of(await view.events())
    rows = [row for episode in episodes for row in episode.rows]
    with becoming(file) as partial, partial.open("wb") as out:
        for row in rows:
            out.write(encoded(character, row) + b"\n")
    return ExportedTraining(
        file=str(file),
        world=world,
        character=character,
        cursor=view.cursor.seq,
        episodes=len(episodes),
        rows=len(rows),
    )
