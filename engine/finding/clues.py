"""What speaks for it that a sentence tells of a happening: one number a clue, by name."""

from __future__ import annotations

from msgspec import Struct

from whoknew.engine.finding.sentences import Sentence


class Delivery(Struct, frozen=True, kw_only=True, eq=False):
    """What is the same for all that a speech may tell of."""

    teller: str
    sources: tuple[str, ...]
    """Those from whom it says to have it."""
    hearers: tuple[str, ...]
    addressee: str | None
    """Who spoke last of those that hear it."""
    hearing: int
    telling: int
    addressed: int
    """The hearers, the teller with its sources, and the addressee as bits (`Happenings.bits`)."""
    question: list[Sentence]
    """The end of what that was."""
    answers: bool
    """Whether it asks something."""
    news: bool
    """Whether it asks for news."""
    episode: int


class Which(Struct, frozen=True, gc=False):
    """Clues to which happening a speech tells of; or their weights."""

    shared: float = 0.0
    """Of bits the logarithm: of the words that the sentence shares with it."""
    whole: float = 0.0
    """Of those that the whole speech shares with it."""
    words_knew: float = 0.0
    """Of the first, held against how long the happening is, where the teller knew of it."""
    rarest: float = 0.0
    """Bits of the rarest of these words."""
    concepts: float = 0.0
    """Bits of what both speak of."""
    run: float = 0.0
    """Pairs of words side by side in both."""
    by_named: float = 0.0
    """Whether the sentence names, or its pronoun means, who did it."""
    unaware: float = 0.0
    """The share of the hearers who missed it."""
    addressed: float = 0.0
    """Whether the addressee is one of them."""
    since: float = 0.0
    """How much the teller has said to such a hearer since it happened."""
    knew: float = 0.0
    age: float = 0.0
    alone: float = 0.0
    """Whether nobody but its actor witnessed it: a thought."""
    deadly: float = 0.0


class Whether(Struct, frozen=True, gc=False):
    """Clues to whether a speech tells of anything, by what is spoken for best; or their weights."""

    best: float = 0.0
    """How well that is."""
    words: float = 0.0
    """Bits of what the sentence shares with it, held against how long it is: the logarithm."""
    words_past: float = 0.0
    """The same, where the sentence speaks of what is past."""
    words_knew: float = 0.0
    by_named: float = 0.0
    named: float = 0.0
    """Others whom it names, and who have to do with it."""
    knew: float = 0.0
    scenes: float = 0.0
    reports: float = 0.0
    """How it is said, from here on: whether it says that somebody spoke."""
    past: float = 0.0
    second: float = 0.0
    third: float = 0.0
    asks: float = 0.0
    answers: float = 0.0
    news: float = 0.0
