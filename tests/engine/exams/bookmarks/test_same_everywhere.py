"""The same steps on every store: and so the same hits, and the same saving, which are sums over what is kept
of steps."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from remembered_lives import Kept, events_on, exam_about, kept_on, lives, logged, notes_of
from store_places import KINDS, VolatilePlace
from watch_exams import sat

from whoknew.agents.models.offline import Offline

PLAN = """
exam = "questions"
name = "watch"
material = "lives.db"
questions = "questions.jsonl"
at_once = 8
[arms.bookmarks]
memory = "bookmarks"
bookmarks = { profile = true }
[arms.no-reuse]
memory = "bookmarks"
bookmarks = { reuses = false, derives = false }
"""

Note = tuple[str, str, int, tuple[int, ...], bytes]


async def kept_of(folder: Path, kept: Kept) -> list[Note]:
    drafts = lives(Random(7), 5)
    exam = exam_about(folder, [(who, len(drafts)) for who in ("Horatio", "Marcellus")], PLAN)
    async with logged(drafts, kept.material) as about:
        await sat(exam, about, kept.exam.store(), Offline())
    events = await events_on(kept.exam.store())
    return sorted(
        (one.owner, one.text, one.upto, one.sources, one.packed) for one in notes_of(events)
    )


@pytest.mark.parametrize("kind", [one for one in KINDS if one != "volatile"])
async def test_on_each_store_the_same_steps_are_taken(
    kind: str, tmp_path: Path, request: Any
) -> None:
    expected = await kept_of(tmp_path / "first", Kept(VolatilePlace(), VolatilePlace()))
    with kept_on(kind, tmp_path, request) as kept:
        assert await kept_of(tmp_path / "then", kept) == expected != []
