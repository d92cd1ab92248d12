"""The bank of lives: all that it names is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import astuple

from whoknew.eventlog.words import terms
from whoknew.worlds.lives.bank import DIMENSIONS, life_bank
from whoknew.worlds.lives.people import ROLES
from whoknew.worlds.lives.snapshots import FEELINGS
from whoknew.worlds.lives.wording import slots

BANK = life_bank()

PERSONAL = {"me", "me_too", "my", "age", "town", "value", "old", "title", "to_name"}


def texts(whole: object) -> Iterator[str]:
    """All texts in it, however deep."""
    if isinstance(whole, str):
        yield whole
    elif isinstance(whole, Struct):
        for part in astuple(whole):
            yield from texts(part)
    elif isinstance(whole, dict):
        for part in whole.values():
            yield from texts(part)
    elif isinstance(whole, tuple):
        for part in whole:
            yield from texts(part)


def drawn(whole: object) -> Iterator[str]:
    """The names that something draws, however deep."""
    if isinstance(whole, Struct):
        for name in whole.__struct_fields__:
            if name == "draw":
                yield from whole.draw  # type: ignore[attr-defined]
            else:
                yield from drawn(getattr(whole, name))
    elif isinstance(whole, tuple):
        for part in whole:
            yield from drawn(part)


def test_every_name_is_somebodys_or_a_word() -> None:
    people = {f"{start}{role}" for role in ROLES for start in ("", "they_", "They_", "their_")}
    lists = BANK.lists.keys() | BANK.voices.keys()
    for part in (
        *BANK.arcs,
        *BANK.everyday,
        *BANK.chats,
        *BANK.habits,
        *BANK.wishes,
        *BANK.matters,
    ):
        known = people | PERSONAL | lists | set(drawn(part))
        for text in texts(part):
            for name in slots(text):
                assert name in known or name.rstrip("0123456789") in lists, f"{name} in {text!r}"
    for text in (*texts(BANK.lists), *texts(BANK.voices)):
        for name in slots(text):
            known = people | PERSONAL | lists
            assert name in known or name.rstrip("0123456789") in lists, f"{name} in {text!r}"


def test_what_is_drawn_is_drawn_from_a_list() -> None:
    parts = [
        *BANK.everyday,
        *BANK.wishes,
        *BANK.arcs,
        *(anchor for arc in BANK.arcs for anchor in arc.anchors),
        *(one for arc in BANK.arcs for anchor in arc.anchors for one in anchor.situations),
    ]
    for part in parts:
        assert set(part.draw.values()) <= BANK.lists.keys(), part.draw


def test_arcs_have_states_that_feel_like_something() -> None:
    assert {arc.dimension for arc in BANK.arcs} == set(DIMENSIONS)
    for arc in BANK.arcs:
        assert len(arc.anchors) >= 4
        states = [anchor.state for anchor in arc.anchors]
        assert len(set(states)) == len(states)
        for anchor in arc.anchors:
            assert anchor.feeling in FEELINGS, anchor.feeling
            assert anchor.hush.endswith("?")
            assert len(anchor.told) >= 2 and len(anchor.situations) >= 2


def test_what_is_asked_of_has_its_answer_in_what_is_written() -> None:
    """In every text of a situation that may stand alone in a life: so that some trace tells it."""
    situations = [
        *BANK.everyday,
        *(one for arc in BANK.arcs for anchor in arc.anchors for one in anchor.situations),
    ]
    for one in situations:
        if one.ask:
            assert one.key in set(slots(" ".join(one.diary))), one.fact


def test_what_stands_in_the_plural_gets_an_s_and_no_more() -> None:
    plurals = {
        found.removesuffix("_cap")
        for text in texts(BANK)
        for found in re.findall(r"\{(\w+)\}s\b", text)
    }
    for name in plurals & BANK.lists.keys():
        for word in BANK.lists[name]:
            assert not re.search(r"(?:s|x|z|ch|sh|[^aeiou]y)$", word), word


def asks() -> Iterator[str]:
    """What is asked of details; the month in which they happened is put behind it."""
    for one in BANK.everyday:
        yield one.ask
    for arc in BANK.arcs:
        for anchor in arc.anchors:
            yield from (one.ask for one in anchor.situations)


def test_a_detail_is_of_the_month_that_is_named() -> None:
    """What "had" happened by then happened in an earlier one."""
    for ask in filter(None, asks()):
        assert " had " not in re.sub(r"(when|after) you had .*", "", ask), ask


def of_what(text: str) -> set[str]:
    """What a text is about, whoever it is."""
    words = set(terms(re.sub(r"\{[^}]*\}", "", text)))
    return words - {"long", "mani", "much", "exact", "day", "name"}


def test_of_what_is_untold_there_are_three_guesses_and_none_of_them_is_told() -> None:
    for whole, untold in (
        *((arc, anchor) for arc in BANK.arcs for anchor in arc.anchors),
        *((wish, wish) for wish in BANK.wishes),
    ):
        sayings = {" ".join(terms(guess)) for guess in untold.guesses}
        assert len(sayings) == 3 and all(sayings), untold.guesses
        told = [text for text in texts(whole) if text not in untold.guesses]
        for guess in untold.guesses:
            assert not any(slots(guess)), guess
            said = [text for text in told if f" {guess.casefold()} " in f" {text.casefold()} "]
            assert not said, guess


def test_what_is_asked_as_untold_is_no_detail_of_its_arc() -> None:
    for arc in BANK.arcs:
        told = [one.ask for anchor in arc.anchors for one in anchor.situations if one.ask]
        for anchor in arc.anchors:
            asked = of_what(anchor.hush)
            if re.search(r"\bnames?\b", anchor.hush):
                continue
            for ask in told:
                assert not asked or not asked <= of_what(ask), f"{anchor.hush}: {ask}"
