"""A key that a server quotes goes no further."""

from __future__ import annotations

import pytest
from clients import KEY

from whoknew.agents.errors import Busy
from whoknew.agents.models.hidden_key import HiddenKey


@pytest.mark.parametrize("key", [None, "", "EMPTY", "token-abc123"])
def test_a_word_that_is_no_secret_is_left_where_it_stands(key: str | None) -> None:
    assert HiddenKey(key).left_out(f"It was {key}.") == f"It was {key}."


def test_an_error_keeps_its_kind_and_loses_the_key() -> None:
    with pytest.raises(Busy) as caught, HiddenKey(KEY).in_errors():
        raise Busy(f"{KEY} asks too often", 3.0)
    assert (str(caught.value), caught.value.after) == ("[the key] asks too often", 3.0)
