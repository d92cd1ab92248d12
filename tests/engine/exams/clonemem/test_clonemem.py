"""The exam CloneMem: from a seed to a table; and no prompt of it holds what only examiners know."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_runner import answer, refused, run
from leak_scan import runs

from whoknew.worlds.lives.life_world import written
from whoknew.worlds.lives.making import life_of

RANKED = {"recall-5", "recall-10", "recall-20", "facts", "notes", "flat", "flat-raw", "flat-drawn"}
"""They choose what fits a question."""

TOLD = {"nothing", "running", "full-context", "oracle", *RANKED}
"""What came to mind of them is told."""

ARMS = TOLD | {"bookmarks"}

RECALLS = ("flat", "all-all", "all-any", "any-all", "any-any")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exam about one life, of which some questions were asked, with a report. The questions are of the
    first months: of each kind that is asked then the first, and two of what was updated."""
    folder = tmp_path_factory.mktemp("lives")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run("exam", "new", "clonemem", "lives.toml", "--from", "short:12")
        early = Path("lives.jsonl").read_text("utf-8").splitlines()[:18]
        read = [(json.loads(line), line) for line in early]
        some = list({one["kind"]: line for one, line in reversed(read)}.values())
        some += [line for one, line in read if "updated" in one["tags"]][:2]
        Path("some.jsonl").write_text("\n".join(some), "utf-8")
        plan = Path("lives.toml").read_text("utf-8")
        Path("some.toml").write_text(plan.replace("lives.jsonl", "some.jsonl"), "utf-8")
        run("exam", "run", "some.toml")
        found = answer("exam", "report", "some.toml", "--out", "report")["table"]
        (folder / "table.json").write_text(json.dumps(found), "utf-8")
    return folder / "some.toml"


