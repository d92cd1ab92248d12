"""People by their own names, however they are called."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whoknew.worlds.importers.own_names import OwnNames

NAMES = st.text("aAbB ", max_size=4)


@given(st.lists(NAMES), st.text("aAbB ", max_size=12))
def test_the_first_that_stands_in_what_somebody_is_called_is_its_own(
    names: list[str], called: str
) -> None:
    first = next((one for one in names if one.lower() in called.lower()), called)
    assert OwnNames(names).of(called) == first


def test_ten_thousand_people_have_names_of_their_own() -> None:
    names = [f"Mara Quill the {number}th" for number in range(10_000)]
    own = OwnNames(names)
    assert [own.of(f"Captain {name}") for name in names] == names
