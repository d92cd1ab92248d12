from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from whoknew.agents import (
    Memory,
    MemoryEntry,
    Note,
    Occasion,
    Owner,
    Piece,
    Recollection,
    Sections,
    briefing,
    insist,
    quoted,
    recollection,
)
from whoknew.agents.understand import understand

ASKED = "You are {who}. Write in {words} words at most what happened here, as JSON: an entry."


class Diary(Struct):
    entry: str


class Gist(Memory):
    def __init__(self, words: int, reasks: int) -> None:
        self._words, self._reasks = words, reasks

    async def recollect(self, now: Occasion) -> Recollection:
        notes = [(place, note) for place, note in now.life.notes if note.strategy == "gist"]
        pieces = [Piece(quoted(note.text), (place,), place) for place, note in notes]
        return recollection(pieces, now.budget)

    async def remember(self, now: Occasion) -> tuple[Note, ...]:
        episode = now.life.now
        if episode is None or not episode.lines:
            return ()
        asked = ASKED.format(who=now.life.who, words=self._words)
        sections = Sections(who=now.life.who, here=tuple(episode.lines))
        request = briefing.request("remember", asked, sections, Diary)
        kept = await insist(now.model, request, self._read, self._reasks)
        return (Note("gist", kept, tuple(episode.places)),)

    def _read(self, text: str) -> str:
        words = understand(text, Diary).entry.split()
        return " ".join(words[: self._words]) or "Nothing."


class GistEntry(MemoryEntry, frozen=True):
    """a few words on each episode"""

    calls_an_episode: ClassVar[int] = 1
    keeps: ClassVar[str] = "gist"

    words: Annotated[int, Meta(ge=1)] = 20

    def make(self, owner: Owner) -> Gist:
        return Gist(self.words, owner.reasks)
