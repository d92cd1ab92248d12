"""What worlds are made of as TOML: read as it was written, whatever stands in it."""

from __future__ import annotations

import tomllib

import pytest
from msgspec.structs import replace

from whoknew.worlds import shelf
from whoknew.worlds.toml_text import toml_of


@pytest.mark.parametrize("name", shelf.bundled())
def test_a_bundled_world_written_as_toml_is_read_as_it_was(name: str) -> None:
    setting = shelf.find(name)
    assert shelf.parse(toml_of(setting), "again.toml") == setting


@pytest.mark.parametrize(
    "name", ['"', "\\", "a\nb\r\n\tc", "\x7f\x00\x1b", "\u2028 🦉 若し", "'''", '"""', "= [#"]
)
def test_any_sign_of_a_name_comes_back(name: str) -> None:
    setting = shelf.find("flatmates")
    scenario = replace(setting.scenarios[0], goals={name: name})
    text = toml_of(replace(setting, title=name, scenarios=(scenario,)))
    read = tomllib.loads(text)
    assert read["title"] == name
    assert read["scenarios"][0]["goals"] == {name: name}


def test_what_goes_without_saying_is_left_out() -> None:
    setting = shelf.find("flatmates")
    read = tomllib.loads(toml_of(replace(setting, gap=24, places=())))
    assert "gap" not in read
    assert "places" not in read
