"""A speech, cut into what is said in it piece by piece; of each, how it is said."""

from __future__ import annotations

import re
from collections.abc import Iterator

from whoknew.engine.finding.concepts import concepts
from whoknew.eventlog.words import terms, words

SHORT = 5
"""A piece with fewer words is joined to the next."""

MANY = 16
"""So many pieces of a speech are looked at. In a longer one pieces are joined: nothing is left out."""

_END = re.compile(r"(?<=[.!?;:])\s+")
_ENDING = re.compile(r"[a-z]{3,}(?:'d|ed|ung|own)\b")

PAST = frozenset(
    """
    was were had hath has did came went saw heard told said found met took gave made brought fell
    struck stood spoke bade drew ran fled slew died lost won sent kept knew thought stole swore wept
    got held lay sat wrote sold bought been slain dead gone
    """.split()  # noqa: SIM905  (as prose it can be read)
)
SECOND = frozenset("you your yours thou thee thy thine ye yourself".split())  # noqa: SIM905
THIRD = frozenset("he him his she her hers they them their himself herself it".split())  # noqa: SIM905


class Sentence:
    """A piece of a speech. `past`, `second` and so on are how much of it is such words."""

    __slots__ = (
        "asks",
        "concepts",
        "pairs",
        "past",
        "second",
        "stems",
        "text",
        "third",
        "words",
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words(text)
        self.stems = list(dict.fromkeys(terms(text)))
        self.concepts = concepts(self.stems)
        self.pairs = frozenset(zip(self.words, self.words[1:], strict=False))
        share = 1 / (len(self.words) or 1) ** 0.5
        self.past = share * (sum(word in PAST for word in self.words) + len(_ENDING.findall(text)))
        self.second = share * sum(word in SECOND for word in self.words)
        self.third = share * sum(word in THIRD for word in self.words)
        self.asks = text.endswith("?")


def sentences(text: str) -> list[Sentence]:
    """What is said in a text, piece by piece."""
    pieces = list(_joined(_END.split(" ".join(text.split())), SHORT))
    if len(pieces) > MANY:
        pieces = list(_joined(pieces, sum(piece.count(" ") + 1 for piece in pieces) // MANY + 1))
    return [Sentence(piece) for piece in pieces]


def _joined(pieces: list[str], least: int) -> Iterator[str]:
    waiting = ""
    for piece in pieces:
        waiting = f"{waiting} {piece}" if waiting else piece
        if waiting.count(" ") + 1 >= least:
            yield waiting
            waiting = ""
    if waiting:
        yield waiting
