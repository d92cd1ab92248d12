"""What judges go by that stands in files beside a plan: known by what they say, and not by their names."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import answer, run
from lamp_exams import PLAN, lamp_exam

from whoknew.engine.exams.document import load

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


PERSONAL = '\n[judges.persona]\nby = "personality"\nmodel = "offline:"\ntexts = "texts"\n'


def personal(folder: Path, **texts: str) -> Path:
    path = lamp_exam(folder, PLAN + PERSONAL)
    (folder / "texts").mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / "texts" / f"{name}.txt").write_text(text, "utf-8")
    return path


def texts_of(plan: Path) -> dict[str, str]:
    (judge,) = [one for one in load(plan).judges if one.name == "persona"]
    found: dict[str, str] = judge.settings["by"]["texts"]
    return found


def test_a_folder_of_personalities_is_read_by_the_names_of_its_files(tmp_path: Path) -> None:
    path = personal(tmp_path, Wren="Shy.", tobias_pell_personality="Dry.\n")
    assert texts_of(path) == {"Wren": "Shy.", "tobias_pell": "Dry."}


def test_a_judge_is_another_one_when_a_text_is(tmp_path: Path) -> None:
    digests = {
        load(personal(tmp_path, Wren=text)).judges[-1].digest for text in ("Shy.", "Bold.", "Shy.")
    }
    assert len(digests) == 2


def test_a_character_with_a_text_gets_a_mark(tmp_path: Path) -> None:
    path = personal(tmp_path, wren="Shy.")
    table = answer("exam", "run", path)["table"]
    figures = table["figures"]["persona.personality"]
    assert {one["micro"]["mean"] for one in figures} == {4.0}
    assert all(one["unreviewed"] == 0 for one in table["rows"])


@pytest.mark.parametrize(
    ("folder", "why"), [("text", "there is no such file: text"), ("empty", "holds no text")]
)
def test_a_folder_that_is_not_there_or_empty_is_told(folder: str, why: str, tmp_path: Path) -> None:
    path = personal(tmp_path, Wren="Shy.")
    (tmp_path / "empty").mkdir()
    path.write_text(path.read_text("utf-8").replace('"texts"', f'"{folder}"'), "utf-8")
    assert why in " ".join(run("exam", "check", path, rc=1).stderr.split())


def test_one_that_is_not_there_is_told_with_the_line_of_its_judge(tmp_path: Path) -> None:
    path = lamp_exam(tmp_path, PLAN + PERSONAL.replace("persona]", '"my persona"]'))
    line = len(path.read_text("utf-8").splitlines())
    told = " ".join(run("exam", "check", path, rc=1).stderr.split())
    assert f'exam.toml:{line}: judges."my persona".texts: there is no such file' in told
