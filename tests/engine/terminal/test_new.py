"""`whoknew new`: a plan to start from."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from command_runner import refused, run
from limited_disk import refused_by_disk
from msgspec.structs import replace

from whoknew.worlds import find
from whoknew.worlds.toml_text import toml_of


def test_no_half_of_a_plan_is_left_where_the_disk_is_full(tmp_path: Path) -> None:
    """It was, and the same command was refused from then on."""
    plan = tmp_path / "plan.toml"
    assert str(plan) in refused_by_disk(1000, "new", plan)
    assert not any(tmp_path.iterdir())


def test_a_plan_is_never_written_over(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    assert "--dry-run" in run("new", plan, "--world", "harbour").stdout
    before = plan.read_text("utf-8")
    assert "exists already" in refused("new", plan)
    assert plan.read_text("utf-8") == before
    assert "there is no folder" in refused("new", tmp_path / "no" / "plan.toml")


def test_the_log_of_a_plan_for_a_world_of_ones_own_is_called_as_the_world(tmp_path: Path) -> None:
    world, plan = tmp_path / "mill.toml", tmp_path / "plan.toml"
    world.write_text(
        'name = "mill"\ntitle = "The mill"\nbegins = 1931-09-01T19:00:00\ncharacters = [{ name = "Ada" }, { name = "Ben" }]\n'
        'scenarios = [{ name = "bread", text = "At table.", cast = ["Ada", "Ben"] }]\n'
    )
    run("new", plan, "--world", world)
    written = plan.read_text("utf-8")
    assert f'world = "{world}"' in written and 'log = "mill.db"' in written


@pytest.mark.parametrize("name", ['the "mill"', "a/b", "CALLED WORLD", "back\\slash"])
def test_whatever_a_world_and_its_file_are_called_the_plan_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    world = Path("my CALLED world.toml")
    harbour = find("harbour")
    world.write_text(toml_of(replace(harbour, name=name)), "utf-8")
    run("new", "plan.toml", "--world", world)
    run("run", "plan.toml", "--dry-run")
    plan = tomllib.loads(Path("plan.toml").read_text("utf-8"))
    assert plan["world"] == str(world)
    assert Path(plan["log"]).parent == Path()
