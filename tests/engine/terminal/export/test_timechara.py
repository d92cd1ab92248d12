"""`whoknew export timechara`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from timechara_files import instances, written

from whoknew.agents.methods.experts import ExpertHint


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(Path("novels.json"))
    run("exam", "new", "timechara", "exam.toml", "--from", "novels.json")


def test_each_answer_has_the_number_of_its_instance_and_the_hint() -> None:
    run("exam", "run", "exam.toml", "--only", "experts")
    found = answer("export", "timechara", "exam.toml", "experts", "out.json")
    some = json.loads(Path("out.json").read_text("utf-8"))
    count = len(list(instances()))
    assert (found["answers"], found["missing"]) == (count, 0)
    assert [one["data_idx"] for one in some] == list(range(count))
    assert {one["thought"] for one in some} == {"-", *(one.value for one in ExpertHint)}
    assert all(set(one) == {"data_idx", "response", "thought"} and one["response"] for one in some)


def test_what_is_not_answered_is_told() -> None:
    run("exam", "run", "exam.toml", "--only", "zero-shot", "--limit", "5")
    assert "without" in run("export", "timechara", "exam.toml", "zero-shot", "out.json").stdout
    assert len(json.loads(Path("out.json").read_text("utf-8"))) == 5


def test_an_arm_that_is_not_there_is_refused() -> None:
    assert "zero-shot" in refused("export", "timechara", "exam.toml", "zero-shoot", "out.json")
    assert not Path("out.json").exists()


@pytest.mark.parametrize("numbers", [(7, "first"), ("second", "first"), (7, 7), (7, None)])
def test_numbers_that_are_none_of_instances_are_those_of_places(
    numbers: tuple[object, ...],
) -> None:
    lines = Path("exam.jsonl").read_text("utf-8").splitlines()[:2]
    rows = [json.loads(line) for line in lines]
    for row, number in zip(rows, numbers, strict=True):
        del row["labels"]["number"]
        row["labels"] |= {} if number is None else {"number": number}
    Path("exam.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    run("exam", "run", "exam.toml", "--only", "zero-shot")
    run("export", "timechara", "exam.toml", "zero-shot", "out.json")
    some = json.loads(Path("out.json").read_text("utf-8"))
    assert [one["data_idx"] for one in some] == [0, 1]
