"""Which words a text has."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whoknew.eventlog.words import words

ASCII = st.text(st.characters(max_codepoint=127), max_size=60)


@given(ASCII)
def test_plain_latin_letters_make_the_same_words_whatever_stands_behind_them(text: str) -> None:
    """ASCII is taken apart in a shorter way than the rest."""
    assert [*words(text), "é"] == words(f"{text} é")


def test_signs_part_words_and_are_none() -> None:
    assert words("Don't: say_it, 3x!\x1fNow") == ["don", "t", "say", "it", "3x", "now"]
