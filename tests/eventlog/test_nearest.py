"""What may have been meant by a name that is not there."""

from __future__ import annotations

from whoknew.eventlog.nearest import LISTED, closest, guess, nearest


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
