"""What worlds that come from elsewhere hold besides what happens in all: where they come from, and the text that
they were made of."""

from __future__ import annotations

from typing import Any

from whoknew.eventlog.frozen_dict import NONE, freeze
from whoknew.eventlog.json_numbers import check_numbers, leaves
from whoknew.eventlog.kind import Kind


class Imported(Kind, frozen=True, tag="world.imported"):
    """Where an imported world comes from, and what its source held that is no part of the story."""

    format: str
    id: str
    rest: dict[str, Any] = NONE

    def __post_init__(self) -> None:
        freeze(self, "rest")
        check_numbers("what was imported", leaves(self.rest))


class Printed(Kind, frozen=True, tag="episode.printed"):
    """A passage of the text that the world was made of. Who was there it does not say: nobody
    witnesses it."""

    text: str

    @property
    def words(self) -> str:
        return self.text
