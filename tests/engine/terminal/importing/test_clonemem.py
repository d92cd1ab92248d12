"""`whoknew import clonemem`: a life as a world, its items as a file of questions."""

from __future__ import annotations

from pathlib import Path

import pytest
from clonemem_files import life_files
from command_runner import answer, refused, run


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_its_traces_are_a_world_that_each_sees_a_part_of() -> None:
    life_files(Path())
    found = answer("import", "clonemem", "ruth.json", "--log", "l.db", "--questions", "q.jsonl")
    assert (found["worlds"], found["questions"]) == (["clonemem-ruth"], 2)
    shown = run("replay", "clonemem-ruth", "--as", "Imre Vale", "--log", "l.db").stdout
    assert "nine tickets" in shown and "Tell nobody" not in shown


def test_without_its_traces_it_is_told_what_should_stand_beside_it() -> None:
    life_files(Path())
    Path("ruth.traces.json").unlink()
    assert "ruth.traces.json" in refused("import", "clonemem", "ruth.json", "--log", "l.db")
    assert not Path("l.db").exists()
