"""`whoknew bank check`: whether a bank is sound."""

from __future__ import annotations

from pathlib import Path

from command_runner import run


def test_a_sound_bank_is_said_to_be_so(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "m"\nrelationship = "friend"\nsketches = []\n')
    assert "m: sound: 0 scenarios" in run("bank", "check", file).stdout


def test_mistakes_are_told_each_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "m"\nrelationship = "fiend"\nskeches = []\n')
    told = run("bank", "check", file, rc=1).stderr
    assert ":2: relationship: is 'fiend': did you mean 'friend'?" in told
    assert ":3: skeches: no such key: did you mean 'sketches'?" in told
