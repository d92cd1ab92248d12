"""LIFESTATE's table with all its rows, memory in weights too, of one plan: a small one."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import run
from lives_in_weights import SCORE, forgetting, gain, lives, table

from whoknew.engine.exams.cell_rows import CellRow


def test_one_plan_has_a_row_for_each_way_to_remember_and_the_papers_beside(
    untrained: Path, tmp_path: Path
) -> None:
    plan = lives(tmp_path, untrained, episodes=2, each=1, epochs=2, editing=1)["lifestate"]
    found = table(plan)
    rows = {row["arm"]: row for row in found["rows"]}
    assert [*rows] == ["base", "direct", "summary", "lora", "grace"]
    assert all(row["answered"] + row["failed"] == row["cells"] == 3 for row in rows.values())
    trained = {one["memory"]: one["calls"] for one in found["remembering"]}
    assert (trained["lora"], trained["grace"]) == (2, 2)
    papers = run("exam", "report", plan, "--paper").stdout
    assert "the paper's: Hamlet, Llama-3.1-8B, LoRA" in papers


def test_what_is_gained_on_a_life_is_told_from_what_is_gained_on_all() -> None:
    lived = [_cells(f"lived {n}", "lived", lora=1.0) for n in range(7)]
    unlived = [_cells(f"unlived {n}", "unlived", lora=float(n == 0)) for n in range(7)]
    rows = [row for some in (*lived, *unlived) for row in some]
    found = gain(rows, "lora")
    assert found.cells == 7
    assert found.difference == 6 / 7
    assert found.tells
    alike = [row for some in lived for row in some]
    alike += [row for n in range(7) for row in _cells(f"unlived {n}", "unlived", lora=1.0)]
    assert not gain(alike, "lora").tells


def test_what_is_forgotten_is_told_by_the_episode_and_how_long_ago_it_was() -> None:
    early, late = ("age 0", "lived 1"), ("age 2", "lived 1")
    rows = [*_cells("a", "fact", early, lora=1.0), *_cells("b", "fact", late, lora=0.5)]
    rows += _cells("c", "fact", late, lora=0.0)
    assert forgetting(rows, "lora") == {"1 after 1": 1.0, "1 after 3": 0.25}


def test_a_life_counts_once_however_much_is_asked_of_it() -> None:
    """As all that is asked of it hangs on one training."""
    rows = [
        row
        for life in range(6)
        for n in range(5)
        for kind in ("lived", "unlived")
        for row in _cells(f"{kind} {n}", kind, lora=float(kind == "lived"), world=f"isle {life}")
    ]
    found = gain(rows, "lora")
    assert (found.cells, found.clusters, found.difference) == (30, 6, 1)
    assert found.p == pytest.approx(2 / 2**6, abs=0.01)
    assert not gain([row for row in rows if row.world < "isle 3"], "lora").tells


def _cells(
    unit: str,
    kind: str,
    tags: tuple[str, ...] = (),
    *,
    lora: float,
    world: str = "isle",
) -> list[CellRow]:
    """A fact, whose pair is its number."""
    unit, pair = f"{world} {unit}", f"pair {unit.split()[-1]}"
    return [
        CellRow(
            key=f"{unit} {arm}",
            unit=unit,
            arm=arm,
            repeat=1,
            kind=kind,
            tags=(*(tags or ("age 0", "lived 1")), pair),
            cluster=unit,
            world=world,
            character="Ann",
            seq=1,
            hash="",
            question="",
            scores={SCORE: score},
        )
        for arm, score in (("base", 0.0), ("lora", lora))
    ]
