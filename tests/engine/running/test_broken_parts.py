"""Parts from beside a plan that do not do what their ports ask: each is told, nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import ended, run

CODE = """
from whoknew.agents.agent import AgentEntry
from whoknew.agents.memories.memory import Memory, MemoryEntry, recollection
from whoknew.agents.methods.method import MethodEntry
from whoknew.engine.playing.judge import JudgeEntry

class Heard:
    async def recollect(self, now):
        return recollection([], now.budget)

class HeardEntry(MemoryEntry, frozen=True):
    def make(self, owner):
        return Heard()

class NobodyEntry(AgentEntry, frozen=True):
    def make(self, seating):
        return None

class NoWayEntry(MethodEntry, frozen=True):
    def make(self, owner):
        return None

class NoJudgeEntry(JudgeEntry, frozen=True):
    def make(self, bench):
        return Heard()

class Broken(Memory):
    async def recollect(self, now):
        raise ValueError("out of paper")

class BrokenEntry(MemoryEntry, frozen=True):
    def make(self, owner):
        return Broken()
"""


@pytest.mark.parametrize(
    ("key", "entry", "said"),
    [
        ("memory", "HeardEntry", "a Memory (a class that inherits Memory), but gave Heard"),
        ("agent", "NobodyEntry", "an Agent (a class that inherits Agent), but gave NoneType"),
        ("method", "NoWayEntry", "a Method (with a method ask), but gave NoneType"),
        ("by", "NoJudgeEntry", "a Judge (with a method review), but gave Heard"),
        ("memory", "BrokenEntry", "ValueError: out of paper"),
    ],
)
def test_a_broken_part_is_told_by_a_run_and_by_a_dry_run(
    tmp_path: Path, key: str, entry: str, said: str
) -> None:
    module = f"broken_{entry.lower()}"  # a process has one module of a name
    (tmp_path / f"{module}.py").write_text(CODE)
    plan, log = tmp_path / "plan.toml", tmp_path / "l.db"
    table = "judges.ours" if key == "by" else "agents.everyone"
    plan.write_text(
        f'world = "flatmates"\nlog = "{log}"\n[episodes]\nturns = 3\n'
        f'play = ["boxes", "greenhouse"]\n[{table}]\n{key} = "{module}:{entry}"\n'
    )
    dry = run("run", plan, "--dry-run", rc=1).stderr
    assert said in dry and "rehearsal" in dry and not log.exists()
    code, done = ended("run", plan)
    assert code in (1, 3) and said in done.stdout + done.stderr


JUDGE = """
from whoknew.engine.playing.judge import Judge, JudgeEntry, Verdict

class Wrong(Judge):
    def __init__(self, given):
        self._given = given

    async def review(self, case):
        if self._given:
            return [Verdict("nobody", {"x": 1.0}, "")]
        raise ValueError("no pen")

class PenlessEntry(JudgeEntry, frozen=True):
    judges = ("answer",)
    given: bool = False

    def make(self, bench):
        return Wrong(self.given)

class NobodyEntry(PenlessEntry, frozen=True):
    given: bool = True
"""


def test_a_judge_that_raises_fails_alone_and_the_answer_is_kept(tmp_path: Path) -> None:
    from installed_packages import installed

    points = {"whoknew.judges": {"penless": "pens:PenlessEntry", "gone": "pens:NobodyEntry"}}
    log = tmp_path / "l.db"
    run("run", "flatmates", "--log", log)
    words = ("ask", "flatmates", "Petra", "What?", "--log", log, "--reference", "Boxes.")
    judges = ("--judge", "penless", "--judge", "gone", "--judge", "reference")
    with installed(tmp_path, "pens", JUDGE, points):
        found = json.loads(run(*words, *judges, "--json", rc=1).stdout)
    assert found["answer"] and found["calls"] and found["probe"]
    assert found["verdicts"]["penless"]["reason"] == "pens, line 12: ValueError: no pen"
    assert "a verdict on 'nobody'" in found["verdicts"]["gone"]["reason"]
    assert found["verdicts"]["reference"]["scores"]
