"""Where the words of a view stand is what counting each document anew gives, cut at any of them."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from whoknew.eventlog.occurrences import BEFORE, Occurrences
from whoknew.eventlog.ranking import rarity

words = st.sampled_from(["cello", "key", "boat", "swan"])
documents = st.lists(st.lists(words, max_size=6), max_size=12)


def counted(said: list[list[str]], word: str) -> list[tuple[int, int, bool]]:
    """Each document that a word stands in, how often in halves, and whether it is its own."""
    found = []
    for number, own in enumerate(said):
        halves = Counter(own * 2)
        for joined in said[max(0, number - BEFORE) : number]:
            halves.update(joined)
        if halves[word]:
            found.append((number, halves[word], word in own))
    return found


@given(documents, st.integers(0, 12))
def test_words_stand_where_counting_them_finds_them(said: list[list[str]], cut: int) -> None:
    occurrences, first = Occurrences(), said[:cut]
    lengths = occurrences.extend(0, said)
    asked = ["boat", "cello", "heron", "key", "swan"]
    wanted = [one for word in asked for one in counted(first, word)]
    weights = [
        rarity(len(found), len(first))
        for word in asked
        for found in [counted(first, word)]
        for _ in found
    ]
    standing = occurrences.standing(asked, len(first))
    assert (standing is None) == (not wanted)
    if standing is not None:
        where, halves, own, rare = (of.tolist() for of in standing)
        assert list(zip(where, halves, own, strict=True)) == wanted
        assert rare == weights
    assert lengths == [
        sum(halves for word in asked for at, halves, _ in counted(said, word) if at == number)
        for number in range(len(said))
    ]
