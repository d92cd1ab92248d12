"""The paper's bank, of the story: a control that leaks, whose figures are those of an independent count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import answer, ended, run
from shared_data import data
from storyline_count import counted_in

ARM = """
[arms."unsafe:bookmarks"]
memory = "unsafe:bookmarks"
"unsafe:bookmarks" = {{ characters = {whose} }}
"""
LINES = 19
"""Of a play, from its beginning: the last is asked about, and the step before it that of the question."""


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def begun(whose: list[str]) -> None:
    """An exam of the beginning of Macbeth, whose story keeps a bank before what these do."""
    Path("title2action_series.few.json").write_text(json.dumps(lines_of_macbeth(LINES)))
    run("exam", "new", "bookmarks", "few.toml", "--from", "title2action_series.few.json")
    with Path("few.toml").open("a") as plan:
        plan.write(ARM.format(whose=json.dumps(whose)))


def lines_of_macbeth(left: int) -> dict[str, list[dict[str, object]]]:
    file = data("shakespeare-storylines", "title2action_series.macbeth.json")
    titles = {}
    for title, lines in json.loads(file.read_text()).items():
        if left > 0:
            titles[title] = lines[:left]
            left -= len(lines)
    return titles


def test_figures_of_the_story_equal_an_independent_count_and_its_prompts_leak() -> None:
    begun(whose := ["First Witch", "DUNCAN"])
    some = ("--only", "unsafe:bookmarks", "--only", "no-profile")
    table = answer("exam", "run", "few.toml", *some)["table"]
    (row,) = [row for row in table["found"]["lines"]["rows"] if row["words"][0] == "the story"]
    asked, known, new, every = counted_in(lines_of_macbeth(LINES - 1), whose, story=True)
    figures = {name: table["own"][name]["unsafe:bookmarks"] for name in ("hits %", "saved %")}
    assert int(row["words"][2].replace(",", "")) == asked > 20
    assert figures["hits %"] == pytest.approx(100 * known / asked)
    assert figures["saved %"] == pytest.approx(100 * (1 - new / every))
    leaking = {one["arm"]: (one["leaking"], one["prompts"]) for one in table["rows"]}
    assert leaking["no-profile"][0] == 0
    assert leaking["unsafe:bookmarks"][0] > 0
    again = answer("exam", "run", "few.toml", *some)
    assert again["table"]["own"] == table["own"] and again["sat"]["progress"]["answered"] == 0
    shown = answer("exam", "show", "few.toml", "unsafe:bookmarks", "1")
    calls = shown["calls"]
    assert calls and all(one["digest"] == one["called"]["digest"] for one in calls)


def test_a_story_has_no_portrait_of_itself() -> None:
    begun(["Macbeth"])
    plan = Path("few.toml")
    plan.write_text(plan.read_text().replace("{ characters", "{ profile = true, characters"))
    code, done = ended("exam", "check", plan)
    assert code == 1 and "a story has no portrait of itself" in done.stdout + done.stderr
