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

    def heard_at(self, place: str | None) -> tuple[str | None, ...]:
        """The places whose speech is heard at a place."""
        return (place, *self.hears.get(place or "", ()))

    def seen_at(self, place: str | None) -> tuple[str | None, ...]:
        """The places that are in sight at a place."""
        return (place, *self.sees.get(place or "", ()))
