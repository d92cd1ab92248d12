"""A file that is plainly something else than a command takes is called what it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import harbour, refused, run

from whoknew.worlds import shelf

WORLD = Path(shelf.__file__).parent / "library" / "harbour.toml"


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", [("run",), ("exam", "run"), ("exam", "check")])
def test_a_log_in_the_place_of_a_plan_is_told(command: tuple[str, ...]) -> None:
    harbour(Path("lh.db"))
    assert "lh.db: is a log, and no text: name a file in TOML" in refused(*command, "lh.db")


@pytest.mark.parametrize("command", [("run",), ("exam", "run"), ("exam", "check")])
def test_a_world_in_the_place_of_a_plan_is_told(command: tuple[str, ...]) -> None:
    Path("lamps.toml").write_bytes(WORLD.read_bytes())
    said = refused(*command, "lamps.toml")
    assert 'lamps.toml is a world, and no plan: name it in one, world = "lamps.toml"' in said


@pytest.mark.parametrize("command", ["run", "check"])
def test_a_plan_to_play_in_the_place_of_an_exam_is_told(command: str) -> None:
    run("new", "plan.toml")
    said = refused("exam", command, "plan.toml")
    assert "is a plan to play, and none of an exam: whoknew run plan.toml" in said
    assert "there are: 'questions', 'scenes'" in said


def test_an_exam_that_does_not_say_of_which_kind_it_is_is_told_which_there_are() -> None:
    Path("exam.toml").write_text('name = "lamps"\n[arms.one]\n')
    assert "exam: is missing: say of which kind it is: there are: 'questions'" in refused(
        "exam", "check", "exam.toml"
    )
