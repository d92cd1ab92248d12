"""`whoknew export prompts`: what was asked and answered goes out, and a plan can be played by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import answer, run

PLAN = """
world = "flatmates"
name = "flat"
log = "{log}"
keep_prompts = {keep}
episodes.turns = 4
[agents.everyone]
memory = "none"
model = "{model}"
"""


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def played(log: str, model: str = "offline:", keep: str = "true") -> list[tuple[str, str]]:
    Path("plan.toml").write_text(PLAN.format(log=log, model=model, keep=keep))
    run("run", "plan.toml")
    told = answer("show", "flat", "--log", log)["events"]
    return [(one.get("actor", ""), one["body"]["text"]) for one in told if "text" in one["body"]]


def test_the_same_story_comes_of_the_prompts_that_went_out() -> None:
    story = played("first.db")
    found = answer("export", "prompts", "flat", "prompts.jsonl", "--log", "first.db")
    rows = [json.loads(line) for line in Path("prompts.jsonl").read_text().splitlines()]
    assert (len(rows), found["missing"]) == (found["prompts"], 0) and rows
    assert {row["model"] for row in rows} == {"offline:"}
    assert played("second.db", "cache:prompts.jsonl") == story


def test_prompts_that_were_not_kept_are_counted() -> None:
    played("first.db", keep="false")
    told = run("export", "prompts", "flat", "prompts.jsonl", "--log", "first.db").stdout
    assert (
        "0 prompts of flat; " in told
        and "without: keep_prompts = true in a plan keeps them" in told
    )
    assert Path("prompts.jsonl").read_text() == ""
