"""How often recall finds the evidence for a question, on data from outside the project."""

from __future__ import annotations

from pathlib import Path
from statistics import mean

from locomo_exam import came_to_mind
from recall_evidence import as_said, conversations, imported, mean_of, tales
from shared_data import data

EVERY = 20
"""So many questions of one that is asked in an exam here: `make bench` asks them all."""


async def test_recall_finds_the_evidence_in_long_conversations() -> None:
    found = await conversations(data("locomo"))
    print(f"LoCoMo, {sum(map(len, found.values()))} questions: flat@10 {mean_of(found):.4f}")
    assert mean_of(found) >= 0.805


async def test_what_an_import_adds_to_conversations_is_all_that_it_changes_in_what_is_found() -> (
    None
):
    """Sessions open and end there, and who sends a photo is said to: those events and words are searched,
    too. Without them the same is found for every question."""
    bare, whole = await conversations(data("locomo")), await imported(data("locomo"))
    print(f"LoCoMo as imported: flat@10 {mean_of(whole):.4f}")
    assert await imported(data("locomo"), as_said) == bare
    assert abs(mean_of(whole) - mean_of(bare)) < 0.005


async def test_what_comes_to_mind_in_an_exam_is_what_the_search_finds(tmp_path: Path) -> None:
    """By kind of question. Whoever is asked has all of the newest episode at hand."""
    memories = ("none", "recall", "entire", "summary")
    found = await came_to_mind(data("locomo"), tmp_path, memories, every=EVERY)
    searched = await imported(data("locomo"), asked=True, every=EVERY)
    assert found["recall"] == searched
    for name in memories:
        kinds = {kind: round(mean(some), 3) for kind, some in sorted(found[name].items())}
        print(f"LoCoMo in an exam, {name}: {mean_of(found[name]):.3f} {kinds}")
    assert mean_of(found["none"]) < 0.1 < mean_of(found["recall"])
    assert mean_of(found["recall"]) < mean_of(found["entire"]) == 1.0


async def test_recall_finds_the_passages_of_many_tales() -> None:
    flat, sections = await tales(data("fairytaleqa"))
    print(f"FairytaleQA: flat@5 {flat[5]:.3f}, flat@10 {flat[10]:.3f}")
    assert sections == 380
    assert flat[5] >= 0.845
    assert flat[10] >= 0.925
