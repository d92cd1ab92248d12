"""`whoknew exam check`: what an exam would be, or all that is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import answer, ended, refused, run
from lamp_exams import PLAN, lamp_exam, without_a_reference

from whoknew.engine.terminal.exam.plans import exam_to_serve


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_says_what_would_be_asked_and_what_is_done(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    shown = run("exam", "check", path).stdout
    assert "lamps: 3 questions x 2 arms = 6 cells" in shown
    assert "judge words (reference): 3 of 3 questions" in shown
    assert not (tmp_path / "lamps.db").exists()
    run("exam", "run", path, "--only", "none")
    found = answer("exam", "check", path)
    assert [(arm["name"], arm["done"]) for arm in found["arms"]] == [("none", 3), ("recall", 0)]


def test_all_mistakes_of_a_plan_are_told_at_once_with_their_lines(tmp_path: Path) -> None:
    plan = PLAN.replace('"recall"]', '"recal", "none"]').replace('"reference"', '"rubric"')
    path = lamp_exam(tmp_path, f'{plan}\n[arms.two]\nagent = "human"\n[models."openai:x"]\n')
    said = run("exam", "check", path, rc=1).stderr
    assert "5 mistakes" in said
    for what in (
        "exam.toml:7: grid.memories[1]: there is no memory 'recal': did you mean 'recall'?",
        "exam.toml:7: grid.memories[2]: names 'none' twice",
        "judges.words.model: is missing: 'rubric' asks a model, and none of those that are examined",
        "arms.two.agent: is for who acts; here questions are answered: leave it out",
        'models."openai:x": no arm and no judge uses it',
    ):
        assert what in said, said


def test_a_control_whose_name_is_misspelt_is_named(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path, PLAN.replace('"recall"]', '"oracel"]'))
    said = run("exam", "check", path, rc=1).stderr
    assert "there is no control 'oracel': did you mean 'oracle'?" in said


def test_what_is_wrong_with_files_and_between_them_is_told_with_the_mistakes_of_the_plan(
    tmp_path: Path,
) -> None:
    twice = '[arms.a]\nmemory = "none"\n[arms.b]\nmemory = "nonne"\n'
    judges = "".join(f'[judges.{name}]\nby = "exact"\n' for name in ("one", "other"))
    own = '[judges.own]\nby = "rubric"\nrubric = "own.toml"\nmodel = "offline:"\n'
    path = lamp_exam(tmp_path, PLAN.replace("[grid]", f"repeats = 0\n{twice}{judges}{own}[grid]"))
    (tmp_path / "own.toml").write_text('text = "Is it true?"\nscale = 3\n')
    file = tmp_path / "questions.jsonl"
    file.write_text(file.read_text("utf-8").replace('"E1"', '"E99"'), "utf-8")
    said = run("exam", "check", path, rc=1).stderr.splitlines()
    assert [line.strip().split("/")[-1].split(": ")[:2] for line in said] == [
        ["whoknew", "6 mistakes:"],
        ["exam.toml:6", "repeats"],
        ["exam.toml:7", "arms.a"],
        ["exam.toml:10", "arms.b.memory"],
        ["exam.toml:13", "judges.other"],
        ["own.toml:2", "scale"],
        ["questions.jsonl:2", "at"],
    ]
    file.write_text("{}", "utf-8")
    path.write_text(path.read_text().replace("plays.db", "palys.db"))
    said = run("exam", "check", path, rc=1).stderr
    assert "material: there is no such file: palys.db" in said
    assert "questions.jsonl:1: question: is missing" in said


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("summary", "derived where there is none"),
        ("bookmarks", "derived, whatever was kept in play"),
    ],
)
def test_a_memory_that_has_to_be_derived_is_told(tmp_path: Path, name: str, how: str) -> None:
    path = lamp_exam(tmp_path, PLAN.replace('"recall"', f'"{name}"'))
    shown = " ".join(run("exam", "check", path).stdout.split())
    assert f"memory ({name}, by offline:) for {name}: of 1 character, {how}" in shown
    (memory,) = answer("exam", "check", path)["memories"]
    assert (memory["arms"], memory["characters"]) == ([name], 1)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (
            PLAN.replace('"questions"', '"question"', 1),
            "exam: there is no exam 'question': did you mean",
        ),
        (PLAN + '[arms.same]\nmemory = "none"\n', "'same' is the same as 'none'"),
        (PLAN.replace('memories = ["none", "recall"]', ""), "there is an arm"),
        (
            PLAN + '[agents.everyone]\nmodel = "recorded:plays.db"\n',
            "agents.everyone.model: is 'recorded:plays.db', which gives the answers of a world",
        ),
        (PLAN.replace("plays.db", "lamps.db"), "would be written into lamps.db"),
        (PLAN.replace("questions.jsonl", "no.jsonl"), "no.jsonl cannot be read"),
    ],
)
def test_what_makes_no_exam_is_refused(plan: str, said: str, tmp_path: Path) -> None:
    assert said in " ".join(refused("exam", "check", lamp_exam(tmp_path, plan)).split())


def test_a_question_that_cannot_be_put_is_told_with_its_line(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    file = tmp_path / "questions.jsonl"
    file.write_text(file.read_text("utf-8").replace('"E1"', '"E99"'), "utf-8")
    code, done = ended("exam", "check", path)
    assert code == 1 and "questions.jsonl:2: at: E99" in done.stderr


def test_a_plan_of_an_exam_is_not_played_as_a_world(tmp_path: Path) -> None:
    assert "whoknew exam run exam.toml" in refused("run", lamp_exam(tmp_path).name)


def test_two_judges_that_are_one_are_a_mistake(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path, PLAN + '[judges.again]\nby = "reference"\n')
    assert "judges.again: is the same as 'words'" in refused("exam", "check", path)


def test_judges_that_differ_in_their_model_alone_are_one_offline(tmp_path: Path) -> None:
    models = ("openai:gpt-5", "openai:gpt-5-mini")
    judges = [f'[judges.j{n}]\nby = "rubric"\nmodel = "{one}"\n' for n, one in enumerate(models)]
    path = lamp_exam(tmp_path, PLAN + "".join(judges))
    run("exam", "run", path, "--offline")
    told = " ".join(run("exam", "report", path, "--offline").stdout.split())
    assert "judge j1 is the same as j0" in told


def test_an_exam_is_not_written_into_its_material_by_any_way(tmp_path: Path) -> None:
    lamp_exam(tmp_path)
    (tmp_path / "link.db").symlink_to(tmp_path / "plays.db")
    (tmp_path / "hard.db").hardlink_to(tmp_path / "plays.db")
    (tmp_path / "sub").mkdir()
    for other in ("link.db", "hard.db", "./sub/../plays.db"):
        path = lamp_exam(tmp_path, PLAN.replace("[grid]", f'log = "{other}"\n[grid]'))
        assert "the exam would be written into plays.db" in refused("exam", "run", path)


def test_a_slip_in_the_number_of_repeats_is_told(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path, PLAN.replace("[grid]", f"repeats = 1{'0' * 19}\n[grid]"))
    assert "repeats" in refused("exam", "check", path)


@pytest.mark.parametrize("command", ["check", "run", "report", "judge"])
def test_material_that_is_not_there_is_named_by_its_key(command: str, tmp_path: Path) -> None:
    path = lamp_exam(tmp_path, PLAN.replace("plays.db", "palys.db"))
    code, done = ended("exam", command, path)
    assert code == 1 and "exam.toml: material: there is no such file: palys.db" in done.stderr
    assert "did you mean 'plays.db'?" in done.stderr and "--log" not in done.stderr
    (tmp_path / "questions.jsonl").unlink()
    told = run("exam", command, path, rc=1).stderr
    assert "  questions.jsonl: cannot be read: No such file or directory" in told


def test_where_there_is_no_log_yet_a_command_that_makes_one_is_named(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path, PLAN.replace("plays.db", "stage.db"))
    (tmp_path / "plays.db").unlink()
    told = run("exam", "check", path, rc=1).stderr
    command = "import play the-lamp-room --log stage.db"
    assert f"`whoknew {command}`" in told
    run(*command.split())
    run("exam", "check", path)


def test_each_file_of_scenes_that_is_wrong_is_told_where_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("nonsense = 1\n", "utf-8")
    path = Path("scenes.toml")
    plan = 'exam = "scenes"\nname = "s"\n{}\n[grid]\nmemories = ["none"]\n'
    path.write_text(plan.format('people = "no.toml"\nbanks = ["friend", "bad.toml", "frend"]'))
    said = run("exam", "check", path, rc=1).stderr
    assert "scenes.toml:3: people: no.toml: there is no such file" in said
    assert "scenes.toml:4: banks[1]: " in said and "bad.toml:1: nonsense" in said
    assert "scenes.toml:4: banks[2]: frend: no file and no bank" in said
    path.write_text(plan.format('worlds = ["harbour", "harbor", "no.toml"]'))
    said = run("exam", "check", path, rc=1).stderr
    assert "scenes.toml:3: worlds[1]: harbor: " in said
    assert "scenes.toml:3: worlds[2]: no.toml: there is no such file" in said


ONCE = """
from whoknew.engine import QuestionKind
from whoknew.worlds.question import Question


