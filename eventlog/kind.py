"""What every body of an event has in common, whatever happened."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

LANDMARK, RECORD = 1, 2
"""How a store labels what is looked for without reading a whole world: the few landmarks, and what
is on record of tellings, which can be much."""


class Kind(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="kind"):
    """What happened. Landmarks are the few kinds that cursors, casts and doubts are found by. Whatever
    one outside the story says, the story goes on the same."""

    landmark: ClassVar[int] = 0
    outside_story: ClassVar[bool] = False

    @property
    def words(self) -> str:
        return ""
