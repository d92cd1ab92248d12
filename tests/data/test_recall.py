"""How often recall finds the evidence for a question, on data from outside the project."""

from __future__ import annotations

from recall_evidence import conversations, tales
from shared_data import data


async def test_recall_finds_the_evidence_in_long_conversations() -> None:
    flat, questions = await conversations(data("locomo"))
    print(f"LoCoMo, {questions} questions: flat@10 {flat:.3f}")
    assert flat >= 0.805


async def test_recall_finds_the_passages_of_many_tales() -> None:
    flat, sections = await tales(data("fairytaleqa"))
    print(f"FairytaleQA: flat@5 {flat[5]:.3f}, flat@10 {flat[10]:.3f}")
    assert sections == 380
    assert flat[5] >= 0.845
    assert flat[10] >= 0.925
