"""What the banks of an exam came to, line by line: as its log has it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from command_runner import answer, run

from whoknew.agents.memories.bookmarks.kept_bank import STRATEGY, read_record
from whoknew.agents.memories.bookmarks.record import StepRecord
from whoknew.agents.memories.bookmarks.tally import StepTally
from whoknew.engine import load_exam
from whoknew.engine.exams.bookmarks.lines import line_parts
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.material import asked_of, reading_exam, reading_material
from whoknew.engine.exams.report import fold_of
from whoknew.engine.exams.results import ExamFold
from whoknew.eventlog import Event, open_log
from whoknew.eventlog.kinds import Called, MemoryAdded, MemoryDerived

SOME = ("--limit", "8", "--only", "bookmarks", "--only", "no-reuse", "--only", "vanilla")


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("new")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run("exam", "new", "bookmarks", "lamp.toml", "--from", "the-lamp-room")
    return folder


@pytest.fixture(autouse=True)
def there(new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(copytree(new, tmp_path, dirs_exist_ok=True))


async def all_events() -> Sequence[Event]:
    async with open_log("lamp.db", read_only=True) as log:
        return await (await log.director("lamp")).events()


async def records() -> list[StepRecord]:
    kept = [one.body for one in await all_events() if isinstance(one.body, MemoryDerived)]
    found = [read_record(one.packed) for one in kept if one.strategy == STRATEGY]
    return [one for one in found if one]


def test_figures_are_those_of_the_steps_on_the_log() -> None:
    table = answer("exam", "run", "lamp.toml", *SOME)["table"]
    own, rows = table["own"], table["found"]["lines"]["rows"]
    assert own["hits %"].keys() == {"bookmarks", "no-reuse"} and not table["rows"][0].get("leaking")
    assert (own["reused %"]["no-reuse"], own["saved %"]["no-reuse"]) == (0, 0)
    assert own["reused %"]["bookmarks"] > 50 and own["saved %"]["bookmarks"] > 50
    steps = asyncio.run(records())
    assert sum(int(row["words"][1].replace(",", "")) for row in rows) == len(steps)
    asked = sum(int(row["words"][2].replace(",", "")) for row in rows)
    assert asked == sum(len(one.proposed) for one in steps)
    known = sum(one.hit for step in steps for one in step.proposed)
    mine = [row for row in rows if row["arm"] == "bookmarks"]
    hits = sum(int(row["words"][2].replace(",", "")) for row in mine) * own["hits %"]["bookmarks"]
    assert hits / 100 == pytest.approx(known)


def test_curves_go_along_each_line_a_tenth_of_its_steps_at_a_time() -> None:
    table = answer("exam", "run", "lamp.toml", *SOME)["table"]
    curves = {(one["score"], one["arm"]): one for one in table["curves"]}
    assert curves.keys() == {
        (n, a) for n in ("hits %", "saved %") for a in ("bookmarks", "no-reuse")
    }
    mine = curves["saved %", "bookmarks"]
    assert mine["axis"] == "% of its steps"
    places = [point["episode"] for point in mine["points"]]
    assert places == sorted(places) and places[-1] == 100
    first, *_, last = [point["figure"]["mean"] for point in mine["points"]]
    assert first < last < 100, "what was asked once saves the later steps"
    assert {p["figure"]["mean"] for p in curves["saved %", "no-reuse"]["points"]} == {0}


def test_a_line_of_few_steps_counts_in_the_tenths_in_which_it_has_one() -> None:
    few, many = ([StepTally(steps=1, asked=1, reused=1)] * count for count in (3, 25))
    found = [[one.steps for one in line_parts([few, many], part)] for part in range(10)]
    assert [sum(one) for one in found] == [2, 3, 2, 4, 2, 3, 3, 3, 2, 4]


def test_once_it_is_sat_nothing_is_asked_again_and_the_figures_stay() -> None:
    first = answer("exam", "run", "lamp.toml", *SOME)["table"]
    again = answer("exam", "run", "lamp.toml", *SOME)
    assert again["table"]["own"] == first["own"]
    assert again["sat"]["progress"]["answered"] == again["sat"]["progress"]["steps"] == 0


def test_calls_are_those_of_the_log_and_where_nothing_is_taken_up_again_none_is_saved() -> None:
    table = answer_of_each(("no-profile", "no-reuse", "vanilla"))
    own = table["own"]
    assert own["calls saved %"].keys() == own["tokens saved %"].keys() == {"no-profile", "no-reuse"}
    assert own["calls saved %"]["no-reuse"] == own["tokens saved %"]["no-reuse"] == 0
    assert 0 < own["calls saved %"]["no-profile"] < own["tokens saved %"]["no-profile"] < 100
    exam = load_exam("lamp.toml")
    (memory,) = [one.memory.digest for one in exam.arms if one.name == "no-profile" and one.memory]
    events = asyncio.run(all_events())
    (seq,) = [
        one.seq for one in events if isinstance(one.body, MemoryAdded) and one.body.digest == memory
    ]
    made = [one.body for one in events if one.cause == seq and isinstance(one.body, Called)]
    kept = [one.body for one in events if one.cause == seq and isinstance(one.body, MemoryDerived)]
    steps = [record for one in kept if (record := read_record(one.packed))]
    costs = [one.costs.took for one in steps if one.costs]
    assert len(costs) == len(kept) and sum(one.calls for one in costs) == len(made) - len(kept)
    assert sum(one.tokens for one in costs) < sum(
        (one.tokens_in or 0) + (one.tokens_out or 0) for one in made
    )


def test_what_is_right_has_its_price_in_all_that_an_arm_asks_by_itself() -> None:
    table = answer_of_each(("vanilla", "bookmarks", "no-near"))
    assert set(table["own"]["EM / 10k tokens"].values()) == {0}
    found = asyncio.run(prices_of_half())
    rows = {row["arm"]: row for row in table["rows"]}
    vanilla = rows["vanilla"]
    assert found["vanilla"] == pytest.approx(10_000 * 0.5 * vanilla["answered"] / vanilla["tokens"])
    remembering = sum(one["tokens"] for one in table["remembering"])
    least = 10_000 * 0.5 * 7 / (remembering + sum(row["tokens"] for row in rows.values()))
    assert least < found["bookmarks"] < found["vanilla"]
    assert found["no-near"] == pytest.approx(found["bookmarks"], rel=0.3), (
        "though it found much there"
    )
    assert asyncio.run(prices_of_half(every=2)) == pytest.approx(found), (
        "what no judge has spoken about is no wrong prediction"
    )


def test_where_few_cells_are_shown_figures_are_those_of_the_steps_that_lead_to_them() -> None:
    """As if no more had ever been asked."""
    only = ("--only", "no-profile", "--only", "vanilla")
    few = answer("exam", "run", "lamp.toml", *only, "--limit", "4")["table"]
    alone = asyncio.run(prices_of_half(limit=4))
    every = answer("exam", "run", "lamp.toml", *only)["table"]
    shown = answer("exam", "report", "lamp.toml", *only, "--limit", "4")["table"]
    assert shown["own"] == few["own"] != every["own"]
    assert shown["found"] == few["found"] and shown["curves"] == few["curves"]
    assert shown["found"] != every["found"]
    assert asyncio.run(prices_of_half(limit=4)) == alone


async def prices_of_half(every: int = 1, limit: int | None = None) -> Mapping[str, float]:
    """What the figures are, where one of two judges calls each answer right that comes to them: every so
    many of an arm."""
    exam = load_exam("lamp.toml")
    async with reading_material(exam) as material, reading_exam(exam) as opened:
        asked = await asked_of(exam, material, limit)
        log = await ExamLog.to_read(opened, "lamp")
        fold = fold_of(exam, asked)
        await fold.go_on(log)
        assert isinstance(fold, ExamFold)
        given = {"deed.same": 1.0, "other.same": 0.0}
        for number, one in enumerate(fold.cells.values()):
            one.scores = given if one.answer and number % every == 0 else {}
        return (await fold.results(log.log)).findings.figures["EM / 10k tokens"]


def answer_of_each(arms: Sequence[str]) -> dict[str, Any]:
    only = [word for arm in arms for word in ("--only", arm)]
    table: dict[str, Any] = answer("exam", "run", "lamp.toml", *only)["table"]
    return table
