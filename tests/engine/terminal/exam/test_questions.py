"""`whoknew exam questions`: what is asked is looked at, struck and accepted."""

from __future__ import annotations

import asyncio
import csv
import json
import os
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from lamp_exams import QUESTIONS, lamp_exam

from whoknew.engine import load_exam
from whoknew.engine.exams.deciding import ids_of
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Answered, Kind, QuestionDecided
from whoknew.worlds.question import Question, read


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return lamp_exam(tmp_path)


def bodies() -> list[Kind]:
    """All that is on the log of the exam."""

    async def read() -> list[Kind]:
        async with open_log("lamps.db", read_only=True) as log:
            return [event.body async for event in log.read("lamps")]

    return asyncio.run(read())


def ids(plan: Path, *options: str) -> list[str]:
    return [row["id"] for row in answer("exam", "questions", plan, *options)["rows"]]


def test_questions_are_listed_page_by_page(plan: Path) -> None:
    found = answer("exam", "questions", plan, "--limit", "2")
    assert (found["total"], found["skipped"], len(found["rows"])) == (3, 0, 2)
    first = found["rows"][0]
    assert (first["line"], first["origin"], first["standing"]) == (1, "file", "open")
    assert "go on with --skip 2" in run("exam", "questions", plan, "--limit", "2").stdout
    assert ids(plan, "--skip", "2") == ids(plan, "--kind", "self")
    assert ids(plan, "--episode", "1") == ids(plan)[1:2]
    assert ids(plan, "--standing", "struck") == []


def test_a_filter_that_nothing_is_called_is_refused(plan: Path) -> None:
    assert "did you mean 'fact'?" in refused("exam", "questions", plan, "--kind", "facts")
    assert "--who" in refused("exam", "questions", plan, "--who", "Nobody")


def test_the_evidence_is_quoted_with_who_said_it_and_when(plan: Path) -> None:
    run("exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room")
    shown = run("exam", "questions", "lamp.toml", "--kind", "fact", "--limit", "1").stdout
    assert "#18  E1  CAPTAIN MARROW: Keeper, good evening." in shown
    assert "98 rule" not in shown and "CAPTAIN MARROW said it." in shown


def test_what_is_struck_is_not_asked_and_in_no_table(plan: Path) -> None:
    second = ids(plan)[1]
    assert second in run("exam", "questions", plan, "--strike", "2", "--why", "odd").stdout
    assert (answer("exam", "check", plan)["units"], answer("exam", "check", plan)["struck"]) == (
        2,
        1,
    )
    table = answer("exam", "run", plan)["table"]
    assert (table["units"], table["struck"], [row["cells"] for row in table["rows"]]) == (
        2,
        1,
        [2, 2],
    )
    assert "1 question was struck" in run("exam", "report", plan).stdout
    assert answer("exam", "run", plan, "--dry-run")["cells"] == 4
    assert "is struck" in refused("exam", "show", plan, "none", second)


def test_answers_stay_on_the_log_and_count_again_when_it_is_accepted(plan: Path) -> None:
    before = answer("exam", "run", plan)["table"]["figures"]
    second = ids(plan)[1]
    run("exam", "questions", plan, "--strike", second)
    less = answer("exam", "report", plan)["table"]
    assert less["figures"] != before and less["units"] == 2
    assert sum(isinstance(one, Answered) for one in bodies()) == 6
    run("exam", "questions", plan, "--accept", second)
    assert answer("exam", "run", plan)["table"]["figures"] == before


def test_who_decided_when_and_why_is_an_event_and_the_same_word_again_is_none(
    plan: Path,
) -> None:
    for _ in range(2):
        run(
            "exam",
            "questions",
            plan,
            "--strike",
            "1",
            "--strike",
            "2",
            "--why",
            "odd",
            "--by",
            "Ada",
        )
    run("exam", "questions", plan, "--accept", "2", "--by", "Bo")
    said = [one for one in bodies() if isinstance(one, QuestionDecided)]
    assert [(one.verdict, one.why, one.by) for one in said] == [
        ("struck", "odd", "Ada"),
        ("struck", "odd", "Ada"),
        ("accepted", "", "Bo"),
    ]
    first, second, _ = answer("exam", "questions", plan)["rows"]
    assert (first["standing"], second["standing"]) == ("struck", "accepted")
    assert "struck by Ada" in run("exam", "questions", plan, "--standing", "struck").stdout


