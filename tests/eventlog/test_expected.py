"""What head an append may expect."""

import pytest

from whoknew.eventlog import ABSENT, ANY, exactly
from whoknew.eventlog.errors import Conflict


@pytest.mark.parametrize("head", [0, 1, 1000])
def test_any_takes_every_head(head: int) -> None:
    ANY.check("w", head)


def test_exactly_takes_that_head_only() -> None:
    exactly(3).check("w", 3)
    with pytest.raises(Conflict, match="'w' was expected at #3, but its head is #4; read on"):
        exactly(3).check("w", 4)


def test_absent_takes_no_world_that_exists() -> None:
    ABSENT.check("w", 0)
    with pytest.raises(
        Conflict, match="there is a world 'w' already, with 4 events; give another name"
    ):
        ABSENT.check("w", 4)


def test_a_world_that_is_missing_is_said_to_be() -> None:
    with pytest.raises(Conflict, match="'w' was expected at #3, but it does not exist"):
        exactly(3).check("w", 0)


def test_a_conflict_tells_what_was_expected_and_what_is() -> None:
    with pytest.raises(Conflict) as caught:
        exactly(3).check("w", 9)
    assert (caught.value.world, caught.value.expected, caught.value.actual) == ("w", 3, 9)
