"""What is refused of a plan before anything is asked: told by key and line, never a crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from whoknew.engine.exams.document import parse
from whoknew.worlds.errors import BadDocument

PLAN = """
exam = "questions"
name = "lamps"
material = "plays.db"
questions = "questions.jsonl"
{}
[grid]
memories = ["none"]
{}
"""


@pytest.mark.parametrize(
    ("top", "below", "what"),
    [
        (f"repeats = {'9' * 400}", "", ":6: repeats: is too large a number"),
        (f"repeats = {'9' * 5000}", "", "cannot be read: a number in it has thousands of digits"),
        (f"seed = {'9' * 30}", "", ":6: seed: is too large a number"),
        ("may_fail = nan", "", "may_fail: is nan, but should be a number"),
        ("", "[agents.everyone]\ntemperature = nan", "temperature: is nan"),
        ("", "[agents.everyone]\ntemperature = -1", "temperature: is -1, but should be 0 at least"),
        ("", "[agents.everyone]\ntop_p = 2", "top_p: is 2, but should be from 0 to 1"),
        ("", "[agents.everyone]\nmax_tokens = 0", "max_tokens: is 0, but should be 1 at least"),
        ("", '[models."offline:"]\nprice_in = -1\nprice_out = 1', "price_in: is -1"),
        ("", f"[agents.everyone.recall]\nk = {'9' * 30}", "recall.k: is too large a number"),
        ("", '[arms."a\\u001b[31m"]\nmemory = "recall"', r"is 'a\x1b[31m': use 1 to 200 printable"),
        ("", '[arms.""]\nmemory = "recall"', "is '': use 1 to 200 printable"),
        ("", f'[arms.{"x" * 201}]\nmemory = "recall"', "...': use 1 to 200 printable"),
        ("", '[judges."a\\nb"]\nby = "exact"', r"is 'a\nb': use 1 to 200 printable"),
        ("", '[judges.arm]\nby = "exact"', "judges.arm: would have one column in a report with"),
        ("", f"x = {'[' * 5000}{']' * 5000}", "cannot be read: it goes deeper than"),
    ],
)
def test_what_no_exam_can_have_is_told(tmp_path: Path, top: str, below: str, what: str) -> None:
    with pytest.raises(BadDocument) as found:
        parse(PLAN.format(top, below), "exam.toml", tmp_path)
    assert what in str(found.value)


def test_a_mark_before_a_plan_is_no_part_of_it(tmp_path: Path) -> None:
    from whoknew.worlds.shelf import text_of

    (tmp_path / "exam.toml").write_text(PLAN.format("", ""), "utf-8-sig")
    assert parse(text_of(tmp_path / "exam.toml"), "exam.toml", tmp_path).plan.name == "lamps"
