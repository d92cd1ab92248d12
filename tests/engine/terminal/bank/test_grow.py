"""`whoknew bank grow`: more scenarios, written by a model."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from command_runner import refused, run
from model_servers import Doing, serving

from whoknew.worlds import shelf

SKETCH = {
    "name": "the-goat",
    "text": "In the hall, by the kestrel's cage, {first} and {second} find a goat.",
    "over": "who keeps the goat",
    "goals": ["Have the goat out before noon.", "Keep it warm until somebody asks for it."],
    "lines": [["It eats my laurel."], ["It is only a kid."]],
}


async def test_what_was_written_is_shown_and_can_be_played(tmp_path: Path) -> None:
    file = tmp_path / "more.toml"
    async with serving("openai", after=Doing(json.dumps(SKETCH))) as server:
        words = ("bank", "grow", "friend", file, "--model", f"{server.url}#writer", "--count", "1")
        shown = (await asyncio.to_thread(run, *words)).stdout
    assert "1 new scenario in" in shown
    assert "the-goat: who keeps the goat" in shown
    assert [one.name for one in shelf.find_bank(str(file)).sketches] == ["the-goat"]


def test_a_bank_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    assert "did you mean 'friend'?" in refused("bank", "grow", "frend", file, "--model", "gemini:x")
    assert not file.exists()
