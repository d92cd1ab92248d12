"""Which words a text has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.eventlog.words import LONGEST, STOP_WORDS, _Stems, stems, terms, words

ASCII = st.text(st.characters(max_codepoint=127), max_size=60)


@given(ASCII)
def test_plain_latin_letters_make_the_same_words_whatever_stands_behind_them(text: str) -> None:
    """ASCII is taken apart in a shorter way than the rest."""
    assert [*words(text), "é"] == words(f"{text} é")


def test_signs_part_words_and_are_none() -> None:
    assert words("Don't: say_it, 3x!\x1fNow") == ["don", "t", "say", "it", "3x", "now"]


@given(st.text(max_size=80))
def test_every_word_but_a_stop_word_has_a_stem(text: str) -> None:
    spoken = [word for word in words(text) if word not in STOP_WORDS]
    assert len(terms(text)) == len(spoken)


@given(st.lists(st.sampled_from(["swimming", "the", "keys", "s", "boats"])))
def test_a_word_has_the_same_stem_each_time(spoken: list[str]) -> None:
    once = {"swimming": ["swim"], "the": [], "keys": ["kei"], "s": [], "boats": ["boat"]}
    assert stems(spoken) == [stem for word in spoken for stem in once[word]]


def test_no_more_words_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Stems, "KEPT", 3)
    kept = _Stems()
    long = "swimming" * LONGEST
    assert [kept[word] for word in ("swims", "the", "keys", "boats")] == ["swim", "", "kei", "boat"]
    assert kept[long] == terms(long)[0]
    assert set(kept) == {"boats"}
