"""`whoknew export clonemem`: what came in goes out as it came in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clonemem_files import ITEMS, LIFE, life_files
from command_runner import answer, refused, run


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_an_exam_of_such_files_goes_out_as_it_came_in_and_is_asked() -> None:
    life_files(Path())
    run("exam", "new", "clonemem", "exam.toml", "--from", "ruth.json")
    found = answer("export", "clonemem", "exam.toml", "out.json")
    assert (found["traces"], found["questions"], found["remarks"]) == (4, 2, [])
    assert json.loads(Path("out.json").read_text("utf-8")) == ITEMS
    assert json.loads(Path("out.traces.json").read_text("utf-8")) == LIFE
    rows = json.loads(run("exam", "run", "exam.toml", "--json").stdout)["table"]["rows"]
    assert {row["arm"]: row["failed"] for row in rows}["oracle"] == 0


def test_it_is_told_what_has_no_place_in_the_form() -> None:
    life_files(Path())
    run("exam", "new", "clonemem", "exam.toml", "--from", "ruth.json")
    assert "name a JSON file" in refused("export", "clonemem", "exam.toml", "out")
    Path("out.traces.json").touch()
    assert "exists already" in refused("export", "clonemem", "exam.toml", "out.json")
    run("exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room")
    told = refused("export", "clonemem", "lamp.toml", "lamp.json")
    assert "leaves a trace" in told and not Path("lamp.json").exists()
