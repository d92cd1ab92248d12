"""What a note of the linked notes says, and how that is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.lines import one_line
from whoknew.agents.memories.writing import cut

WORDS = 40
"""A context has so many at most."""

MANY = 8
"""So many keywords, and so many tags, has a note at most."""


_PLACE = re.compile(r"\[(\d{1,9})\] ")


class NoteText(Struct, frozen=True):
    """What a note says: all of it is searched. Its content is the line that it is on."""

    content: str
    keywords: tuple[str, ...] = ()
    context: str = ""
    tags: tuple[str, ...] = ()
    links: tuple[int, ...] = ()

    def told(self, keywords: Sequence[str], context: str, tags: Sequence[str]) -> NoteText:
        """The same, as a model sees it: in few words, each on its line."""
        context = cut(one_line(context), WORDS)
        return NoteText(self.content, _few(keywords), context, _few(tags), self.links)

    def linked(self, others: Iterable[int]) -> NoteText:
        return replace(self, links=tuple(sorted({*self.links, *others})))

    @property
    def place(self) -> int:
        """Where in the view that line stands; 0 where it does not say."""
        found = _PLACE.match(self.content)
        return int(found[1]) if found else 0

    @property
    def text(self) -> str:
        return "\n".join(
            [
                self.content,
                f"Keywords: {', '.join(self.keywords)}",
                f"Context: {self.context}",
                f"Tags: {', '.join(self.tags)}",
                f"Links: {', '.join(map(str, self.links))}",
            ]
        )

    @classmethod
    def read(cls, text: str) -> NoteText:
        """Of what somebody else wrote, what is there."""
        content, *rest = text.splitlines() or [""]
        said = dict(one.split(": ", 1) for one in rest if ": " in one)
        links = (one for one in _listed(said.get("Links", "")) if one.isdecimal() and len(one) < 10)
        return cls(
            content,
            _listed(said.get("Keywords", "")),
            said.get("Context", ""),
            _listed(said.get("Tags", "")),
            tuple(map(int, links)),
        )


def _few(given: Sequence[str]) -> tuple[str, ...]:
    """The first of a list, each of them short."""
    words = (cut(one_line(one).strip(), MANY) for one in given)
    return tuple(dict.fromkeys(one for one in words if one))[:MANY]


def _listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(", ")))
