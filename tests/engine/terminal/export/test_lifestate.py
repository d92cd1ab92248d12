"""`whoknew export lifestate`: what came in goes out as it came in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from lifestate_files import FORM, form_file

from whoknew.worlds.anonymiser import Key, restore


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_an_exam_of_such_a_file_goes_out_as_it_came_in() -> None:
    form_file(Path("lamp.json"))
    run("exam", "new", "lifestate", "exam.toml", "--from", "lamp.json")
    found = answer("export", "lifestate", "exam.toml", "out.json")
    assert (found["episodes"], found["questions"], found["remarks"]) == (2, 3, [])
    assert json.loads(Path("out.json").read_text("utf-8")) == FORM
    run("exam", "new", "lifestate", "again.toml", "--from", "out.json")
    assert Path("again.jsonl").read_bytes() == Path("exam.jsonl").read_bytes()


def test_without_names_it_goes_out_without_them_and_all_can_be_put_back() -> None:
    form_file(Path("lamp.json"))
    run("exam", "new", "lifestate", "exam.toml", "--from", "lamp.json", "--anonymised")
    run("export", "lifestate", "exam.toml", "out.json")
    texts = [Path(name).read_text("utf-8") for name in ("exam.jsonl", "out.json")]
    assert not [one for one in texts if "wren" in one.casefold() or "pell" in one.casefold()]
    key = Key(json.loads(Path("exam.names.json").read_text("utf-8"))["aliases"])
    assert json.loads(restore(texts[1], key)) == FORM


def test_a_world_that_was_played_goes_out_and_comes_in_again() -> None:
    run("exam", "new", "lifestate", "diner.toml", "--from", "midnight-diner")
    found = answer("export", "lifestate", "diner.toml", "diner.json")
    written = len(Path("diner.jsonl").read_text("utf-8").splitlines())
    assert found["questions"] == written and found["episodes"] == 10
    assert any("no place in the form" in one["what"] for one in found["remarks"])
    run("exam", "new", "lifestate", "again.toml", "--from", "diner.json")
    run("export", "lifestate", "again.toml", "again.json")
    assert Path("again.json").read_bytes() == Path("diner.json").read_bytes()
    assert answer("exam", "check", "again.toml")["units"] == written


def test_of_several_worlds_one_is_named() -> None:
    run("import", "play", "the-lamp-room", "--log", "both.db")
    run("run", "flatmates", "--log", "both.db")
    run("exam", "new", "lifestate", "exam.toml", "--from", "both.db")
    assert "--world" in refused("export", "lifestate", "exam.toml", "out.json")
    told = refused("export", "lifestate", "exam.toml", "out.json", "--world", "flatmate")
    assert "did you mean 'flatmates'" in told
    run("export", "lifestate", "exam.toml", "out.json", "--world", "the-lamp-room")
    assert json.loads(Path("out.json").read_text("utf-8"))["questions"]


def test_an_exam_of_scenes_has_no_questions() -> None:
    run("exam", "new", "scenes", "duel.toml")
    assert "has no questions" in refused("export", "lifestate", "duel.toml", "out.json")


def test_questions_of_such_a_file_without_evidence_leave_judges_of_evidence_nothing() -> None:
    questions = {"two": FORM["questions"]["two"]}
    form_file(Path("lamp.json"), questions=questions)
    run("exam", "new", "lifestate", "exam.toml", "--from", "lamp.json")
    with Path("exam.toml").open("a", encoding="utf-8") as plan:
        plan.write('\n[judges.found]\nby = "evidence"\n')
    told = refused("exam", "check", "exam.toml")
    assert "needs 'evidence' of a question, and none has it" in told
