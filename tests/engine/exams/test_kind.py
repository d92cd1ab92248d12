"""Kinds of exams: those that stand beside a plan or in a package, and what is refused of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import answer, ended, refused, run
from documented import documented
from installed_packages import installed
from lamp_exams import PLAN, lamp_exam

from whoknew.engine.exams.document import parse
from whoknew.worlds.errors import BadDocument

OWN = """
exam = "{kind}"
name = "who"
material = "plays.db"
each = 1
[grid]
memories = ["none", "entire"]
[judges.named]
by = "reference"
"""

BROKEN = """
from whoknew.engine import QuestionKind

class {name}(QuestionKind, frozen=True):
    '''one that does not work'''

    async def questions_about(self, material, beside):
        {does}
"""


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lamp_exam(tmp_path)


def plan(folder: Path, text: str) -> Path:
    (folder / "own.toml").write_text(text, "utf-8")
    return folder / "own.toml"


def test_the_kind_in_the_docs_has_its_questions_its_table_and_its_figures(tmp_path: Path) -> None:
    code = documented("WhoSaidIt", "exams")
    assert len(code.splitlines()) < 100
    (tmp_path / "who_said.py").write_text(code, "utf-8")
    path = plan(tmp_path, OWN.format(kind="who_said:WhoSaidIt"))
    found = answer("exam", "run", path)["table"]
    people = found["units"]
    assert people > 2 and [row["answered"] for row in found["rows"]] == [people, people]
    assert set(found["own"]) == {"words"} and set(found["own"]["words"]) == {"none", "entire"}
    assert set(found["figures"]) == {"named.overlap"}
    again = answer("exam", "run", path)
    assert again["table"] == found and again["sat"]["progress"]["answered"] == 0
    shown = answer("exam", "show", path, "entire", "1")
    assert shown["question"]["reference"] and shown["evidence"]


def test_a_package_brings_a_kind_under_a_name_of_its_own(tmp_path: Path) -> None:
    points = {"whoknew.exams": {"who": "who_brought:WhoSaidIt"}}
    with installed(tmp_path, "who_brought", documented("WhoSaidIt", "exams"), points):
        exam = parse(OWN.format(kind="who"), "own.toml", tmp_path)
        assert exam.plan.settings == {"material": "plays.db", "each": 1}
        with pytest.raises(BadDocument, match=r"each: is 0, but should be 1 at least"):
            parse(OWN.format(kind="who").replace("each = 1", "each = 0"), "own.toml", tmp_path)


def test_the_keys_of_a_kind_are_checked_as_all_others_are(tmp_path: Path) -> None:
    said = run(
        "exam", "check", plan(tmp_path, PLAN.replace("questions =", "qestions =")), rc=1
    ).stderr
    assert "no such key: did you mean 'questions'?" in said
    assert "questions: is missing" in said
    unknown = PLAN.replace('"questions"', '"qestions"', 1)
    said = refused("exam", "check", plan(tmp_path, unknown))
    assert "there is no exam 'qestions': did you mean 'questions'?" in said
    assert "no such key" not in said


@pytest.mark.parametrize(
    ("name", "does", "said"),
    [
        ("Raising", "return {}['x']", "cannot make its questions: "),
        ("Empty", "return []", "there are none about plays.db"),
        ("Wrong", "return ['x']", "Question"),
        ("Missing", "raise NotImplementedError", "NotImplementedError"),
    ],
)
def test_a_kind_that_does_not_work_is_told_and_not_shown_as_a_fault_of_ours(
    name: str, does: str, said: str, tmp_path: Path
) -> None:
    module = f"kind_{name.lower()}"
    (tmp_path / f"{module}.py").write_text(BROKEN.format(name=name, does=does), "utf-8")
    path = plan(tmp_path, OWN.format(kind=f"{module}:{name}").replace("each = 1\n", ""))
    code, done = ended("exam", "check", path)
    assert code == 1 and said in done.stderr and "Traceback" not in done.stderr


def test_what_is_no_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kind_none.py").write_text("class Other: pass\n", "utf-8")
    path = plan(tmp_path, OWN.format(kind="kind_none:Other"))
    assert "is no exam that a plan can name" in run("exam", "check", path, rc=1).stderr


SCENES = """
from whoknew.engine import Episodes, SceneKind
from whoknew.engine.exams.scenes.scene import world_of
from whoknew.worlds import find

class Evenings(SceneKind, frozen=True):
    '''short evenings'''

    turns: int = 2

    def scenes(self, plan, beside):
        return [world_of(find("flatmates"), Episodes(turns=self.turns))] * GIVEN
"""
EVENINGS = """
exam = "{kind}"
name = "evenings"
[grid]
memories = ["none", "entire"]
[judges.rules]
by = "rules"
"""


@pytest.mark.parametrize(
    ("module", "given", "said"),
    [("evening_twice", "2", "'flatmates' is there twice"), ("evening_odd", "1 + [3]", "SceneUnit")],
)
def test_scenes_that_make_no_exam_are_told(
    module: str, given: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / f"{module}.py").write_text(SCENES.replace("GIVEN", given), "utf-8")
    path = plan(tmp_path, EVENINGS.format(kind=f"{module}:Evenings"))
    assert said in run("exam", "check", path, rc=1).stderr


def test_a_kind_of_scenes_of_ones_own_is_played_judged_and_compared(tmp_path: Path) -> None:
    (tmp_path / "evening.py").write_text(SCENES.replace("GIVEN", "1"), "utf-8")
    path = plan(tmp_path, EVENINGS.format(kind="evening:Evenings"))
    found = answer("exam", "run", path)["table"]
    assert [(row["arm"], row["answered"]) for row in found["rows"]] == [("none", 1), ("entire", 1)]
    assert "rules.stalling" in found["figures"]
