"""Names are taken out of texts, whatever stands around them, and put back to the byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.worlds.anonymiser import PREFIXES, Anonymiser, restore

NAMES = ("Oda", "Augusta Pell", "KING CLAUDIUS", "Zoë", "Oda Pell", "Ib")


def test_no_case_no_possessive_and_no_other_word_keeps_a_name() -> None:
    text = "ODA met Oda's cat; odalisque, Augusta, PELL and Claudius's hall. Zoë, ZOË."
    anonymiser = Anonymiser(NAMES, [text])
    hidden = anonymiser.hide(text)
    assert anonymiser.residue(hidden) == []
    for name in ("oda", "augusta", "pell", "claudius", "zoë"):
        assert name not in hidden.casefold()
    assert restore(hidden, anonymiser.key) == text


def test_the_name_itself_has_the_plain_alias() -> None:
    anonymiser = Anonymiser(("Ana", "Bo"), ["Ana saw Bo. ANA waved."])
    assert anonymiser.hide("Ana saw Bo.") == "Person1 saw Person2."
    assert anonymiser.key.people == 2


def test_words_that_name_nobody_stay() -> None:
    assert Anonymiser(["First Lord"], ["The first lord of all."]).hide("The lord.") == "The lord."


def test_an_alias_that_stands_in_the_text_already_is_not_taken() -> None:
    text = "Person1 met Ana."
    anonymiser = Anonymiser(["Ana"], [text])
    assert anonymiser.hide(text) == "Person1 met Figure1."
    assert restore(anonymiser.hide(text), anonymiser.key) == text


def test_where_every_alias_is_taken_it_is_said() -> None:
    with pytest.raises(ValueError, match="stands in the texts"):
        Anonymiser(["Ana"], [" ".join(PREFIXES)])


names = st.lists(
    st.text("AaBbOd ëßİ'1._\\", min_size=1, max_size=6).filter(lambda one: one == one.strip()),
    min_size=1,
    max_size=12,
    unique_by=str.casefold,
)


@given(names, st.lists(st.text("AaBbOd ëßİ'12._~\\\"\n"), max_size=6), st.data())
def test_every_text_comes_back_to_the_byte(
    names: list[str], texts: list[str], draw: st.DataObject
) -> None:
    woven = [
        text + draw.draw(st.sampled_from(names)) + draw.draw(st.sampled_from(["", "2", "'s", "a"]))
        for text in texts
    ]
    anonymiser = Anonymiser(names, woven)
    for text in woven:
        hidden = anonymiser.hide(text)
        assert restore(hidden, anonymiser.key) == text
        assert anonymiser.residue(hidden) == []
