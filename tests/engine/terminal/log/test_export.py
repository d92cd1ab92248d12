"""`whoknew log export`: a log as JSON lines."""

from __future__ import annotations

from pathlib import Path

from command_runner import answer


def test_one_world_is_exported_with_all_of_its_past(file: Path, tmp_path: Path) -> None:
    done = answer("log", "export", file, tmp_path / "e.jsonl", "--world", "harbour-fork")
    assert done["worlds"] == {"harbour": 3, "harbour-fork": 4}
