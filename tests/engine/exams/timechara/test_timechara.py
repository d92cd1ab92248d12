"""The exam TimeChara: from a text to a table."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from command_runner import answer, refused, run
from timechara_files import written, written_chapters

ARMS = {
    *("zero-shot", "stepwise", "few-shot", "self-refine", "unsafe:rag", "rag-cutoff"),
    *("experts", "experts-rag-cutoff"),
}


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an exam on the play that comes with Whoknew, of 10 questions of each sort."""
    folder = tmp_path_factory.mktemp("new")
    plan = folder / "lamp.toml"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run("exam", "new", "timechara", "lamp.toml", "--from", "the-lamp-room")
    text = plan.read_text("utf-8").replace("# each = 100 ", "each = 10 ")
    plan.write_text(text.replace('questions = "lamp.jsonl"', ""), "utf-8")
    return folder


@pytest.fixture
def made(new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same exam, each test's own."""
    monkeypatch.chdir(copytree(new, tmp_path, dirs_exist_ok=True))
    return tmp_path / "lamp.toml"


def questions(plan: Path) -> list[dict[str, Any]]:
    return [one["question"] for one in answer("exam", "questions", plan, "--limit", "200")["rows"]]


def test_from_a_play_to_a_table_in_two_commands(made: Path) -> None:
    told = answer("exam", "run", made)["table"]
    assert {one["arm"] for one in told["rows"]} == ARMS
    assert all(one["failed"] == 0 and one["unreviewed"] == 0 for one in told["rows"])
    assert told["kinds"] == {
        "future": 20,
        "past-absence": 10,
        "past-only": 20,
        "past-presence": 10,
    }
    future = {one["arm"]: one["kinds"]["future"]["mean"] for one in told["figures"]["moment.right"]}
    assert future["unsafe:rag"] < future["rag-cutoff"] <= future["experts-rag-cutoff"]


def test_what_it_counts_itself_is_as_counted_by_hand(made: Path) -> None:
    run("exam", "run", made, "--only", "experts")
    found = answer("exam", "report", made, "--out", "report")["table"]
    cells = [json.loads(one) for one in Path("report/cells.jsonl").read_text("utf-8").splitlines()]
    mine = [one for one in cells if one["arm"] == "experts"]
    right = [one["scores"]["moment.right"] for one in mine]
    assert found["own"]["average %"]["experts"] == pytest.approx(100 * sum(right) / len(right))
    assert 0 < found["own"]["temporal expert %"]["experts"] <= 100
    assert set(found["own"]["spatial expert %"]) == {"experts"}


def test_what_experts_said_stands_on_the_log(made: Path) -> None:
    run("exam", "run", made, "--only", "experts")
    run("log", "export", "lamp.db", "lamp.export.jsonl")
    said = re.findall(r'"hint":"(\w+)"', Path("lamp.export.jsonl").read_text("utf-8"))
    assert len(said) == 60 and set(said) == {"future", "absent", "none"}


def test_the_papers_rows_stand_beside_ours_when_asked(made: Path) -> None:
    run("exam", "run", made, "--only", "zero-shot", "--limit", "5")
    found = answer("exam", "report", made, "--paper")["table"]["published"]
    assert found["the paper's: GPT-4 Turbo, experts"]["average %"][0] == 83.3
    assert "the paper's" in run("exam", "report", made, "--paper").stdout


def test_a_world_that_is_not_there_is_refused(made: Path) -> None:
    text = made.read_text("utf-8").replace("# worlds = []", 'worlds = ["the-lamp-rom"]')
    made.write_text(text, "utf-8")
    assert "the-lamp-room" in refused("exam", "check", made)


def test_points_can_be_given(made: Path) -> None:
    text = made.read_text("utf-8")
    given = '[points]\n"the first night" = ["E1", "E2"]\n\n[agents.everyone]'
    made.write_text(text.replace("[agents.everyone]", given, 1), "utf-8")
    assert {one["at"] for one in questions(made)} == {"E1", "E2"}


def test_as_in_the_paper_everybody_knows_the_past(made: Path) -> None:
    text = made.read_text("utf-8").replace('# mode = "witness"', 'mode = "paper"')
    made.write_text(text, "utf-8")
    only = [one for one in questions(made) if one["kind"] == "past-only"]
    assert any("evidence" not in one for one in only), "of what one neither witnessed nor was told"


def test_from_the_authors_file_to_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = written(tmp_path / "novels.json", hub=True)
    run("exam", "new", "timechara", "novels.toml", "--from", file)
    told = answer("exam", "run", "novels.toml", "--limit", "60")["table"]
    assert told["units"] == 60
    assert all(one["failed"] == 0 and one["unreviewed"] == 0 for one in told["rows"])
    assert any("summaries, one sentence a scene" in one for one in told["remarks"])


def test_where_the_text_is_there_those_who_search_in_all_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the others what they witnessed: who was there in a passage no file says."""
    monkeypatch.chdir(tmp_path)
    file, text = written(tmp_path / "novels.json"), written_chapters(tmp_path / "text")
    run("exam", "new", "timechara", "novels.toml", "--from", file, "--text", text)
    told = answer("exam", "run", "novels.toml", "--limit", "30")["table"]
    assert not any("summaries" in one for one in told["remarks"])
    arms = [one["arm"] for one in told["rows"]]
    assert {"unsafe:rag-cutoff", "unsafe:experts-rag-cutoff"} < set(arms)
    for arm in arms:
        calls = answer("exam", "show", "novels.toml", arm, "3")["calls"]
        assert ("rang" in calls[-1]["messages"][1]["content"]) == arm.startswith("unsafe:"), arm


def test_a_text_goes_with_the_authors_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = written_chapters(tmp_path / "text")
    for source in ("the-lamp-room", "bundled"):
        said = refused("exam", "new", "timechara", "a.toml", "--from", source, "--text", text)
        assert "JSON file of TimeChara" in said
    assert not Path("a.toml").exists()


def changed(plan: Path, *pairs: tuple[str, str]) -> Path:
    text = plan.read_text("utf-8")
    for before, after in pairs:
        assert before in text
        text = text.replace(before, after, 1)
    plan.write_text(text, "utf-8")
    return plan


def test_all_that_there_is_can_be_asked(made: Path) -> None:
    given = '[points]\n"the first night" = ["E1"]\n\n[agents.everyone]'
    plan = changed(
        made, ('# sampling = "strata"', 'sampling = "grid"'), ("[agents.everyone]", given)
    )
    every = answer("exam", "questions", plan, "--limit", "1")
    asked = answer("exam", "questions", plan, "--limit", "4000")["rows"]
    assert len(asked) > 200 and {one["question"]["at"] for one in asked} == {"E1"}
    assert every["rows"][0] == asked[0]
    sorts = {(one["question"]["kind"], one["question"]["tags"][0]) for one in asked}
    assert sorts == {
        *(("future", "structured"), ("future", "fact"), ("past-only", "fact")),
        *(("past-only", "fake"), ("past-presence", "structured"), ("past-absence", "structured")),
    }


def test_points_can_be_those_of_one_character(made: Path) -> None:
    given = '[points.WREN]\n"the first night" = ["E1"]\n"the second" = ["E2"]\n\n[agents.everyone]'
    asked = questions(changed(made, ("[agents.everyone]", given)))
    assert {(one["character"], one["at"]) for one in asked} == {("WREN", "E1"), ("WREN", "E2")}
    assert {one["labels"]["point"] for one in asked} == {"the first night", "the second"}


def test_points_of_somebody_whom_nobody_knows_are_refused(made: Path) -> None:
    given = '[points.Wren]\n"the first night" = ["E1"]\n\n[agents.everyone]'
    said = refused("exam", "check", changed(made, ("[agents.everyone]", given)))
    assert "points: nobody is called 'Wren'" in said and "WREN" in said


def test_points_can_stand_in_a_file_by_chapters(tmp_path: Path, made: Path) -> None:
    """A world whose episodes are no chapters has none of them."""
    (tmp_path / "points.json").write_text(
        '{"the-lamp-room": {"WREN": [{"label": "x", "at": "1-1"}]}}'
    )
    plan = changed(made, ("# draw = 1", 'points = "points.json"\n# draw = 1'))
    assert "there are none about" in refused("exam", "check", plan)
    (tmp_path / "points.json").write_text("[]")
    assert "holds no moments by chapters" in refused("exam", "check", plan)


def test_three_further_judges_and_a_curve_by_distance(made: Path) -> None:
    judges = "".join(
        f'\n[judges.{name}]\nby = "{by}"\n{model}'
        for name, by, model in (
            ("mark", "personality", 'model = "offline:"\ntexts = { wren = "Shy." }\n'),
            ("follows", "entailment", 'model = "offline:"\n'),
            ("slip", "slips", 'model = "offline:"\n'),
            ("words", "slip-words", ""),
        )
    )
    plan = changed(made, ("[judges.moment]", f"{judges}\n[judges.moment]"))
    run("exam", "run", plan, "--only", "experts", "--only", "unsafe:rag")
    told = answer("exam", "report", plan, "--only", "experts", "--out", "report")["table"]
    assert {"mark.personality", "follows.entailed", "slip.clean", "words.clean"} <= set(
        told["figures"]
    )
    assert all(one["unreviewed"] == 0 for one in told["rows"])
    (clean,) = told["figures"]["words.clean"]
    (right,) = told["figures"]["moment.right"]
    assert clean["micro"]["mean"] == right["micro"]["mean"]
    assert told["own"]["personality"]["experts"] == 4.0
    curves = [one for one in told["curves"] if one.get("axis", "").startswith("points from")]
    assert [one["score"] for one in curves] == ["moment.right, by distance"]
    assert any(one["episode"] < 0 for one in curves[0]["points"])
    assert "points from event" in Path("report/curves.csv").read_text("utf-8")
    assert "points from event" in Path("report/report.html").read_text("utf-8")


def test_without_names_there_are_none_in_examples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file, shown = written(tmp_path / "novels.json"), tmp_path / "shown.json"
    told = "Question: Is Mara Quill late?\nResponse: Odo Finch is."
    moments = (f"Mara Quill-{chapter}-at the end of the scene" for chapter in range(1, 5))
    shown.write_text(json.dumps(dict.fromkeys(moments, told)), "utf-8")
    made = ("exam", "new", "timechara", "novels.toml", "--from", file, "--examples", shown)
    run(*made, "--anonymised")
    asked = Path("novels.jsonl").read_text("utf-8")
    assert "late?" in asked and not re.search("Mara|Quill|Odo|Finch", asked)


def test_without_names_none_is_left_where_a_mark_has_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("run", "flatmates", "--log", "flat.db")
    run("mark", "flatmates", "Hester tells all", "--at", "#45", "--log", "flat.db")
    run("exam", "new", "timechara", "t.toml", "--from", "flat.db", "--anonymised")
    assert "Hester" not in Path("t.jsonl").read_text("utf-8")
    assert answer("exam", "check", "t.toml")


def test_a_file_of_moments_of_no_world_is_refused(made: Path) -> None:
    Path("moments.json").write_text(
        '{"harry_potter": {"Harry Potter": [{"label": "on halloween", "at": "1-10"}]}}', "utf-8"
    )
    text = made.read_text("utf-8").replace("each = 10", 'each = 10\npoints = "moments.json"')
    made.write_text(text, "utf-8")
    told = refused("exam", "check", made)
    assert "moments.json has moments of harry_potter, and no world is called so" in told


def test_instances_may_stand_one_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    some = json.loads(written(tmp_path / "some.json").read_text("utf-8"))
    Path("lines.jsonl").write_text("\n".join(map(json.dumps, some)), "utf-8")
    run("exam", "new", "timechara", "novels.toml", "--from", "lines.jsonl")
    assert answer("exam", "questions", "novels.toml")["total"] == len(some)


def test_an_instance_that_is_too_long_is_told_of_in_the_file_that_it_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    some = json.loads(written(tmp_path / "some.json").read_text("utf-8"))
    some[1]["question"] = f"Did you {'really ' * 200_000}?"
    Path("some.json").write_text(json.dumps(some), "utf-8")
    told = refused("exam", "new", "timechara", "novels.toml", "--from", "some.json")
    assert "some.json: question 2: is longer than 1,000,000 bytes" in told
    assert "partial" not in told
