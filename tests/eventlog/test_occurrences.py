"""Where the words of a view stand is what counting each document anew gives, cut at any of them."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Sequence
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from whoknew.eventlog.occurrences import BEFORE, Occurrences, WordCount
from whoknew.eventlog.ranking import rarity
from whoknew.eventlog.words import LONGEST, stems

LONG = "swan" * LONGEST
spoken = st.sampled_from(
    ["cello", "cellos", "owl", "boat", "boats", "boating", "swan", "the", "of", LONG]
)
documents = st.lists(st.lists(spoken, max_size=6), max_size=12)


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


ASKED = ["boat", "cello", "heron", "owl", "swan", LONG[:LONGEST]]


def standing(occurrences: Occurrences, said: list[list[str]]) -> None:
    """That the first documents are found as they are."""
    wanted = [where for word in ASKED if (where := counted(said, word))]
    found = [(rare, placed(counts)) for rare, counts in occurrences.standing(ASKED, len(said))]
    assert found == [(rarity(len(where), len(said)), where) for where in wanted]


def placed(counts: Sequence[WordCount]) -> list[tuple[int, int, bool]]:
    return [
        (where, halves, where in count.said.tolist())
        for count in counts
        for where, halves in zip(count.where.tolist(), count.halves.tolist(), strict=True)
    ]


@given(
    st.lists(st.tuples(documents, st.integers(0, 40)), max_size=6),
    st.fixed_dictionaries(
        {
            "KEPT": st.integers(1, 9),
            "FEW": st.integers(0, 9),
            "NEWEST": st.integers(1, 9),
            "AT_ONCE": st.integers(1, 90),
            "LONGEST_JOINED": st.integers(1, 40),
        }
    ),
)
def test_words_stand_where_counting_them_finds_them(
    batches: list[tuple[list[list[str]], int]], limits: dict[str, int]
) -> None:
    """Whatever was asked for, and kept, before: by its stem, and without stop words. However many come
    at a time."""
    occurrences, said, lengths = Occurrences(), list[list[str]](), list[int]()
    with patch.multiple("whoknew.eventlog.occurrences", **limits):
        for batch, cut in batches:
            lengths += occurrences.extend([" ".join(own) for own in batch])
            said += map(stems, batch)
            standing(occurrences, said[:cut])
            standing(occurrences, said)
    assert lengths == [
        sum(halves for word in ASKED for at, halves, _ in counted(said, word) if at == number)
        for number in range(len(said))
    ]


def test_long_texts_are_looked_up_a_few_at_a_time() -> None:
    """To look words up at once takes many times the memory of the texts."""
    texts = [" ".join(f"swan{number} owl" for number in range(9_000))] * 100
    occurrences = Occurrences()
    tracemalloc.start()
    try:
        occurrences.extend(texts)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 6 * sum(map(len, texts)), most
    [(_, [owls])] = occurrences.standing(["owl"], len(texts))
    assert len(owls.where) == len(texts)
