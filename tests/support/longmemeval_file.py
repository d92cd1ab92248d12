"""A small file in the form of LongMemEval."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ASKED: dict[str, Any] = {
    "question_id": "q7",
    "question_type": "knowledge-update",
    "question": "Where does my bicycle stand?",
    "answer": "In the hall",
    "question_date": "2023/06/01 (Thu) 10:00",
    "haystack_session_ids": ["late", "early", "early"],
    "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/01 (Mon) 12:00", "2023/05/02"],
    "haystack_sessions": [
        [
            {"role": "user", "content": "It stands in the hall now.", "has_answer": True},
            {"role": "assistant", "content": "Noted."},
        ],
        [{"role": "user", "content": "My bicycle stands in the cellar."}],
        [{"role": "assistant", "content": "Hello again."}],
    ],
    "answer_session_ids": ["late", "early", "gone"],
}


def sessions_file(folder: Path, **changes: Any) -> Path:
    file = folder / "longmemeval_s.json"
    file.write_text(json.dumps([{**ASKED, **changes}]), "utf-8")
    return file
