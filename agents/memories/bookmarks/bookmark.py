"""A bookmark: a question that is worth an answer, and the answer, kept up to date."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from whoknew.agents.memories.bookmarks.call_cost import NO_CALLS, CallCost
from whoknew.agents.memories.bookmarks.grid import CHUNK
from whoknew.agents.memories.bookmarks.positions import NO_POSITIONS, Positions
from whoknew.agents.memories.bookmarks.spans import NO_SPANS, Spans
from whoknew.eventlog.words import terms, words

BookmarkKind = Literal["concept", "state", "behavioral"]
"""What somebody or something is; how things stand now; how somebody usually acts."""

UNKNOWN = "unknown"
"""The answer to what nothing has answered yet."""

Count = Annotated[int, Meta(ge=0, lt=2**32)]
"""Of lines: positions count what happened in a view, line by line, from 1; up to 0 is nothing. There are no
more of them: who writes down another lies."""


Short = Annotated[str, Meta(max_length=1024)]
"""A question, a keyword, a name. None of ours is as long."""

Long = Annotated[str, Meta(max_length=4096)]
"""An answer, likewise."""


class Proposal(Struct, frozen=True):
    """A question that is worth an answer now. What is about no kind of behavior of anybody names no
    character."""

    question: Short
    kind: BookmarkKind
    character: Short = ""

    @property
    def same(self) -> tuple[str, str, str]:
        """What two proposals have in common that are one."""
        return self.kind, self.character, " ".join(words(self.question))


class KeptAnswer(Struct, frozen=True, omit_defaults=True):
    """An answer, and the positions of the lines that it rests on."""

    text: Long = UNKNOWN
    rests: tuple[Count, ...] = ()

    @property
    def known(self) -> bool:
        return self.text.strip(" .").casefold() != UNKNOWN


class Fold(Struct, frozen=True):
    """The answer to how things stand, as it was after the line `upto`; and what it takes to come there from
    the start, where that is known."""

    upto: Count
    answer: KeptAnswer
    anew: CallCost | None = None


class Bookmark(Struct, frozen=True, kw_only=True):
    """`answer` takes account of all lines up to the position `synced`. What it is made of is kept, by
    kind: of a state `folds`, the answers on the way, from the last full chunk on; of a concept its
    `keyword`, with all lines that have it as `hits`, and the `spans` around them; of a behavior the lines that show it as `hits`.
    `parent` is the number of the bookmark that it was derived from.

    To answer it from the start would have taken as many calls as `anew` says (None: that is not known);
    `written` of them, or their like, write what was gathered."""

    number: int
    asked: Proposal
    answer: KeptAnswer = KeptAnswer()
    synced: Count = 0
    folds: tuple[Fold, ...] = ()
    keyword: str = ""
    hits: Positions = NO_POSITIONS
    spans: Spans = NO_SPANS
    parent: int = 0
    anew: CallCost | None = NO_CALLS
    written: CallCost = NO_CALLS

    @property
    def question(self) -> str:
        return self.asked.question

    @property
    def kind(self) -> BookmarkKind:
        return self.asked.kind

    def hit(self, further: Sequence[int]) -> Bookmark:
        """With hits besides those that it has."""
        if not further:
            return self
        hits = self.hits.further(further)
        if self.kind != "concept":
            return replace(self, hits=hits)
        behind = not self.hits or further[0] > self.hits[-1]
        spans = self.spans.further(further) if behind else NO_SPANS.further(hits)
        return replace(self, hits=hits, spans=spans)

    def child(self, number: int, asked: Proposal, *, hits: bool) -> Bookmark:
        """One that is derived: it begins with all that this one has but for what lies behind the last full
        chunk; without its `hits`, where that is said."""
        return replace(
            self,
            number=number,
            asked=asked,
            hits=self.hits if hits else NO_POSITIONS,
            spans=self.spans if hits else NO_SPANS,
            folds=tuple(one for one in self.folds if one.upto % CHUNK == 0),
            parent=self.number,
            anew=NO_CALLS if self.kind == "concept" else self.anew,
            written=NO_CALLS if self.kind == "concept" else self.written,
        )


def overlap(one: str, other: str) -> float:
    """How many of their words two questions share, of those of the shorter: stop words do not count."""
    return shared(set(terms(one)), set(terms(other)))


def shared(ones: Collection[str], others: Collection[str]) -> float:
    least = min(len(ones), len(others))
    return len(set(ones) & set(others)) / least if least else 0.0
