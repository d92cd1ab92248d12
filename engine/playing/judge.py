"""The port to a judge: an episode in, a verdict on each who was in it out."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from whoknew.engine.playing.case import Case


class Verdict(Struct, frozen=True):
    """What a judge has to say of one character. Without scores, `reason` says why it has none: that
    is a failure, and written down as one."""

    character: str
    scores: dict[str, float] | None
    reason: str = ""


class Judge(Protocol):
    async def review(self, case: Case) -> list[Verdict]:
        """A verdict on each of whom there is something to say."""
        ...
