"""`whoknew log anonymise`: a log without a name in it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from command_runner import refused, run
from diner_world import WORLD, nights
from shared_data import data


def test_names_are_taken_out_and_put_back(play: Path, tmp_path: Path) -> None:
    hidden, key, back, whole = (
        tmp_path / name for name in ("h.jsonl", "k.json", "b.jsonl", "w.jsonl")
    )
    run("log", "anonymise", play, hidden, key)
    text = hidden.read_text("utf-8").casefold()
    for name in ("wren", "augusta", "tobias", "marrow", "isolde", "lisk", "boatman", "pell"):
        assert name not in text
    run("log", "import", tmp_path / "h.db", hidden)
    run("log", "verify", tmp_path / "h.db")
    run("log", "restore", hidden, key, back)
    run("log", "export", play, whole)
    assert back.read_bytes() == whole.read_bytes()
    assert "exists already" in refused("log", "anonymise", play, tmp_path / "n.jsonl", key)
    assert "no key" in refused("log", "restore", hidden, hidden, tmp_path / "n.jsonl")


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


def test_no_digest_is_left_by_which_a_guess_at_a_name_could_be_checked(tmp_path: Path) -> None:
    file, out = nights(tmp_path), tmp_path / "h.jsonl"
    run("log", "anonymise", file, out, tmp_path / "k.json")
    run("log", "export", file, tmp_path / "w.jsonl")

    def digests(path: Path) -> list[str]:
        bodies = (json.loads(line).get("event") for line in path.read_text("utf-8").splitlines())
        return re.findall(r'"digest": "([0-9a-f]{16,64})"', json.dumps(list(bodies)))

    true, told = digests(tmp_path / "w.jsonl"), digests(out)
    assert true and not set(true) & set(told)
    assert [true.index(one) for one in true] == [told.index(one) for one in told], "alike as before"


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


def test_the_key_is_never_in_the_file_that_it_is_for(play: Path, tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    assert "is named twice" in refused("log", "anonymise", play, both, both)
    assert not both.exists()
