"""How what a model writes down is cut to its length."""

from __future__ import annotations

from whoknew.agents.memories.writing import cut


def test_what_is_cut_stays_on_its_lines() -> None:
    text = "[1] Nell saw it.  She ran.\n[2] Bo slept.\n\n[3] Nobody asked them why that was."
    assert cut(text, 9) == "[1] Nell saw it.  She ran.\n[2] Bo slept."
    assert cut(text, 5) == "[1] Nell saw it."
    assert cut(text, 99) == text


def test_of_a_sentence_that_is_too_long_the_first_words_are_kept() -> None:
    assert cut("one two three four", 2) == "one two"
