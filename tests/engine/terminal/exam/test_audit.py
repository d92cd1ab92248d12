"""`whoknew exam audit`, as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

from command_runner import ended, run

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


def test_a_guard_is_refused_where_nothing_is_played(tmp_path: Path) -> None:
    plan = sat(tmp_path, "entire")
    plan.write_text(plan.read_text() + "[agents.everyone]\nguard = true\n")
    code, done = ended("exam", "check", plan)
    assert code == 1 and "whoknew exam audit" in " ".join((done.stdout + done.stderr).split())
