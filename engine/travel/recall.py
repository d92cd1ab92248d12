"""What comes up when a character searches its own past."""

from __future__ import annotations

from msgspec import Struct

from whoknew.engine.errors import BadQuestion
from whoknew.eventlog import Log, Recalled
from whoknew.eventlog.cursor import When

BEST = 10
"""So many matches, where nobody says how many."""


class RecallResult(Struct, frozen=True, kw_only=True):
    """The events of a view that hold some of the words, the best match first. The view holds
    `events` in all."""

    world: str
    character: str
    cursor: int
    words: str
    events: int
    found: tuple[Recalled, ...]


async def recall(
    log: Log, world: str, character: str, words: str, at: When = "end", k: int = BEST
) -> RecallResult:
    """What a search for some words finds in a character's view, the best match first."""
    if not words.strip():
        raise BadQuestion("there are no words to search for: give some")
    view = await log.view(world, character, at)
    found = await view.recall(words, k, own=True)
    return RecallResult(
        world=world,
        character=character,
        cursor=view.cursor.seq,
        words=words,
        events=len(view),
        found=tuple(found),
    )
