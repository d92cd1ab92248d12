"""What a text in TOML holds, whatever it holds."""

from __future__ import annotations

import pytest

from whoknew.worlds.toml_data import DEEPEST, toml_data


def test_what_is_as_deep_as_anything_of_ours_is_read() -> None:
    depth = DEEPEST - 2
    assert toml_data(f"x = {'[' * depth}{']' * depth}")["x"] is not None


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 5000 + "]" * 5000,
        "x = " + "{a = " * 5000 + "1" + "}" * 5000,
        f"[{'.'.join('a' * 5000)}]",
        f"x = {'[' * DEEPEST}{']' * DEEPEST}",
    ],
)
def test_what_goes_too_deep_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="deeper than 32"):
        toml_data(text)


def test_a_number_of_thousands_of_digits_is_told() -> None:
    with pytest.raises(ValueError, match="thousands of digits"):
        toml_data("x = " + "9" * 5000)
