"""`whoknew exam audit`, as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

from command_runner import run

PLAN = """
exam = "questions"
name = "known"
log = "{folder}/known.db"
material = "{folder}/diner.db"
questions = "questions.jsonl"
[grid]
memories = {memories}
"""


def sat(folder: Path, *memories: str) -> Path:
    """An exam about the diner, after it was sat."""
    run("demo", "--log", folder / "diner.db")
    questions = [
        {"world": "midnight-diner", "character": who, "at": at, "question": text, "kind": "fact"}
        for who in ("Emil", "Magda")
        for at in ("E1", "E2")
        for text in ("Who cannot taste?", "What happened to the soup?", "Who was in the pantry?")
    ]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, questions)) + "\n")
    plan = folder / "exam.toml"
    plan.write_text(PLAN.format(folder=folder, memories=json.dumps(memories)))
    run("exam", "run", plan)
    return plan


def test_answers_of_an_arm_that_leaks_are_found_and_of_no_other(tmp_path: Path) -> None:
    plan = sat(tmp_path, "entire", "unsafe:full")
    found = json.loads(run("exam", "audit", plan, "--json").stdout)
    leaks = {rate["name"]: rate["leaks"] for rate in found["arms"]}
    assert leaks["entire"] == 0 < leaks["unsafe:full"] == found["leaks"]
    assert found["fair"] == 0 and found["answers"] == 24
    row = found["rows"][0]
    assert row["arm"] == "unsafe:full" and f"#{row['fact']}" in row["why"]
    shown = run("exam", "audit", plan).stdout
    assert "24 answers" in shown and "of what whoever was asked could not know" in shown


def test_a_model_reads_what_was_found_and_a_second_audit_asks_nothing(tmp_path: Path) -> None:
    plan = sat(tmp_path, "unsafe:full")
    reading = ("exam", "audit", plan, "--model", "offline:")
    before = json.loads(run(*reading, "--dry-run", "--json").stdout)
    first = json.loads(run(*reading, "--json").stdout)
    assert before["calls"] == before["findings"] == first["total"] > 0
    assert first["leaks"] + first["denied"] == first["total"]
    assert all(row["confirmed"] is not None for row in first["rows"])
    assert sum(rate["leaks"] for rate in first["arms"]) == first["leaks"]
    again = json.loads(run(*reading, "--json").stdout)
    assert again["rows"] == first["rows"]
    assert (again["reading"]["calls"], again["reading"]["kept"]) == (0, first["total"])
    assert json.loads(run(*reading, "--dry-run", "--json").stdout)["calls"] == 0
    assert run("exam", "report", plan).stdout
