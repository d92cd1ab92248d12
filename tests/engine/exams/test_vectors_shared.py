"""What memories with and without vectors have in common is asked for once in an exam."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from lamp_exams import lamp_exam

from whoknew.agents.models.model import EMBED
from whoknew.engine import load_exam, sit_exam
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called

PLAN = """
exam = "questions"
name = "lamps"
log = "exam.db"
material = "plays.db"
questions = "questions.jsonl"
[arms.one]
memory = "ONE"
ONE = { embedder = "EMBEDDER" }
[arms.other]
memory = "OTHER"
OTHER = { embedder = "offline:" }
"""


async def asked(one: str, embedder: str, other: str) -> Counter[tuple[str, bool]]:
    """How many calls of each purpose were made, and how many had an answer already."""
    plan = PLAN.replace("OTHER", other).replace("ONE", one).replace("EMBEDDER", embedder)
    Path("exam.toml").write_text(plan, "utf-8")
    await sit_exam(load_exam("exam.toml"))
    async with open_log("exam.db") as log:
        bodies = [event.body async for event in await log.director("lamps")]
    return Counter(
        (body.purpose, bool(body.answered_by)) for body in bodies if isinstance(body, Called)
    )


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lamp_exam(tmp_path)


async def test_what_is_noted_with_vectors_and_without_is_written_once() -> None:
    calls = await asked("facts", "", "facts")
    assert calls["remember", False] == calls["remember", True] > 0
    assert calls[EMBED, False] and not calls[EMBED, True]


async def test_the_vectors_of_what_happened_are_computed_once_for_all_memories(
    tmp_path: Path,
) -> None:
    """Those of what is asked, too."""
    alone = await asked("recall", "", "recall")
    (tmp_path / "exam.db").unlink()
    both = await asked("recall", "offline:", "flat")
    assert both[EMBED, True] == alone[EMBED, False]
