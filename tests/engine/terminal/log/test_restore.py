"""`whoknew log restore`: names put back."""

from __future__ import annotations

import gzip
from pathlib import Path

from command_runner import refused, run
from limited_disk import refused_by_disk


def test_names_are_taken_out_and_put_back_zipped_where_the_file_says_so(
    play: Path, tmp_path: Path
) -> None:
    hidden, key, back = (tmp_path / name for name in ("h.jsonl.gz", "k.json", "b.jsonl.gz"))
    run("log", "anonymise", play, hidden, key)
    assert gzip.decompress(hidden.read_bytes()).startswith(b'{"whoknew_export":')
    run("log", "restore", hidden, key, back)
    run("log", "export", play, tmp_path / "w.jsonl")
    assert gzip.decompress(back.read_bytes()) == (tmp_path / "w.jsonl").read_bytes()


def test_names_that_cannot_be_put_back_whole_leave_no_file(play: Path, tmp_path: Path) -> None:
    hidden, key, back = (tmp_path / name for name in ("h.jsonl.gz", "k.json", "b.jsonl"))
    run("log", "anonymise", play, hidden, key)
    there = sorted(tmp_path.iterdir())
    for words in (
        ("log", "restore", hidden, key, back),
        ("log", "anonymise", play, tmp_path / "n.jsonl", tmp_path / "n.json"),
    ):
        refused_by_disk(20_000, *words)
    hidden.write_bytes(hidden.read_bytes()[:-2000])
    assert "damaged or cut short" in refused("log", "restore", hidden, key, back)
    assert sorted(tmp_path.iterdir()) == there
