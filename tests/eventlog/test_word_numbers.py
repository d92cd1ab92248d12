"""Words have the numbers of their stems, looked up one by one or all at once."""

from __future__ import annotations

from random import Random
from string import ascii_lowercase, digits

from hypothesis import given
from hypothesis import strategies as st

from whoknew.eventlog.word_numbers import SHORT, WordNumbers
from whoknew.eventlog.words import LONGEST, stem_of, words

some = st.sampled_from(
    [
        "Swan",
        "swans",
        "the",
        "of",
        "abcdefgh",
        "abcdefghi",
        "é",
        "Cafés",
        "ﬁne",
        "白鳥",
        "42",
        "x" * 70,
    ]
)
between = st.sampled_from([" ", "\n", ", ", "\u2013", "'", "_", "\0", "\x1c", "  "])
texts = st.lists(
    st.text(max_size=12) | st.lists(st.tuples(some, between), max_size=9).map(
        lambda said: "".join(part for one in said for part in one)
    ),
    max_size=8,
)  # fmt: skip


def stems_by_number(numbers: WordNumbers, said: list[str]) -> list[int]:
    """The number of the stem of each word; of a stop word 0."""
    found = [numbers.get(stem_of(word)) for text in said for word in words(text)]
    return [number or 0 for number in found]


@given(st.lists(texts, max_size=5))
def test_many_words_have_the_numbers_that_each_has_by_itself(batches: list[list[str]]) -> None:
    numbers, alone = WordNumbers(), WordNumbers()
    for said in batches:
        spoken = numbers.of_texts(said)
        by_itself = [alone.of_text(text) for text in said]
        assert spoken.numbers.tolist() == stems_by_number(numbers, said)
        assert spoken.counts.tolist() == [len(words(text)) for text in said]
        assert [numbers.of_text(text) for text in said] == [
            [number for number in stems_by_number(numbers, [text]) if number] for text in said
        ]
        assert list(map(len, by_itself)) == [len(numbers.of_text(text)) for text in said]


def test_no_two_stems_have_one_number_however_many_there_are() -> None:
    """The table grows, and words that have the same place in it are told apart."""
    random, numbers = Random(3), WordNumbers()
    signs = ascii_lowercase + digits
    spelt = {"".join(random.choices(signs, k=random.randint(1, SHORT))) for _ in range(30_000)}
    for _ in range(3):
        said = [" ".join(random.sample(sorted(spelt), 3000)) for _ in range(8)]
        assert numbers.of_texts(said).numbers.tolist() == stems_by_number(numbers, said)
    known = {stem_of(word) for word in spelt} - {""}
    found = [number for stem in known if (number := numbers.get(stem)) is not None]
    assert len(found) == len(set(found)) > 10_000


def test_a_word_without_end_takes_no_memory() -> None:
    numbers = WordNumbers()
    long = "q" * (LONGEST + 1)
    assert numbers.of_text(long) == numbers.of_texts([long]).numbers.tolist() == [1]
    assert numbers.get("q" * LONGEST) == 1
