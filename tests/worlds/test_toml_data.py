"""What a text in TOML holds, whatever it holds."""

from __future__ import annotations

import tomllib

import pytest

from whoknew.worlds.errors import TooDeep
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


@pytest.mark.parametrize(
    "line",
    [
        "a." * 20_000 + "a = 1",
        " . ".join(["'a'", '"a"'] * 10_000) + " = 1",
        "[" + "a." * 20_000 + "a]",
        "[[" + "a." * 20_000 + "a]]",
        "x = {" + "a." * 20_000 + "a = 1}",
    ],
)
def test_a_key_of_thousands_of_parts_is_told_with_its_line_before_it_is_read(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tomllib, "loads", None)
    text = f"about = '''\n# is \"no\" comment\n''' # but 'this\n{line}\n"
    with pytest.raises(TooDeep, match="deeper than 32") as caught:
        toml_data(text)
    assert caught.value.line == 4


@pytest.mark.parametrize(
    "text",
    [
        f"x = '{'No. ' * 50}'",
        f'x = """\n{"no." * 50} = 1\n"""',
        f'x = """ \\""" {"a." * 50} """""',
        f"x = '''{'a.' * 50}'''",
        f'"{"a." * 50}" = 1',
        f"['{'a.' * 50}']",
        f"x = [{'1.5, ' * 50}]",
        f"x = [{'{a.b = 1.5}, ' * 50}]",
        f"x = 1 # {'a.' * 50}",
    ],
)
def test_dots_that_part_no_key_are_read(text: str) -> None:
    assert toml_data(text) == tomllib.loads(text)


@pytest.mark.parametrize("mark", ['"', "'", '"""', "'''", '"""\\"', "#", "'.\n"])
def test_quotes_without_an_end_are_told_as_fast(mark: str) -> None:
    with pytest.raises(ValueError):
        toml_data("a." * 40 + mark * 40_000)


def test_a_number_of_thousands_of_digits_is_told() -> None:
    with pytest.raises(ValueError, match="thousands of digits"):
        toml_data("x = " + "9" * 5000)
