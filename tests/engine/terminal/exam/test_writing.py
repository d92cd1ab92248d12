"""`whoknew exam new KIND PLAN --model MODEL`: questions that a model writes, from the call to the table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from question_writers import NEW, events

from whoknew.engine.exams.writing.checks import CHECKS
from whoknew.eventlog.kinds import QuestionsWritten


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_runs_with_no_key_from_a_text_to_a_table() -> None:
    found = answer(*NEW, "--model", "offline:")["questions"]
    assert found["done"] == found["places"] == 18 and found["failed"] == 0
    kept = sum(found["kept"].values())
    assert kept == found["on_log"] >= 10 and set(found["refused"]) <= set(CHECKS)
    rows = answer("exam", "questions", "lamp.toml", "--origin", "model")["rows"]
    assert {row["origin"] for row in rows} == {"model offline:"}
    assert answer("exam", "questions", "lamp.toml")["refused"] == found["refused"]
    table = answer("exam", "run", "lamp.toml")["table"]
    by_rule = len(Path("lamp.jsonl").read_text("utf-8").splitlines())
    assert table["units"] == by_rule + kept > by_rule > 80
    tags = {one["arm"]: one["tags"] for one in table["figures"]["words.overlap"]}
    assert tags["whole-past"]["origin model offline:"]["mean"] > 0
    assert tags["nothing"]["origin model offline:"]["mean"] < 0.1


def test_what_is_written_is_kept_where_the_exam_is_looked_for(tmp_path: Path) -> None:
    there = {"WHOKNEW_LOG": str(tmp_path / "ours.db")}
    run(*NEW, "--model", "offline:", environment=there)
    assert not Path("lamp.db").exists()
    shown = run("exam", "questions", "lamp.toml", "--origin", "model", environment=there).stdout
    assert "model offline:" in shown


def test_each_rests_on_what_its_character_witnessed_by_then() -> None:
    run(*NEW, "--model", "offline:", "--each", "2")
    assert not any("witnessed" in one for one in answer("exam", "check", "lamp.toml")["remarks"])
    for row in answer("exam", "questions", "lamp.toml", "--origin", "model", "--limit", "99")[
        "rows"
    ]:
        asked = row["question"]
        (evidence,) = row["evidence"]
        assert all(asked["character"] in event["witnesses"] for event in evidence)
        said = " ".join(" ".join(event["body"]["text"].split()) for event in evidence)
        ending = asked["reference"].partition('"')[2].rstrip('"')
        assert ending in said.replace('"', "'") and ending not in asked["question"]
        assert {tag.split()[0] for tag in asked["tags"]} == {"age", "episode", "origin"}


def test_the_same_again_asks_nothing_and_says_so() -> None:
    first = answer(*NEW, "--model", "offline:")
    again = answer(*NEW, "--model", "offline:")
    assert again["files"] is None and again["questions"]["calls"] == 0
    assert again["questions"]["on_log"] == first["questions"]["on_log"]


def test_a_plan_that_says_otherwise_is_not_changed() -> None:
    run(*NEW)
    before = Path("lamp.toml").read_text()
    why = run(*NEW, "--model", "offline:", rc=1).stderr
    assert "has no [writer]" in why and 'model = "offline:"' in why
    assert Path("lamp.toml").read_text() == before
    Path("lamp.toml").write_text(before + '\n[writer]\nmodel = "offline:"\n')
    assert answer(*NEW, "--model", "offline:")["questions"]["done"] == 18
    assert "another [writer]" in run(*NEW, "--model", "offline:", "--each", "3", rc=1).stderr


def test_what_cannot_be_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    assert "no questions for 'questions'" in refused(
        "exam", "new", "questions", "q.toml", "--model", "offline:"
    )
    assert "go with --model" in run(*NEW, "--each", "2", rc=2).stderr
    assert "lamp.toml" not in [one.name for one in tmp_path.iterdir()]


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
@pytest.mark.parametrize("has_plan", [False, True])
def test_a_writer_that_cannot_be_is_told_by_the_options_that_name_it(
    dry: tuple[str, ...], has_plan: bool
) -> None:
    if has_plan:
        run(*NEW)
    why = run(*NEW, "--model", "offlin:", "--kinds", "self,nope", *dry, rc=1).stderr
    assert "\n  --kinds: is 'nope': there are: 'fact', 'relation', 'self'\n" in why
    assert "\n  --model: " in why
    assert Path("lamp.toml").exists() == has_plan and "[writer]" not in why


def test_mistakes_in_the_table_are_told_with_the_others() -> None:
    run(*NEW)
    with Path("lamp.toml").open("a") as file:
        file.write('\n[writer]\nmodel = "offlin:"\nkinds = ["facts"]\neach = 99\n')
    why = run("exam", "check", "lamp.toml", rc=1).stderr
    assert "writer.each" in why
    text = Path("lamp.toml").read_text().replace("each = 99", "each = 1")
    Path("lamp.toml").write_text(text)
    why = run("exam", "check", "lamp.toml", rc=1).stderr
    assert "writer.model" in why and "writer.kinds[0]" in why


def test_a_forecast_comes_first_and_writes_nothing(tmp_path: Path) -> None:
    found = answer(
        *NEW, "--model", "openai:gpt-5-mini", "--checked-by", "openai:gpt-5", "--dry-run"
    )
    assert list(tmp_path.iterdir()) == []
    writer, check = found["roles"]
    assert (found["places"], found["done"], writer["calls"]) == (18, 0, 18)
    assert writer["most"] > writer["calls"] and writer["money"] > 0
    assert check["model"] == "openai:gpt-5" and check["calls"] == 3 * 18
    assert "Nothing was asked" in run(*NEW, "--model", "offline:", "--dry-run").stdout


def test_it_does_not_go_on_with_another_text() -> None:
    answer(*NEW, "--model", "offline:")
    other = (*NEW[:-1], "harbour", "--model", "offline:")
    for words in (other, (*NEW, "--model", "offline:", "--anonymised")):
        assert "another [writer]" in run(*words, rc=1).stderr


def test_a_struck_one_of_a_model_is_not_written_or_asked_again() -> None:
    run(*NEW, "--model", "offline:")
    (row, *_) = answer("exam", "questions", "lamp.toml", "--origin", "model")["rows"]
    run("exam", "questions", "lamp.toml", "--strike", row["id"], "--why", "poor")
    found = answer(*NEW, "--model", "offline:")["questions"]
    assert found["calls"] == 0
    assert answer("exam", "check", "lamp.toml")["struck"] == 1


def test_what_was_written_and_what_was_refused_is_on_the_log_with_its_writer() -> None:
    run(*NEW, "--model", "offline:")
    written = [one for one in events() if isinstance(one.body, QuestionsWritten)]
    assert len(written) == 18 and len({one.cause for one in written}) == 1
    bodies = [one.body for one in written if isinstance(one.body, QuestionsWritten)]
    assert any(body.refused for body in bodies) and all(body.hash for body in bodies)


def test_without_names_no_name_is_shown_or_written() -> None:
    plain = ("AUGUSTA", "WREN", "TOBIAS", "MARROW", "ISOLDE")
    run(*NEW, "--anonymised", "--model", "offline:")
    rows = answer("exam", "questions", "lamp.toml", "--origin", "model", "--limit", "99")["rows"]
    text = json.dumps([row["question"] for row in rows]).casefold()
    assert rows and not any(name.casefold() in text for name in plain)


KIND = '''
from typing import ClassVar
from whoknew.engine.exams.lifestate.lifestate_exam import LifestateExam

class Kind(LifestateExam, frozen=True, kw_only=True):
    """as lifestate, asked otherwise"""

    template: ClassVar = LifestateExam.template.replace('"lifestate"', '"KIND:Kind"', 1)
'''


@pytest.mark.parametrize("dry", [True, False])
def test_a_kind_beside_the_plan_has_questions_written_too(dry: bool) -> None:
    name = f"kind_{dry}".lower()
    Path(f"{name}.py").write_text(KIND.replace("KIND", name), "utf-8")
    begin = ("exam", "new", f"{name}:Kind", "lamp.toml", "--from", "the-lamp-room")
    found = answer(*begin, "--model", "offline:", *(["--dry-run"] if dry else []))
    assert Path("lamp.toml").exists() != dry
    assert found["places"] == 18 if dry else found["questions"]["done"] == 18
