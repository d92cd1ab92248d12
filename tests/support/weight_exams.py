"""An exam of two questions with memory in weights, in a folder of its own, by a model that was hardly trained:
what it says is worth nothing, but it is quickly made."""

from __future__ import annotations

import asyncio
import json
import random
from datetime import datetime
from pathlib import Path

from tiny_models import Fact, every

from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeOpened, WorldOpened

FACTS = random.Random(5).sample(every(random.Random(5)), 33)

PLAN = """
exam = "questions"
name = "weights"
may_fail = 1.0
material = "isle.db"
questions = "asked.jsonl"
[agents.everyone]
model = "local:{model}"
method = "bare"
max_tokens = 12
reasks = 0
[arms.lora]
memory = "lora"
lora = {{ epochs = 3, rows = "statement" }}
[arms.grace]
memory = "grace"
grace = {{ steps = 1, rows = "statement" }}
[arms.nothing]
memory = "none"
"""


def told(fact: Fact) -> str:
    return f"{fact[0].removeprefix('Bo: ')} {fact[1]}"


def world(episodes: int, elsewhere: int = 1) -> list[Draft]:
    """Bo tells Ann three facts an episode, and Cid others that she does not hear."""
    drafts = [Draft(WorldOpened("Isle"), datetime(2000, 1, 1, 12))]
    drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in ("Ann", "Bo", "Cid")]
    for episode in range(1, episodes + 1):
        here = ("Ann", "Bo")
        drafts.append(Draft(EpisodeOpened("Rain.", here), episode=episode, witnesses=here))
        for fact in FACTS[3 * episode - 3 : 3 * episode]:
            drafts.append(Draft(Acted(told(fact)), episode=episode, actor="Bo", witnesses=here))
            drafts += [
                Draft(Acted("Unheard."), episode=episode, actor="Bo", witnesses=("Bo", "Cid"))
            ] * elsewhere
    return drafts


def exam_in(folder: Path, model: Path, episodes: int, elsewhere: int = 1, at: str = "E3") -> Path:
    """An exam of that world in a folder of its own: its plan."""
    folder.mkdir()

    async def write() -> None:
        async with open_log(folder / "isle.db") as log:
            await log.append("isle", world(episodes, elsewhere))

    asyncio.run(write())
    asked = [
        {
            "world": "isle",
            "character": "Ann",
            "kind": "fact",
            "at": at,
            "question": fact[0],
            "reference": fact[1],
        }
        for fact in FACTS[:2]
    ]
    lines = "".join(f"{json.dumps(one)}\n" for one in asked)
    (folder / "asked.jsonl").write_text(lines, "utf-8")
    plan = folder / "plan.toml"
    plan.write_text(PLAN.format(model=model).replace("isle.db", str(folder / "isle.db")), "utf-8")
    return plan
