"""Sentences of templates, and what was said least."""

from __future__ import annotations

from random import Random

import pytest

from whoknew.worlds.lives.wording import Wording, parsed, slots

LISTS = {"fruit": ("apple", "pear"), "meal": ("a {fruit}", "two {fruit}s")}


def wording(seed: int = 1) -> Wording:
    return Wording(Random(seed), LISTS)


def test_each_way_is_taken_before_one_is_taken_twice() -> None:
    say = wording()
    assert {say.fill("[one|two|three]", {}) for _ in range(3)} == {"one", "two", "three"}
    assert {say.word("fruit", {}) for _ in range(2)} == {"apple", "pear"}


def test_names_are_bound_or_drawn_with_article_and_capital() -> None:
    say = wording()
    assert say.fill("{friend:a}, {friend_cap}", {"friend": "ox"}) == "an ox, Ox"
    assert say.fill("{thing:a_cap}", {"thing": "cup"}) == "A cup"
    assert say.fill("{fruit2}", {"fruit": "plum"}) in LISTS["fruit"], "another one"
    assert say.fill("{meal}", {}).split()[0] in ("a", "two"), "a word may be a template"


def test_sentences_begin_with_a_capital() -> None:
    assert wording().say('{who} came. "{who} stayed."', {"who": "ana"}) == 'Ana came. "Ana stayed."'


def test_ways_within_ways() -> None:
    said = {wording(seed).fill("a[ b[ c| d]|]", {}) for seed in range(30)}
    assert said == {"a", "a b c", "a b d"}
    assert list(slots("{one}[ {two}|{three:a}]")) == ["one", "two", "three"]


@pytest.mark.parametrize("template", ["[one|two", "one]", "one|two", "{one"])
def test_brackets_that_do_not_meet_are_told(template: str) -> None:
    with pytest.raises(ValueError, match=r"bracket"):
        parsed(template)
