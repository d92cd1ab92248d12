"""What `whoknew import` says of what it cannot bring in."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import refused


@pytest.mark.parametrize(
    "kind", ["play", "storyline", "locomo", "longmemeval", "clonemem", "bigtom"]
)
def test_what_cannot_be_imported_is_told(tmp_path: Path, kind: str) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(b"\xff\xfe\x00")
    for path in (bad, tmp_path / "none", tmp_path):
        message = refused("import", kind, path, "--log", tmp_path / "x.db")
        assert str(path) in message
    assert not (tmp_path / "x.db").exists()
