"""`whoknew export sotopia`."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import run
from lamp_room import PLAY


@pytest.mark.parametrize("form", ["jsonl", "database"])
def test_a_world_from_elsewhere_goes_out_as_sotopia_would_have_written_it(
    play: Path, tmp_path: Path, form: str
) -> None:
    out = tmp_path / "out.json"
    run("export", "sotopia", PLAY, out, "--log", play, "--form", form)
    assert "Environment" in out.read_text("utf-8")
