"""Names taken out of a log and put back, by command."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest
from command_runner import ENVIRONMENT, refused, run
from diner_world import WORLD, nights
from lamp_room import lamp_room
from shared_data import data

LIMITED = """
import resource, signal
from whoknew.cli import main

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
main()
"""
"""A command on a disk that takes no file of more than 20 kB."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lamp_room(tmp_path_factory.mktemp("play"))


def test_names_are_taken_out_and_put_back(log: Path, tmp_path: Path) -> None:
    hidden, key, back, whole = (
        tmp_path / name for name in ("h.jsonl", "k.json", "b.jsonl", "w.jsonl")
    )
    run("log", "anonymise", log, hidden, key)
    text = hidden.read_text("utf-8").casefold()
    for name in ("wren", "augusta", "tobias", "marrow", "isolde", "lisk", "boatman", "pell"):
        assert name not in text
    run("log", "import", tmp_path / "h.db", hidden)
    run("log", "verify", tmp_path / "h.db")
    run("log", "restore", hidden, key, back)
    run("log", "export", log, whole)
    assert back.read_bytes() == whole.read_bytes()
    assert "exists already" in refused("log", "anonymise", log, tmp_path / "n.jsonl", key)
    assert "no key" in refused("log", "restore", hidden, hidden, tmp_path / "n.jsonl")


def test_names_are_taken_out_and_put_back_zipped_where_the_file_says_so(
    log: Path, tmp_path: Path
) -> None:
    hidden, key, back = (tmp_path / name for name in ("h.jsonl.gz", "k.json", "b.jsonl.gz"))
    run("log", "anonymise", log, hidden, key)
    assert gzip.decompress(hidden.read_bytes()).startswith(b'{"whoknew_export":')
    run("log", "restore", hidden, key, back)
    run("log", "export", log, tmp_path / "w.jsonl")
    assert gzip.decompress(back.read_bytes()) == (tmp_path / "w.jsonl").read_bytes()


def test_names_that_cannot_be_put_back_whole_leave_no_file(log: Path, tmp_path: Path) -> None:
    hidden, key, back = (tmp_path / name for name in ("h.jsonl.gz", "k.json", "b.jsonl"))
    run("log", "anonymise", log, hidden, key)
    there = sorted(tmp_path.iterdir())
    for words in (
        ("log", "restore", hidden, key, back),
        ("log", "anonymise", log, tmp_path / "n.jsonl", tmp_path / "n.json"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", LIMITED, *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
            env=ENVIRONMENT,
        )
        assert (done.returncode, done.stderr[:9]) == (1, "whoknew: "), done
    hidden.write_bytes(hidden.read_bytes()[:-2000])
    assert "damaged or cut short" in refused("log", "restore", hidden, key, back)
    assert sorted(tmp_path.iterdir()) == there


def test_names_in_prompts_and_plans_are_taken_out_too(tmp_path: Path) -> None:
    """What is compressed is looked into, and comes back as it was."""
    file, out = nights(tmp_path), tmp_path / "h.jsonl"
    run("log", "anonymise", file, out, tmp_path / "k.json")
    run("log", "import", tmp_path / "h.db", out)
    shown = run("prompt", WORLD, "E2.T3", "--log", tmp_path / "h.db").stdout
    assert "Dorte" not in shown
    assert "# Who you are" in shown
    run("log", "restore", out, tmp_path / "k.json", tmp_path / "b.jsonl")
    run("log", "export", file, tmp_path / "w.jsonl")
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "w.jsonl").read_bytes()


def test_four_plays_lose_every_name_and_get_it_back(tmp_path: Path) -> None:
    file, out, key = tmp_path / "p.db", tmp_path / "h.jsonl", tmp_path / "k.json"
    run("import", "play", data("shakespeare"), "--log", file)
    run("log", "anonymise", file, out, key)
    run("log", "restore", out, key, tmp_path / "b.jsonl")
    run("log", "export", file, tmp_path / "w.jsonl")
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "w.jsonl").read_bytes()
    text = out.read_text("utf-8").casefold()
    for name in ("hamlet", "ophelia", "macbeth", "banquo", "titania", "juliet", "laurence"):
        assert name not in text
