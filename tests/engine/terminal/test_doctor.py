"""`whoknew doctor`: a line a finding, and under it what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runner import answer, harbour, run


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def test_of_a_sound_log_nothing_is_amiss(tmp_path: Path) -> None:
    file = harbour(tmp_path / "log.db")
    (log,) = [one for one in answer("doctor", "--log", file) if one["what"] == "log"]
    assert log["state"] == "fine"
    shown = run("doctor", "--log", file).stdout
    assert "ok  log" in shown and "!!" not in shown


def test_a_plan_whose_model_has_no_key_exits_with_1_and_says_what_to_do(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('world = "flatmates"\n[agents.everyone]\nmodel = "openai:m"\n')
    shown = run("doctor", plan, rc=1).stdout
    assert "!!  openai:m" in shown
    assert "OPENAI_API_KEY" in shown


def test_a_plan_with_a_mistake_is_told_of_it(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('world = "flatmate"\n')
    assert "did you mean 'flatmates'?" in run("doctor", plan, rc=1).stderr
