"""A speech, cut into what is said in it piece by piece; of each, how it is said."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from whoknew.engine.finding.concepts import concepts
from whoknew.eventlog.words import STOP_WORDS, stems, words

SHORT = 5
"""A piece with fewer words is joined to the next."""

MANY = 16
"""So many pieces of a speech are looked at. In a longer one pieces are joined: nothing is left out."""

_END = re.compile(r"(?<=[.!?;:])\s+")
_ENDING = re.compile(r"(?<![a-z])[a-z]{3,}(?:'d|ed|ung|own)\b")

PAST = frozenset(
    """
    was were had hath has did came went saw heard told said found met took gave made brought fell
    struck stood spoke bade drew ran fled slew died lost won sent kept knew thought stole swore wept
    got held lay sat wrote sold bought been slain dead gone
    """.split()  # noqa: SIM905  (as prose it can be read)
)
SECOND = frozenset("you your yours thou thee thy thine ye yourself".split())  # noqa: SIM905
THIRD = frozenset("he him his she her hers they them their himself herself it".split())  # noqa: SIM905

SAID = frozenset(
    """
    said says saith told tells spoke speaks cried cries bade bids swore swears confessed confess
    confesses asked asks answered answers replied replies promised promises called calls quoth vowed
    vows denied denies begged begs warned warns reported reports wrote writes commanded commands
    refused refuses charged sends sent
    """.split()  # noqa: SIM905  (as prose it can be read)
)
"""Words that say that somebody spoke."""


class Sentence:
    """A piece of a speech. `past`, `second` and so on are how much of it is such words."""

    __slots__ = (
        "asks",
        "concepts",
        "pairs",
        "past",
        "reports",
        "second",
        "stems",
        "text",
        "third",
        "words",
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = words(text)
        self.stems = list(dict.fromkeys(stems(self.words)))
        self.concepts = concepts(self.stems)
        self.pairs = telling_pairs(self.words)
        share = 1 / (len(self.words) or 1) ** 0.5
        self.past = share * (_count(self.words, PAST) + len(_ENDING.findall(text)))
        self.second = share * _count(self.words, SECOND)
        self.third = share * _count(self.words, THIRD)
        self.reports = not SAID.isdisjoint(self.words)
        self.asks = text.endswith("?")


def sentences(text: str) -> list[Sentence]:
    """What is said in a text, piece by piece."""
    pieces = list(_joined(_END.split(" ".join(text.split())), SHORT))
    if len(pieces) > MANY:
        pieces = list(_joined(pieces, sum(piece.count(" ") + 1 for piece in pieces) // MANY + 1))
    return [Sentence(piece) for piece in pieces]


def telling_pairs(spoken: Sequence[str]) -> frozenset[tuple[str, str]]:
    """Words side by side, but for those of which both stand everywhere."""
    return frozenset(
        [
            (first, second)
            for first, second in itertools.pairwise(spoken)
            if first not in STOP_WORDS or second not in STOP_WORDS
        ]
    )


def _count(spoken: Sequence[str], those: frozenset[str]) -> int:
    return len([word for word in spoken if word in those])


def _joined(pieces: list[str], least: int) -> Iterator[str]:
    """The pieces, one after another where one alone has too few words."""
    waiting, count = list[str](), 0
    for piece in pieces:
        waiting.append(piece)
        count += piece.count(" ") + 1
        if count >= least:
            yield " ".join(waiting)
            waiting, count = [], 0
    if any(waiting):
        yield " ".join(waiting)
