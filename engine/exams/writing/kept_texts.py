"""How many of the texts that a model wrote on the way to questions were kept, by what they are."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from whoknew.eventlog.kinds import QuestionsWritten


class KeptTexts(Struct, frozen=True):
    """So many of one kind were kept, and so many refused."""

    kept: int
    refused: int

    @property
    def percent(self) -> float:
        return 100 * self.kept / max(1, self.kept + self.refused)


class KeptFold:
    """All that was written so far: of questions that are written at once nothing is counted."""

    def __init__(self) -> None:
        self._kept, self._refused = Counter[str](), Counter[str]()

    def take(self, body: QuestionsWritten) -> None:
        self._kept.update(body.texts)
        self._refused.update(one.kind for one in body.refused)

    @property
    def texts(self) -> dict[str, KeptTexts]:
        """By what they are."""
        some = {kind: KeptTexts(count, self._refused[kind]) for kind, count in self._kept.items()}
        return {kind: one for kind, one in some.items() if one.kept or one.refused}
