"""`whoknew new`: a plan to start from."""

from __future__ import annotations

from pathlib import Path

from command_runner import refused, run


def test_a_plan_is_never_written_over(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    assert "--dry-run" in run("new", plan, "--world", "harbour").stdout
    before = plan.read_text("utf-8")
    assert "is there already" in refused("new", plan)
    assert plan.read_text("utf-8") == before
    assert "there is no folder" in refused("new", tmp_path / "no" / "plan.toml")
