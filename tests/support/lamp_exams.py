"""An exam about the play that comes with Whoknew, in files, as a person would write it."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from command_runner import run

PLAN = """
exam = "questions"
name = "lamps"
material = "plays.db"
questions = "questions.jsonl"
[grid]
memories = ["none", "recall"]
[judges.words]
by = "reference"
"""

QUESTIONS = [
    {
        "world": "the-lamp-room",
        "character": "WREN",
        "at": at,
        "kind": kind,
        "question": question,
        "reference": reference,
    }
    for at, kind, question, reference in (
        ("end", "fact", "How much oil is in nine jars?", "One of the nine is broken."),
        ("E1", "fact", "Who paid for the stones?", "Tobias Pell."),
        ("end", "self", "Who are you?", "Wren."),
    )
]


def lamp_exam(folder: Path, plan: str = PLAN) -> Path:
    """The plan, beside its questions and the log that they are about."""
    if not (folder / "plays.db").exists():
        shutil.copy(_imported(), folder / "plays.db")
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)), "utf-8")
    path = folder / "exam.toml"
    path.write_text(plan, "utf-8")
    return path


@cache
def _imported() -> Path:
    file = Path(mkdtemp(prefix="whoknew-lamps-")) / "plays.db"
    run("import", "play", "the-lamp-room", "--log", file)
    return file


def without_a_reference(folder: Path) -> None:
    """The same questions, the second of which nobody knows an answer to."""
    first, second, third = QUESTIONS
    left = {key: value for key, value in second.items() if key != "reference"}
    lines = map(json.dumps, (first, left, third))
    (folder / "questions.jsonl").write_text("\n".join(lines), "utf-8")
