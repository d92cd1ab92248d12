"""What came to mind for an answer: judges see what stood in its prompt, and nobody remembers it anew for
them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from watch_exams import ByPrompt, asked, came_to, material, sat, written

from whoknew.engine.exams.document import load
from whoknew.eventlog.stores.volatile import VolatileStore

PLAN = """
exam = "questions"
name = "watch"
material = "elsinore.db"
questions = "questions.jsonl"
at_once = 1
[grid]
memories = ["counted_minds:CountedEntry"]
"""

JUDGES = """
[judges.remembered]
by = "remembered-words"
[judges.recalls]
by = "recalls"
"""

COUNTED = '''
from typing import ClassVar

from whoknew.agents.memories.memory import Memory, MemoryEntry, Piece, recollection

begun, brought = [], []


class Counted(Memory):
    async def recollect(self, now):
        brought.append(now.question)
        some = [Piece(f"a ghost in {len(now.view)} events", (1,))]
        return recollection(some, now.budget)


class CountedEntry(MemoryEntry, frozen=True):
    """counts how often something comes to mind"""

    recalls: ClassVar[tuple[str, ...]] = ("k",)
    k: int = 5

    def make(self, owner):
        begun.append(owner.who)
        return Counted()
'''


async def test_what_came_to_mind_for_an_answer_is_what_its_judges_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.joinpath("counted_minds.py").write_text(COUNTED, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    questions = [replace(one, evidence=((6, 7),)) for one in asked("E1", "end")]
    async with material() as about:
        at_once = load(written(tmp_path, PLAN + JUDGES, questions))
        memory = sys.modules["counted_minds"]
        kept = VolatileStore()
        assert (await sat(at_once, about, kept, ByPrompt())).reviewed == 2 * len(questions)
        assert len(memory.brought) == len(questions), "once for each answer"
        assert sorted(memory.begun) == ["Horatio", "Marcellus"], "each life was folded once"
        found = [cell.scores for cell in (await came_to(at_once, about, kept)).cells]

        memory.brought.clear()
        later, kept = load(written(tmp_path, PLAN, questions)), VolatileStore()
        await sat(later, about, kept, ByPrompt())
        assert (await sat(at_once, about, kept, ByPrompt())).answered == 0
        assert len(memory.brought) == 2 * len(questions), "once for the answer, once for all judges"
        assert [cell.scores for cell in (await came_to(at_once, about, kept)).cells] == found
    assert all({"remembered.points", "recalls.flat"} <= set(scores) for scores in found), found
    sys.modules.pop("counted_minds")
