"""An exam about the nights in the diner, sat offline, to be looked at."""

from __future__ import annotations

import json
from pathlib import Path

from diner_world import WORLD

from whoknew.engine import LoadedExam, load_exam, sit_exam

PLAN = """
exam = "questions"
name = "nights"
material = "{material}"
log = "{log}"
questions = "nights.jsonl"
grid.memories = ["none", "entire"]
judges.words.by = "reference"
"""

QUESTIONS = (
    ("E1", "secret", "Who cannot taste?", "Dorte"),
    ("E3", "secret", "Who cannot taste?", "Dorte"),
    ("end", "self", "Who are you?", "Vera"),
)


async def exam_of_nights(folder: Path) -> LoadedExam:
    """Three questions to Vera, two arms, all answered."""
    asked = [
        {
            "world": WORLD,
            "character": "Vera",
            "at": at,
            "kind": kind,
            "question": question,
            "reference": reference,
        }
        for at, kind, question, reference in QUESTIONS
    ]
    (folder / "nights.jsonl").write_text("\n".join(map(json.dumps, asked)), "utf-8")
    text = PLAN.format(material=folder / "nights.db", log=folder / "exam.db")
    (folder / "nights.toml").write_text(text, "utf-8")
    exam = load_exam(folder / "nights.toml")
    await sit_exam(exam)
    return exam
