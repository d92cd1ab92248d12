"""People in little room: whose initials are whose."""

from __future__ import annotations

from whoknew.engine.travel.people import colour, initials

CROWD = [f"Person {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]


def test_initials_stand_for_one_person_alone() -> None:
    """The same cases as on the page: tests/engine/server/test_page_people.py."""
    people = [*CROWD, "First Clown", "First Crier", "Lord", "Lords", "真"]
    found = list(initials(people).values())
    assert found[1] == "PB" and found[4] == "PE" and found[26:28] == ["FCl", "FCr"]
    assert found[28:] == ["Lord", "Lords", "真"]
    assert len({letters.lower() for letters in found}) == len(people)


def test_whom_no_letter_tells_apart_a_number_does() -> None:
    assert list(initials(["Ann", "ann", "?", "!"]).values()) == ["Ann", "Ann2", "?", "?2"]


def test_colours_lie_apart() -> None:
    assert all(len(colour(place)) == len("#123456") for place in range(60))
    assert len({colour(place) for place in range(60)}) == 60
