"""What is appended: events of about 290 bytes, the same in every run."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from random import Random

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, CharacterAdded, WorldOpened

BEGINNING = datetime(1599, 6, 1)

CAST = tuple(f"character{number:02d}" for number in range(8))

CROWD = tuple(f"character{number:02d}" for number in range(50))

WORDS = [
    "the",
    "king",
    "rides",
    "out",
    "at",
    "dawn",
    "while",
    "nobody",
    "in",
    "the",
    "hall",
    "can",
    "say",
    "who",
    "sent",
    "the",
    "letter",
    "that",
    "was",
    "found",
    "under",
    "the",
    "old",
    "oak",
    "near",
    "the",
    "river",
    "gate",
    "last",
    "night",
]


class Line:
    """One thing said, and who witnessed it, its speaker first."""

    def __init__(self, random: Random, cast: Sequence[str], witnesses: int) -> None:
        self.text = " ".join(random.choices(WORDS, k=12))
        self.witnesses = tuple(random.sample(cast, witnesses))
        self.speaker = self.witnesses[0]

    def draft(self, turn: int) -> Draft:
        return Draft(
            Acted(self.text), episode=1, turn=turn, actor=self.speaker, witnesses=self.witnesses
        )


def lines(count: int, cast: Sequence[str] = CAST, witnesses: int | None = None) -> list[Line]:
    """Lines with 2 to 4 witnesses, or as many as are asked for."""
    random = Random(7)
    return [Line(random, cast, witnesses or random.randint(2, 4)) for _ in range(count)]


def opening(cast: Sequence[str] = CAST) -> list[Draft]:
    """How a world begins: it opens, and its characters come in."""
    return [Draft(WorldOpened(), at=BEGINNING), *(Draft(CharacterAdded(name)) for name in cast)]
