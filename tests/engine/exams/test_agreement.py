"""Judges beside people: precision, recall, F1 and weighted kappa, by their definitions."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from time import process_time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from watch_exams import ByPrompt, came_to, exam_in, material, sat

from whoknew.engine.exams.agreement import (
    AnswerLabel,
    agreements,
    labels_of,
    weighted_kappa,
)
from whoknew.engine.exams.cell_rows import CellRow, cell_rows
from whoknew.eventlog.stores.volatile import VolatileStore
from whoknew.worlds.errors import BadDocument


def kappa_of_a_matrix(ours: list[int], theirs: list[int]) -> float | None:
    """As it is usually defined: by the counts of each pair of categories, and those expected."""
    size, count = 11, len(ours)
    seen = wanted = 0.0
    for one, other in product(range(size), repeat=2):
        weight = (one - other) ** 2
        seen += weight * sum((a, b) == (one, other) for a, b in zip(ours, theirs, strict=True))
        wanted += weight * ours.count(one) * theirs.count(other) / count
    return None if wanted == 0 else 1 - seen / wanted


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=30))
def test_weighted_kappa_is_that_of_its_definition(pairs: list[tuple[int, int]]) -> None:
    ours, theirs = [one for one, _ in pairs], [other for _, other in pairs]
    expected = kappa_of_a_matrix(ours, theirs)
    assert weighted_kappa(ours, theirs) == (None if expected is None else pytest.approx(expected))


def test_weighted_kappa_of_known_cases() -> None:
    assert weighted_kappa([0, 5, 10], [0, 5, 10]) == 1
    assert weighted_kappa([0, 10], [10, 0]) == -1
    assert weighted_kappa([3, 3], [3, 3]) is None and weighted_kappa([], []) is None
    # 1 - (1 + 1) / (4 * (.25 + .25)): half of four agree as chance would
    assert weighted_kappa([0, 0, 1, 1], [0, 1, 0, 1]) == pytest.approx(0)


async def judged(folder: Path) -> tuple[object, tuple[CellRow, ...]]:
    exam, kept = exam_in(folder), VolatileStore()
    async with material() as about:
        await sat(exam, about, kept, ByPrompt())
        return exam, cell_rows((await came_to(exam, about, kept)).cells)


async def test_labels_are_held_against_each_score_of_each_judge(tmp_path: Path) -> None:
    exam, cells = await judged(tmp_path)
    file = tmp_path / "labels.jsonl"
    rows = [
        AnswerLabel(
            unit=one.unit[:12],
            arm=one.arm,
            repeat=one.repeat,
            score=one.scores["mark.mark"],
            judge="mark",
        )
        for one in cells
    ]
    rows += [msgspec.structs.replace(rows[0], judge="words", score=1.0)]
    file.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    found, unmet = agreements(file, await labels_of(file), cells, exam.judges)  # type: ignore[attr-defined]
    by_judge = {one.judge: one for one in found}
    mark = by_judge["mark"]
    assert (mark.labels, mark.kappa, unmet) == (len(cells), 1.0, 0)
    assert mark.found == mark.right == mark.wanted
    assert by_judge["words"].labels == 1 and by_judge["words"].wanted == 1


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('{"unit": "0", "arm": "none-plain", "score": 1, "mark": 2}', "line 1|:1:"),
        ('{"unit": "", "arm": "none-plain", "score": 1}', "unit: is empty"),
        ('{"unit": "zz", "arm": "none-plain", "score": 1}', "has no repeat 1 of a question 'zz'"),
        ('{"unit": "zz", "arm": "x", "score": 1, "judge": "who"}', "no judge of this exam"),
        (
            '{"unit": "zz", "arm": "x", "score": 70, "judge": "mark"}',
            "labels.jsonl:1: score: is 70, but 'mark' gives 0 to 10",
        ),
        (
            '{"unit": "zz", "arm": "x", "score": 5}',
            "'words' gives 0 to 1: name the judge whose scale",
        ),
        ('{"unit": "zz", "arm": "x", "score": -1, "judge": "words"}', "'words' gives 0 to 1$"),
        ("", "is empty"),
    ],
)
async def test_labels_that_cannot_be_used_are_told_with_their_line(
    line: str, what: str, tmp_path: Path
) -> None:
    exam, cells = await judged(tmp_path)
    file = tmp_path / "labels.jsonl"
    file.write_text(line)
    with pytest.raises(BadDocument, match=what):
        agreements(file, await labels_of(file), cells, exam.judges)  # type: ignore[attr-defined]


def test_many_labels_find_their_answers_in_time_that_grows_with_their_number() -> None:
    cells = [
        CellRow(
            key=f"{number}",
            unit=f"{number:06}{'0' * 10}",
            arm="none",
            repeat=1,
            kind="fact",
            cluster="elsinore",
            world="elsinore",
            character="Horatio",
            seq=1,
            hash="",
            question="What was seen?",
        )
        for number in range(20_000)
    ]
    labels = [
        (line, AnswerLabel(unit=one.unit[:7], arm="none", score=1))
        for line, one in enumerate(cells)
    ]
    begun = process_time()
    assert agreements(Path("labels.jsonl"), labels, cells, ()) == ((), 20_000)
    assert process_time() - begun < 4.0, "of the processor: each with each takes ten times as long"
