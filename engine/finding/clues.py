"""What speaks for it that a sentence tells of a happening: one number a clue, by name."""

from __future__ import annotations

import math
from typing import NamedTuple

from msgspec import Struct

from whoknew.engine.finding.concepts import DEADLY
from whoknew.engine.finding.happenings import Happening
from whoknew.engine.finding.sentences import Sentence
from whoknew.eventlog.words import STOP_WORDS


class Delivery(Struct, frozen=True, kw_only=True):
    """What is the same for all that a speech may tell of."""

    teller: str
    hearers: tuple[str, ...]
    addressee: str | None
    """Who spoke last of those that hear it."""
    answers: bool
    """Whether that was a question."""
    news: bool
    """Whether it asked for news."""
    place: int
    episode: int


class Shared(Struct):
    """What a sentence shares with a happening, in bits of rarity."""

    words: float = 0.0
    rarest: float = 0.0
    concepts: float = 0.0
    around: float = 0.0
    whole: float = 0.0
    """What all sentences of the speech share with it."""


class Which(NamedTuple):
    """Clues to which happening a sentence tells of."""

    words: float
    """Bits shared, held against how long the happening is: of these three the logarithm."""
    shared: float
    whole: float
    """Those that the whole speech shares."""
    rarest: float
    concepts: float
    run: float
    """Pairs of words side by side in both."""
    by_named: float
    """Whether the sentence names, or its pronoun means, who did it."""
    named: float
    """Others whom it names, and who have to do with it."""
    unaware: float
    """The share of the hearers who missed it."""
    addressed: float
    """Whether the addressee is one of them."""
    since: float
    """How much the teller has said to such a hearer since it happened."""
    knew: float
    age: float
    scenes: float
    alone: float
    """Whether nobody but its actor witnessed it: a thought."""
    deadly: float
    words_past: float
    words_knew: float


class How(NamedTuple):
    """Clues to whether a sentence tells of anything: how it is said."""

    past: float
    second: float
    third: float
    asks: float
    answers: float
    news: float


def which(
    occasion: Delivery,
    sentence: Sentence,
    named: dict[str, float],
    shared: Shared,
    one: Happening,
    unaware: tuple[str, ...],
    since: int,
) -> Which:
    by_named = named.get(one.actor, 0.0)
    involved = 0.0
    for name, sure in named.items():
        if name != one.actor and (name in one.mentioned or name in one.witnesses):
            involved += sure
    involved = min(2.0, involved)
    past = min(1.5, sentence.past)
    weighed = math.log2(1 + shared.words * one.weight)
    knew = float(one.known_to(occasion.teller))
    return Which(
        words=weighed,
        shared=math.log2(1 + shared.words),
        whole=math.log2(1 + shared.whole),
        rarest=shared.rarest,
        concepts=shared.concepts,
        run=float(_runs(sentence, one)) if shared.words else 0.0,
        by_named=by_named,
        named=involved,
        unaware=len(unaware) / len(occasion.hearers),
        addressed=float(occasion.addressee in unaware),
        since=math.log2(1 + since),
        knew=knew,
        age=math.log2(1 + occasion.place - one.place),
        scenes=float(min(6, occasion.episode - one.episode)),
        alone=float(len(one.witnesses) == 1),
        deadly=float(DEADLY in one.concepts),
        words_past=past * weighed,
        words_knew=knew * weighed,
    )


def how(occasion: Delivery, sentence: Sentence) -> How:
    return How(
        past=sentence.past,
        second=sentence.second,
        third=sentence.third,
        asks=float(sentence.asks),
        answers=float(occasion.answers),
        news=float(occasion.news),
    )


def _runs(sentence: Sentence, one: Happening) -> int:
    """How many pairs of words stand in both, side by side, that are not of stop words alone."""
    return sum(
        not (first in STOP_WORDS and second in STOP_WORDS)
        for first, second in one.pairs & sentence.pairs
    )
