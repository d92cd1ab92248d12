"""How far words and looks carry from place to place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from msgspec import Struct

from whoknew.worlds.setting import Setting

Places = Mapping[str, Sequence[str]]


class Reach(Struct, frozen=True):
    """Of each place, in which others its people overhear what is spoken (`hears`), and in which they
    see what goes on (`sees`)."""

    hears: Places = {}
    sees: Places = {}

    @classmethod
    def of(cls, setting: Setting) -> Self:
        return cls(
            {place.name: place.hears for place in setting.places if place.hears},
            {place.name: place.sees for place in setting.places if place.sees},
        )

    def is_heard(self, place: str | None, at: str | None) -> bool:
        """Whether the speech of a place is heard at another, or at the same."""
        return place == at or place in self.hears.get(at or "", ())

    def is_seen(self, place: str | None, at: str | None) -> bool:
        """Whether a place is in sight at another, or is the same."""
        return place == at or place in self.sees.get(at or "", ())
