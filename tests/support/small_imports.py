"""A small world of each kind that is brought in from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

from command_runner import run
from shared_data import data

LOCOMO = [
    {
        "sample_id": "c-1",
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": who, "dia_id": f"D1:{number}", "text": f"So I said {number}."}
                for number, who in enumerate(("Ana", "Bo", "Ana", "Bo"), start=1)
            ],
        },
    }
]
STORYLINE = {
    "The Ball": [
        {"action": "Ana: Who asks?", "characters": ["Ana"]},
        {"action": "Bo bows", "characters": ["Bo"]},
        {"action": "Ana leaves the room", "characters": ["Ana"]},
    ]
}


def imported(kind: str, folder: Path) -> str:
    """Bring a world of a kind into a log; its name."""
    match kind:
        case "play":
            run("import", "play", "the-lamp-room", "--log", folder / "log.db")
            return "the-lamp-room"
        case "locomo":
            (folder / "locomo.json").write_text(json.dumps(LOCOMO))
            run("import", "locomo", folder / "locomo.json", "--log", folder / "log.db")
            return "locomo-c-1"
        case "storyline":
            file = folder / "title2action_series.ball.json"
            file.write_text(json.dumps(STORYLINE))
            run("import", "storyline", file, "--log", folder / "log.db")
            return "storyline-ball"
        case _:
            file = folder / "one.jsonl"
            episodes = data("sotopia", "episodes_full_20.jsonl").read_text().splitlines()
            file.write_text(episodes[0])
            run("import", "sotopia", file, "--log", folder / "log.db")
            return f"sotopia-{json.loads(episodes[0])['episode_id']}"