def test_a_line_that_is_not_there_is_not_taken_for_an_id(plan: Path) -> None:
    (first, *_) = ids(plan)
    for few in (first[:1], first[:3], "0", "99"):
        assert "has this id or line" in refused("exam", "questions", plan, "--strike", few)
    assert first in run("exam", "questions", plan, "--strike", first[:4]).stdout


def test_many_are_found_in_one_look_at_their_ids(
    plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = [*QUESTIONS, *({**QUESTIONS[0], "question": f"Is {n} a number?"} for n in range(97))]
    Path("questions.jsonl").write_text("\n".join(map(json.dumps, some)), "utf-8")
    file, exam = read(Path("questions.jsonl")), load_exam(plan)
    wanted, looked, made = [one.id for one in file.questions], [0], Question.id.fget  # type: ignore[attr-defined]

    def counted(one: Question) -> str:
        looked[0] += 1
        return str(made(one))

    monkeypatch.setattr(Question, "id", property(counted))
    assert list(ids_of(exam, file, wanted)) == wanted
    assert looked[0] <= 2 * len(wanted)


def test_all_is_decided_or_nothing(plan: Path) -> None:
    assert "'zz'" in refused("exam", "questions", plan, "--strike", "1", "--strike", "zz")
    picked = run("exam", "questions", plan, "--kind", "relation", "--accept", "1", rc=2).stderr
    assert "leave out --who, --kind" in picked
    told = refused("exam", "questions", plan, "--strike", "1", "--accept", "1")
    assert "say one of them" in told
    assert answer("exam", "questions", plan)["standings"] == {"open": 3}
    assert not Path("lamps.db").exists()


def test_where_all_are_struck_nothing_is_left_to_ask(plan: Path) -> None:
    run("exam", "questions", plan, *(word for one in "123" for word in ("--strike", one)))
    assert "all 3 questions are struck" in run("exam", "run", plan, rc=1).stderr


def test_they_are_looked_at_one_after_another_and_gone_on_with(plan: Path) -> None:
    first, second, third = ids(plan)
    shown = run(
        "exam", "questions", plan, "--review", given="s\nnobody says so\n?\na\nb\nq\n"
    ).stdout
    assert "How much oil is in nine jars?" in shown and "3 of 3 questions" in shown
    assert "accepted just now" in shown and shown.endswith("1 struck, 1 accepted\n")
    assert ids(plan, "--standing", "struck") == [first]
    assert ids(plan, "--standing", "accepted") == [second]
    again = run("exam", "questions", plan, "--review", given="").stdout
    assert "1 of 1 question" in again and "nothing decided" in again
    assert ids(plan, "--standing", "open") == [third]
    run("exam", "questions", plan, "--review", "--standing", "struck", given="a\n")
    assert ids(plan, "--standing", "struck") == []


async def test_while_another_writes_the_log_it_says_so(plan: Path) -> None:
    async with open_log("lamps.db"):
        told = await asyncio.to_thread(refused, "exam", "questions", plan, "--strike", "1")
        shown = await asyncio.to_thread(answer, "exam", "questions", plan)
    assert "lamps.db" in told and str(os.getpid()) in told
    assert shown["standings"] == {"open": 3}


def test_an_exam_of_scenes_has_no_questions(plan: Path) -> None:
    run("exam", "new", "scenes", "duel.toml")
    assert "no questions: its units are scenes" in refused("exam", "questions", "duel.toml")


def test_figures_are_told_apart_by_origin(plan: Path) -> None:
    run("exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room")
    run("exam", "run", "lamp.toml", "--limit", "4")
    run("exam", "report", "lamp.toml", "--out", "out")
    rows = csv.DictReader(Path("out/figures.csv").read_text("utf-8").splitlines())
    assert any("tag origin rule" in row.values() for row in rows)
