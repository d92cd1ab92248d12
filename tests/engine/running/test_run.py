"""What a command says otherwise than its plan, and how to go on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from whoknew.engine.plan.loading import Options, load, program_of
from whoknew.engine.running.models import addresses
from whoknew.engine.running.run import command_line
from whoknew.worlds.errors import BadDocument


def test_the_command_to_go_on_with_shows_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = ["whoknew", "run", "my plan.toml", "--log", "postgresql://me:hidden@host/db"]
    monkeypatch.setattr(sys, "argv", typed)
    assert command_line() == "whoknew run 'my plan.toml' --log postgresql://me@host/db"


def test_offline_makes_every_mind_offline_and_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(
        'world = "flatmates"\n[agents.everyone]\nmodel = "openai:m"\nmemory = "recall"\n'
        '[agents.Petra]\nagent = "bargainer"\n'
    )
    plan = load(str(path), None, Options(log="x.db", chains=3, offline=True)).plan
    assert (plan.log, plan.chains) == ("x.db", 3)
    hester, petra = plan.seat("Hester"), plan.seat("Petra")
    assert (hester.model, hester.memory, petra.agent) == ("offline:", "recall", "bargainer")


def test_what_is_neither_a_file_nor_a_world_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(BadDocument, match="did you mean 'flatmates'"):
        load("flatmate", None, Options())
    with pytest.raises(BadDocument, match="is a folder: name a file"):
        load(str(tmp_path), None, Options())


def test_offline_is_everybody_who_asks_a_model_the_judges_too(tmp_path: Path) -> None:
    file = tmp_path / "p.toml"
    file.write_text(
        'world = "flatmates"\n[agents.everyone]\nmodel = "openai:m"\n'
        '[judges.j]\nby = "dimensions"\nmodel = "openai:j"\nreasks = 1\n'
    )
    (chain, *_) = program_of(load(str(file), None, Options(offline=True))).chains
    assert addresses(chain) == ["offline:"]
    assert chain.plan.judges["j"].reasks == 1


@pytest.mark.parametrize(
    ("memory", "setting"), [("recall", "embedder"), ("bookmarks", "small"), ("mem0", "embedder")]
)
def test_offline_is_each_model_that_a_memory_asks_too(
    tmp_path: Path, memory: str, setting: str
) -> None:
    file = tmp_path / "p.toml"
    file.write_text(
        f'world = "flatmates"\n[agents.everyone]\nmemory = "{memory}"\n'
        f'[agents.everyone.{memory}]\n{setting} = "openai:m"\n'
    )
    (chain, *_) = program_of(load(str(file), None, Options(offline=True))).chains
    assert addresses(chain) == ["offline:"]