@pytest.fixture(autouse=True)
def beside(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(made.parent)


@pytest.fixture(scope="module")
def table(made: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((made.parent / "table.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def cells(made: Path) -> list[dict[str, Any]]:
    lines = (made.parent / "report" / "cells.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_from_a_seed_to_a_table(table: dict[str, Any]) -> None:
    assert {one["arm"] for one in table["rows"]} == ARMS
    assert all(one["failed"] == 0 and one["unreviewed"] == 0 for one in table["rows"])
    for name in RECALLS:
        figures = {one["arm"]: one["micro"]["mean"] for one in table["figures"][f"recalls.{name}"]}
        ranked = {arm for arm, mean in figures.items() if mean is not None}
        assert ranked == RANKED, "others tell always the same"
        assert figures["recall-5"] <= figures["recall-10"] <= figures["recall-20"]


@pytest.mark.parametrize(
    ("name", "score", "told"),
    [
        ("choice %", "choice.right", lambda mean: 100 * mean),
        ("points", "remembered.points", float),
        ("helpful", "remembered.helpful", float),
        ("recall, flat", "recalls.flat", float),
        ("consistency", "faithful.consistent", float),
        ("made up %", "faithful.grounded", lambda mean: 100 - 100 * mean),
        ("perfect %", "faithful.perfect", lambda mean: 100 * mean),
    ],
)
def test_what_it_counts_itself_is_as_counted_by_hand(
    table: dict[str, Any],
    cells: list[dict[str, Any]],
    name: str,
    score: str,
    told: Callable[[float], float],
) -> None:
    """Of what came to mind, and of answers, where no choices were named."""
    own = table["own"][name]
    scores: dict[str, list[float]] = {}
    for one in cells:
        if score in one["scores"] and (
            score == "choice.right" or "choice.right" not in one["scores"]
        ):
            scores.setdefault(one["arm"], []).append(one["scores"][score])
    wanted = RANKED if score.startswith("recalls") else ARMS
    wanted = TOLD if score.startswith("remembered") else wanted
    assert own.keys() == scores.keys() == wanted
    for arm, some in scores.items():
        assert own[arm] == pytest.approx(told(sum(some) / len(some)))


def test_the_oracle_brings_all_points_and_nothing_brings_none(table: dict[str, Any]) -> None:
    own = table["own"]
    for name in ("points", "helpful"):
        assert own[name]["oracle"] == own[name]["full-context"] == 1
        assert own[name]["nothing"] == 0
        assert 0 < max(own[name][arm] for arm in RANKED) <= 1
    assert own["difference of these"]["nothing"] == 0 < own["difference of these"]["oracle"]


def test_of_what_was_updated_is_told_whether_the_newer_or_the_older_is_answered(
    table: dict[str, Any], made: Path
) -> None:
    newer, older, neither = (
        table["own"][f"updated, {which} %"] for which in ("newer", "older", "neither")
    )
    assert newer.keys() == older.keys() == neither.keys() == ARMS
    for arm in ARMS:
        assert newer[arm] + older[arm] + neither[arm] == pytest.approx(100)
        assert newer[arm] == pytest.approx(table["own"]["choice %, updated"][arm])
    assert newer["nothing"] == older["nothing"] == 0
    assert max(older[arm] for arm in RANKED) > 0


def test_beside_it_stands_what_the_paper_has(made: Path) -> None:
    told = run("exam", "report", made, "--paper")
    assert "GPT-4o-mini, A-Mem" in told.stdout and "0.72" in told.stdout


def test_a_plan_can_have_each_question_once() -> None:
    both = answer("exam", "check", "lives.toml")
    once = Path("once.toml")
    plan = Path("lives.toml").read_text("utf-8")
    asked = plan.replace('forms = ["choices", "open"]', 'forms = ["choices"]')
    before, _, behind = asked.partition("[judges.faithful]")  # it judges what is open
    once.write_text(before + behind.partition("\n\n")[2], "utf-8")
    assert both["units"] > answer("exam", "check", once)["units"] == 60


def test_the_five_recalls_keep_their_order_in_every_cell(cells: list[dict[str, Any]]) -> None:
    judged = [one["scores"] for one in cells if "recalls.flat" in one["scores"]]
    assert judged
    for scores in judged:
        _, all_all, all_any, any_all, any_any = (scores[f"recalls.{name}"] for name in RECALLS)
        assert all_all <= min(all_any, any_all) <= max(all_any, any_all) <= any_any


def test_no_prompt_holds_evidence(made: Path, cells: list[dict[str, Any]]) -> None:
    life = life_of(12)
    told = {run for trace in life.traces for run in runs(written(trace))}
    questions = [json.loads(line) for line in Path("lives.jsonl").read_text("utf-8").splitlines()]
    told |= {run for one in questions for run in runs(f"{one['question']} {one.get('choices')}")}
    secrets = {run for one in life.evidence for run in runs(one.claim)} - told
    assert len(secrets) > 1000
    by_evidence = {one["kind"] == "unanswerable": one["unit"] for one in cells}
    for arm in ARMS:
        for unit in by_evidence.values():
            shown = answer("exam", "show", made, arm, unit)
            assert shown["calls"]
            held = secrets.intersection(runs(json.dumps(shown["calls"], ensure_ascii=False)))
            assert bool(held) == (arm == "oracle" and bool(shown["question"].get("evidence")))


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("short", "LENGTH:SEED"),
        ("medium:1", "no life is 'medium'"),
        ("trial:1", "trial:1: a model makes up such lives: say which, by --model"),
        ("short:3-1", "names 0 lives"),
        ("short:1-1000", "names 1000 lives"),
    ],
)
def test_what_names_no_lives_is_refused(source: str, why: str) -> None:
    assert why in refused("exam", "new", "clonemem", "other.toml", "--from", source)
    assert not Path("other.toml").exists()


def test_there_are_no_names_to_take_out() -> None:
    told = refused("exam", "new", "clonemem", "other.toml", "--anonymised")
    assert "nobody's" in told
