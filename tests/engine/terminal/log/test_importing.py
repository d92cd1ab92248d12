"""`whoknew log import`: an export, read in."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import answer, refused, run


@pytest.mark.parametrize("name", ["e.jsonl", "e.jsonl.gz"])
def test_an_export_is_imported_hash_for_hash(file: Path, tmp_path: Path, name: str) -> None:
    assert answer("log", "export", file, tmp_path / name)["events"] == 5
    new = tmp_path / "new.db"
    assert answer("log", "import", new, tmp_path / name) == {"events": 5, "already": 0}
    assert run("log", "head", new).stdout == run("log", "head", file).stdout
    assert answer("log", "import", new, tmp_path / name) == {"events": 0, "already": 5}


def test_a_bad_export_leaves_no_log_behind(file: Path, tmp_path: Path) -> None:
    assert "is no export of a log" in refused("log", "import", tmp_path / "new.db", file)
    run("log", "export", file, tmp_path / "cut.jsonl")
    cut = (tmp_path / "cut.jsonl").read_text().splitlines(keepends=True)[:-1]
    (tmp_path / "cut.jsonl").write_text("".join(cut))
    assert "cut short" in refused("log", "import", tmp_path / "new.db", tmp_path / "cut.jsonl")
    assert not [one for one in tmp_path.iterdir() if one.name.startswith("new.db")]
