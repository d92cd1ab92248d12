"""What came of a step: what is written down of it, and what an action or an answer is grounded on."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from whoknew.agents.memories.bookmarks.bookmark import Bookmark
from whoknew.agents.memories.bookmarks.record import StepRecord


class StepTaken(Struct, frozen=True):
    """Its record; the bookmarks that it is about, as they are by it; and those that are near."""

    record: StepRecord
    active: tuple[Bookmark, ...]
    near: tuple[Bookmark, ...]

    @property
    def grounds(self) -> list[Bookmark]:
        return grounded(self.active, self.near)


def grounded(active: Iterable[Bookmark], near: Iterable[Bookmark]) -> list[Bookmark]:
    """What an action or an answer is grounded on, each once: what is active first. What is unknown
    grounds nothing."""
    some = {one.number: one for one in active}
    for one in near:
        some.setdefault(one.number, one)
    return [one for one in some.values() if one.answer.known]
