"""`whoknew worlds`: what comes with Whoknew."""

from __future__ import annotations

from command_runner import answer, run

from whoknew.worlds import shelf


def test_each_bundled_world_is_listed_with_its_people_and_scenarios() -> None:
    shown = run("worlds").stdout
    for name in shelf.bundled():
        setting = shelf.find(name)
        assert f"{name}  {setting.title}" in shown
        assert f"{len(setting.characters)} characters, {len(setting.scenarios)} scenarios" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_the_same_can_be_had_as_json() -> None:
    assert [one["name"] for one in answer("worlds")] == list(shelf.bundled())
