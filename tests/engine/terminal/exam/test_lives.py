"""`whoknew exam lives`: lives by rule, held against all checks."""

from __future__ import annotations

from command_runner import answer, run


def test_lives_and_their_questions_have_no_fault() -> None:
    found = answer("exam", "lives", "short:5")
    (life,) = found["lives"]
    assert life["faults"] == [] and life["questions"] == 60
    assert 0 < sum(life["struck"].values()) < life["candidates"] / 5
    assert life["traces"] > life["events"] > 2000


def test_what_happens_alone_is_looked_at_where_that_is_wanted() -> None:
    shown = run("exam", "lives", "short:6", "--without-text").stdout
    assert "1 life:" in shown and "0 faults" in shown and "drawn" not in shown


def test_a_length_that_is_none_is_told() -> None:
    assert "short" in run("exam", "lives", "shirt:1", rc=1).stderr
