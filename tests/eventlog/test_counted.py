"""How many of something there are, in words."""

import pytest

from whoknew.eventlog.counted import counted, counted_or_no


@pytest.mark.parametrize(
    ("count", "noun", "words"),
    [
        (0, "cell", "0 cells"),
        (1, "cell", "1 cell"),
        (2000, "cell", "2,000 cells"),
        (2, "speech", "2 speeches"),
        (2, "query", "2 queries"),
        (2, "day", "2 days"),
        (1, "other event", "1 other event"),
    ],
)
def test_a_noun_goes_with_its_number(count: int, noun: str, words: str) -> None:
    assert counted(count, noun) == words


def test_of_none_it_is_said_that_there_are_no_such() -> None:
    assert counted_or_no(0, "speech") == "no speeches"
    assert counted_or_no(1, "speech") == "1 speech"