class Once(QuestionKind, frozen=True):
    '''one that says each time it is asked'''

    async def questions_about(self, material, beside):
        with (beside / "asked").open("a") as file:
            file.write("x")
        return [Question(world="the-lamp-room", character="WREN", at="end", question="Who?", kind="k")]
"""


@pytest.mark.parametrize("command", ["check", "show"])
def test_the_questions_of_a_kind_are_made_once(command: str, tmp_path: Path) -> None:
    (tmp_path / f"once_{command}.py").write_text(ONCE, "utf-8")
    plan = PLAN.replace('"questions"', f'"once_{command}:Once"').replace(
        'questions = "questions.jsonl"', ""
    )
    path = lamp_exam(tmp_path, plan[: plan.index("[judges")])
    run("exam", "run", path)
    (tmp_path / "asked").unlink()
    run("exam", command, path, *(("none", "1") if command == "show" else ()))
    assert (tmp_path / "asked").read_text() == "x"


@pytest.mark.parametrize("name", ["../elsewhere", "a/b", "..", "a\\\\b"])
def test_a_name_that_leads_elsewhere_is_no_name_of_a_log(tmp_path: Path, name: str) -> None:
    path = lamp_exam(tmp_path, PLAN.replace('name = "lamps"', f'name = "{name}"'))
    for command in ("check", "run", "report"):
        said = " ".join(run("exam", command, path, rc=1).stderr.split())
        assert "name: is" in said and "leave out what leads there, or say where it is kept" in said
    assert not list(tmp_path.parent.glob("elsewhere*"))
    path.write_text(path.read_text().replace("[grid]", f'log = "{tmp_path}/l.db"\n[grid]'))
    run("exam", "check", path)


def test_it_says_what_a_judge_lacks(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path)
    without_a_reference(tmp_path)
    shown = " ".join(run("exam", "check", path).stdout.split())
    assert "2 of 3 questions, the other 1 lacks what it needs (reference)" in shown


def test_seats_that_are_no_model_are_told(tmp_path: Path) -> None:
    (tmp_path / "duel.toml").write_text(DUEL)
    found = answer("exam", "check", "duel.toml")["arms"]
    assert [arm["agent"] for arm in found] == ["mind against bargainer", "bargainer against mind"]
    assert " agent " in run("exam", "check", "duel.toml").stdout
    assert " agent " not in run("exam", "check", lamp_exam(tmp_path)).stdout


DUEL = """
exam = "scenes"
name = "duel"
banks = ["stranger"]
pairs = 1
[arms.duel]
first = { memory = "none" }
second = { memory = "none", agent = "bargainer" }
swapped = true
"""


def test_an_exam_is_kept_where_its_plan_says_whatever_log_the_variable_names(
    tmp_path: Path,
) -> None:
    unnamed = PLAN.replace("plays.db", str(tmp_path / "plays.db"))
    path, about = lamp_exam(tmp_path, unnamed), {"WHOKNEW_LOG": str(tmp_path / "plays.db")}
    why = run("exam", "check", path, rc=1, environment=about).stderr
    assert "WHOKNEW_LOG names the log" in why and "plays.db" in why
    path.write_text(unnamed.replace("[grid]", 'log = "mine.db"\n[grid]'), "utf-8")
    assert "mine.db" in _unfolded(run("exam", "check", path, environment=about).stdout)
    path.write_text(unnamed, "utf-8")
    other = {"WHOKNEW_LOG": str(tmp_path / "other.db")}
    assert "other.db" in _unfolded(run("exam", "check", path, environment=other).stdout)
    told = run("exam", "check", path, "--log", "third.db", environment=other).stdout
    assert "third.db" in _unfolded(told)


def test_a_server_looks_for_an_exam_where_a_run_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lamp_exam(tmp_path)
    monkeypatch.setenv("WHOKNEW_LOG", "plays.db")  # what is served, and what the exam is about
    assert exam_to_serve(path).plan.address == "lamps.db"
    monkeypatch.setenv("WHOKNEW_LOG", "other.db")
    assert exam_to_serve(path).plan.address == "other.db"
    path.write_text(PLAN.replace("[grid]", 'log = "mine.db"\n[grid]'), "utf-8")
    assert exam_to_serve(path).plan.address == "mine.db"


def _unfolded(told: str) -> str:
    """A long path may be told on several lines."""
    return told.replace("\n", "")
