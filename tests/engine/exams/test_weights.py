"""Memory in weights in exams: trained step by step on the exam's log, and only by models that take it."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from pathlib import Path

import pytest
from weight_exams import exam_in

from whoknew.agents.weights.training import TrainedEpisode, TrainingOrder, note_of
from whoknew.engine.exams.document import load
from whoknew.engine.exams.report import report
from whoknew.engine.exams.run import ExamOptions, chosen, run_exam
from whoknew.engine.exams.show import show
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called, MemoryDerived
from whoknew.worlds.errors import BadDocument


def sat(
    plan: Path, *only: str
) -> tuple[dict[str, list[tuple[MemoryDerived, TrainedEpisode]]], list[Called]]:
    """What was trained, by memory, and all calls."""
    address = str(plan.parent / "exam.db")
    options = ExamOptions(log=address, only=only)
    exam = chosen(load(plan), options)

    async def sit() -> list[object]:
        done = await run_exam(exam, options, lambda _: nullcontext())
        assert done.reason is None
        assert done.progress.unwritten == 0
        async with open_log(address, read_only=True) as log:
            return [event.body async for event in await log.director("weights")]

    bodies = asyncio.run(sit())
    notes: dict[str, list[tuple[MemoryDerived, TrainedEpisode]]] = {}
    for body in bodies:
        if isinstance(body, MemoryDerived) and (note := note_of(body.text)):
            notes.setdefault(body.strategy, []).append((body, note))
    return notes, [body for body in bodies if isinstance(body, Called)]


def test_what_is_trained_stands_on_the_log_and_hangs_on_nothing_later_or_unseen(
    untrained: Path, tmp_path: Path
) -> None:
    plan = exam_in(tmp_path / "short", untrained, 3)
    notes, calls = sat(plan)
    assert {name: len(found) for name, found in notes.items()} == {"lora": 2, "grace": 2}
    for found in notes.values():
        (_, first), (kept, second) = found
        assert second.order.after == first.trained.digest
        assert kept.owner == "Ann"
        assert kept.sources
        assert kept.upto >= max(kept.sources)
        assert (plan.parent / "exam.weights" / second.trained.digest).is_dir()
    trained = [call for call in calls if call.purpose == "train"]
    assert len(trained) == 4
    assert all(call.reply and call.model.startswith("local:") for call in trained)
    others, _ = sat(exam_in(tmp_path / "long", untrained, 5, elsewhere=3))
    assert {name: orders(found) for name, found in others.items()} == {
        name: orders(found) for name, found in notes.items()
    }


def test_the_adapters_of_three_episodes_are_the_same_whether_or_not_seven_more_came(
    untrained: Path, tmp_path: Path
) -> None:
    """To the byte: each is known by its digest."""
    early, _ = sat(exam_in(tmp_path / "early", untrained, 4, at="E4"), "lora")
    late, _ = sat(exam_in(tmp_path / "late", untrained, 11, at="E11", elsewhere=2), "lora")
    assert len(early["lora"]) == 3
    assert len(late["lora"]) == 10
    assert orders(late["lora"])[:3] == orders(early["lora"])
    assert len({digest for _, digest in orders(late["lora"])}) == 10


def orders(notes: list[tuple[MemoryDerived, TrainedEpisode]]) -> list[tuple[TrainingOrder, str]]:
    """What was to be trained, and the digest of what came of it."""
    return [(note.order, note.trained.digest) for _, note in notes]


def test_from_scratch_each_is_trained_on_all_episodes_and_goes_on_from_none(
    untrained: Path, tmp_path: Path
) -> None:
    plan = exam_in(tmp_path / "exam", untrained, 3)
    text = plan.read_text("utf-8").replace("epochs = 3", 'mode = "scratch", epochs = 1')
    start, end = text.index("[arms.grace]"), text.index("[arms.nothing]")
    plan.write_text(text[:start] + text[end:], "utf-8")
    notes, _ = sat(plan)
    (_, first), (_, second) = notes["lora"]
    assert [one.order.after for one in (first, second)] == ["", ""]
    assert [one.order.episodes for one in (first, second)] == [(1,), (1, 2)]
    assert [one.trained.rows for one in (first, second)] == [3, 6]
    assert first.trained.digest != second.trained.digest


def test_what_a_window_cannot_hold_is_cut_and_said_above_the_table(
    untrained: Path, tmp_path: Path
) -> None:
    plan = exam_in(tmp_path / "exam", untrained, 8, at="E8")
    text = plan.read_text("utf-8")
    arms = '[arms.direct]\nmemory = "entire"\n[arms.nothing]'
    plan.write_text(text[: text.index("[arms.lora]")] + arms + '\nmemory = "none"\n', "utf-8")
    options = ExamOptions(log=str(plan.parent / "exam.db"))
    exam = chosen(load(plan), options)
    _, calls = sat(plan)
    direct = [call for call in calls if call.left_out]
    assert len(direct) == 2, "each is asked once: what the window cannot hold is asked of nobody"
    assert all(call.error is None and (call.tokens_in or 0) <= 256 for call in direct)
    table = asyncio.run(report(exam, options))
    (told,) = [one for one in table.remarks if one.startswith("arm direct: the window of local:")]
    assert "in 2 of 2 answers: it was cut to" in told
    shown = asyncio.run(show(exam, "direct", "1"))
    assert [one.agrees for one in shown.calls] == [True]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ('model = "offline:"', "which 'offline:' cannot have"),
        ('writer = "offline:"', "'offline:' would be trained"),
    ],
)
def test_weights_go_with_a_model_that_takes_them(changed: str, told: str, tmp_path: Path) -> None:
    plan = exam_in(tmp_path / "exam", tmp_path, 2)
    text = plan.read_text("utf-8")
    plan.write_text(text.replace("[arms.lora]", f"[arms.lora]\n{changed}"), "utf-8")
    with pytest.raises(BadDocument, match=told):
        load(plan)
