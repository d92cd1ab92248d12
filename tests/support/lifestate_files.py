"""A file in the form of LIFESTATE-BENCH, for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FORM: dict[str, Any] = {
    "title": "The Lamp",
    "roles": {
        "Wren": {
            "background": "Keeps the lamp.",
            "personality": "Patient.",
            "relationships": {"Tobias Pell": "Her uncle, whom she owes money."},
        },
        "Tobias Pell": {"background": "Sells oil."},
    },
    "episodes": {
        "one": {
            "title": "Oil",
            "location": "The lamp room",
            "time": "the same night",
            "narration": "Nine jars stand there.",
            "participants": ["Wren", "Tobias Pell"],
            "dialogues": [
                {"speaker": "Tobias Pell", "text": "Wren, how much oil is left in the nine jars?"},
                {"speaker": "Wren", "action": "counts the jars"},
                {"speaker": "Wren", "text": "Eight of the jars are full, and one is broken."},
                {"speaker": "Tobias Pell", "text": "Then eight it is, and you pay for the ninth."},
            ],
        },
        "two": {
            "participants": ["Wren"],
            "dialogues": [{"speaker": "Wren", "text": "I will ask Pell for another year."}],
        },
    },
    "questions": {
        "one": {
            "Wren self 1": {
                "role": "Wren",
                "kind": "self",
                "question": "Who are you, wren?",
                "answer": "I am the keeper of the lamp.",
            },
            "Q2": {
                "role": "Tobias Pell",
                "kind": "fact",
                "question": "How many jars were full?",
                "answer": "Eight, as WREN said.",
                "evidence": [["one#3"]],
            },
        },
        "two": {
            "Q1": {
                "role": "Wren",
                "kind": "relation",
                "question": "How do you stand to Pell now?",
                "answer": "I owe him for a jar.",
            }
        },
    },
}


def form_file(path: Path, **other: Any) -> Path:
    path.write_text(json.dumps({**FORM, **other}), "utf-8")
    return path
