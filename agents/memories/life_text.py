"""A text about a whole life, which its character writes anew from time to time: the newest is all that
comes to mind."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import astuple, replace

from whoknew.agents.agent import Note
from whoknew.agents.errors import BadAnswer
from whoknew.agents.lines import Line
from whoknew.agents.memories.memory import Occasion, Piece, Recollection, recollection
from whoknew.agents.memories.writing import (
    asked,
    check_cited,
    cited,
    cited_in,
    cut,
    sources,
    written,
)
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import Sections


class LifeText(Struct, frozen=True, kw_only=True):
    """Its notes are those of a `strategy`; `head` stands before it in a prompt. It is asked for by the
    `prompt` as an `answer`, which has one field, and has so many `words` at most."""

    strategy: str
    head: str
    prompt: str
    answer: type[Struct]
    words: int

    def recollected(self, now: Occasion) -> Recollection:
        """Where there is no room for it, it is left out."""
        last = newest_text(now, self.strategy, self.head)
        return recollection([Piece(last, (last.place,))] if last else [], now.budget)

    async def rewritten(
        self, now: Occasion, sections: Sections, places: Collection[int], reasks: int
    ) -> Note:
        """The text anew: of the one before, and of what is told of these places of the view. Memories
        that differ in something else ask for it in the same words, and one call does for all."""
        who, last = now.life.who, newest_text(now, self.strategy, self.head)
        allowed = {*places, *(cited_in(now.view, last.text) if last else ())}

        def read(found: Struct) -> Note:
            (text,) = astuple(found)
            if not text.strip():
                (field,) = found.__struct_fields__
                raise BadAnswer(f'"{field}" is empty: say so in words where there is nothing.')
            check_cited(text, allowed, "what you were given")
            short = cut(text.strip(), self.words)
            return Note(self.strategy, short, sources(short, cited(text) or places))

        rules = filled(self.prompt, name=who, words=self.words)
        sections = replace(sections, memory=(last,) if last else ())
        return await asked(now, rules, sections, self.answer, read, reasks)


def newest_text(now: Occasion, strategy: str, head: str) -> Line | None:
    """The newest of a strategy, as it stands in a prompt."""
    for place, note in reversed(now.life.notes):
        if note.strategy == strategy:
            return written(head, now.life.who, place, note.text)
    return None
