"""What may have been meant by a name that is not there."""

from __future__ import annotations

from difflib import get_close_matches

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.eventlog.nearest import CLOSE, COMPARED, LISTED, closest, guess, nearest


def test_the_closest_name_is_asked_about() -> None:
    assert nearest("Verra", ["Vera", "Vern", "Odo"]) == "did you mean 'Vera'?"


def test_where_none_is_close_those_that_there_are_are_listed() -> None:
    assert nearest("Kit", ["Oda", "Bram"]) == "there are: 'Oda', 'Bram'"
    assert nearest("Kit", []) == "there are none"


def test_of_very_many_some_are_listed_and_the_others_counted() -> None:
    told = nearest("Kit", [f"world {number}" for number in range(LISTED + 3)])
    assert told.startswith("there are: 'world 0', 'world 1', ")
    assert told.endswith(f"'world {LISTED - 1}' and 3 more")


def test_a_name_in_another_case_is_close() -> None:
    assert closest("VERA", ["Odo", "Vera"]) == "Vera"


def test_nothing_is_asked_where_nothing_is_close() -> None:
    assert guess(closest("Kit", ["Oda"])) == ""


@given(st.text("abc", max_size=30), st.lists(st.text("abcA", max_size=12), max_size=5))
def test_names_of_very_different_lengths_are_left_out_and_nothing_else(
    name: str, known: list[str]
) -> None:
    spelled = {one.casefold(): one for one in known}
    close = get_close_matches(name, spelled, 1, CLOSE)
    assert closest(name, known) == (spelled[close[0]] if close else None)


def test_a_long_text_is_compared_with_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be walked through sign by sign, by whoever waits for it."""
    monkeypatch.setattr("whoknew.eventlog.nearest.get_close_matches", None)
    assert closest("good night to you all " * 50_000, ["the stairs", "the lamp room"]) is None


def test_of_very_many_names_those_that_begin_alike_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[int] = []

    def counted(word: str, near: list[str], most: int, least: float) -> list[str]:
        compared.append(len(near))
        return get_close_matches(word, near, most, least)

    monkeypatch.setattr("whoknew.eventlog.nearest.get_close_matches", counted)
    names = [f"scene {number:05d}" for number in range(10_000)]
    assert closest("scene 07777x", reversed(names)) == "scene 07777"
    assert closest("scane 00001", names) == "scene 00001"
    assert compared == [COMPARED, COMPARED // 2]
