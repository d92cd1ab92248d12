"""A small life in the form of CloneMem: its items, and the traces that they name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LIFE: dict[str, Any] = {
    "persona": "Ruth Aster",
    "profile": "Ruth repairs boats.",
    "contacts": [
        {"name": "Imre Vale", "relation": "closest friend", "about": "Imre sells tickets."},
        {"name": "Bea Aster", "relation": "sister", "about": "Bea counts swans."},
    ],
    "traces": [
        {
            "digital_trace_id": "t1",
            "type": "diary",
            "time": "2021-03-02T21:00:00",
            "writer": "Ruth Aster",
            "text": "Looked at cellos again. I will not buy one.",
            "readers": [],
        },
        {
            "digital_trace_id": "t2",
            "type": "private message",
            "time": "2021-03-02T22:30:00",
            "writer": "Ruth Aster",
            "text": "Bea, I rented a cello. Tell nobody.",
            "readers": ["Bea Aster"],
        },
        {
            "digital_trace_id": "t3",
            "type": "post",
            "time": "2021-04-11T09:00:00",
            "writer": "Ruth Aster",
            "text": "First concert on Friday!",
            "readers": ["Imre Vale", "Bea Aster"],
        },
        {
            "digital_trace_id": "t4",
            "type": "private message",
            "time": "2021-04-12T09:00:00",
            "writer": "Imre Vale",
            "text": "I have nine tickets for it.",
            "readers": ["Ruth Aster"],
        },
    ],
}

ITEMS: list[dict[str, Any]] = [
    {
        "id": "q1",
        "question": "How did you come from looking at cellos to a concert?",
        "question_type": "trajectory",
        "question_time": "2021-05-01T00:00:00",
        "dimension": "experience",
        "answer": "You looked, rented one in secret, then told everybody.",
        "digital_trace_ids": ["t1", "t2", "t3"],
        "evidence": [
            {"statement": "Ruth only looked at cellos.", "digital_trace_ids": ["t1"]},
            {"statement": "Ruth rented a cello.", "digital_trace_ids": ["t2", "t3"]},
        ],
        "choices": [
            {"id": "A", "text": "Looked, rented, played."},
            {"id": "B", "text": "Bought one at once."},
            {"id": "C", "text": "Was given one."},
            {"id": "D", "text": "Sold one first."},
            {"id": "E", "text": "It cannot be told."},
        ],
        "correct_choice_id": "A",
    },
    {
        "id": "q2",
        "question": "Which piece did you play?",
        "question_type": "unanswerable",
        "question_time": "2021-04-12T12:00:00",
        "dimension": "experience",
        "answer": "It cannot be told.",
        "digital_trace_ids": [],
        "evidence": [],
        "choices": [
            {"id": "A", "text": "A sarabande."},
            {"id": "B", "text": "A waltz."},
            {"id": "C", "text": "A march."},
            {"id": "D", "text": "It cannot be told."},
        ],
        "correct_choice_id": "D",
    },
]


def life_files(folder: Path, items: Any = ITEMS, life: Any = LIFE) -> Path:
    """The file of items; beside it stands that of traces."""
    (folder / "ruth.traces.json").write_text(json.dumps(life), "utf-8")
    file = folder / "ruth.json"
    file.write_text(json.dumps(items), "utf-8")
    return file
