"""Parts beside a plan that do not load, or break while they are at work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import COMMAND, ended, run
from part_beside import PART, Beside

from whoknew.engine.plan.document import load_plan
from whoknew.worlds.errors import BadDocument


@pytest.mark.parametrize(
    ("text", "entry", "why"),
    [
        (
            "raise RuntimeError('no licence')",
            "LastEntry",
            "RuntimeError: no licence (FILE, line 1)",
        ),
        ("import nowhere_at_all", "LastEntry", "No module named 'nowhere_at_all' (FILE, line 1)"),
        ("x = 1", "LastEntry", "has no attribute 'LastEntry'"),
        (PART, "Last", "should be a subclass of MemoryEntry, but is the class Last"),
        (f"{PART}\nnumber = 3", "number", "should be a subclass of MemoryEntry, but is a int"),
        ("\ndef (:", "LastEntry", "(FILE, line 2)"),
    ],
)
def test_what_does_not_load_is_told_with_the_reason(
    tmp_path: Path, text: str, entry: str, why: str
) -> None:
    beside = Beside(tmp_path, f"last_{abs(hash((text, entry)))}", text, entry)
    beside.write(f'"{beside.name}" = {{ lines = 2 }}\n')
    why = why.replace("FILE", f"{beside.name.partition(':')[0]}.py")
    code, done = ended("run", beside.path)
    assert code == 1 and why in done.stderr and "agents.everyone.memory" in done.stderr
    assert "no such key" not in done.stderr
    assert "Traceback" not in done.stderr and not beside.log.exists()


def test_a_mistake_in_the_settings_of_one_is_told_with_its_line(tmp_path: Path) -> None:
    text = PART.replace("    lines: Annotated", "    model: str = ''\n    lines: Annotated")
    beside = Beside(tmp_path, "last_asking", text)
    beside.write(f'[agents.everyone."{beside.name}"]\nmodel = "nowhere"\n')
    with pytest.raises(BadDocument) as caught:
        load_plan(beside.path)
    assert f'plan.toml:9: agents.everyone."{beside.name}".model: ' in str(caught.value)


def test_a_part_that_has_been_mended_is_loaded(tmp_path: Path) -> None:
    """In the same process, as in a notebook."""
    beside = Beside(tmp_path, "last_mended", "x = 1")
    for text, why in (("x = 1", "has no attribute"), ("import nowhere_at_all", "nowhere_at_all")):
        (tmp_path / "last_mended.py").write_text(text)
        with pytest.raises(BadDocument, match=why):
            load_plan(beside.path)
    (tmp_path / "last_mended.py").write_text(PART)
    load_plan(beside.path)
    beside.path.write_text(beside.path.read_text().replace("last_mended", "last_nowhere"))
    with pytest.raises(BadDocument, match=f"it is neither in {tmp_path} nor installed"):
        load_plan(beside.path)


def test_one_that_breaks_in_a_run_is_told_with_its_line_and_nothing_is_lost(tmp_path: Path) -> None:
    broken = PART.replace(
        "        first = max", "        raise ValueError('out of paper')\n        first = max"
    )
    beside = Beside(tmp_path, "last_broken", broken)
    code, done = ended("run", beside.path)
    said = done.stdout + done.stderr
    assert code == 1 and "last_broken, line " in said and "ValueError: out of paper" in said
    (tmp_path / "last_broken.py").write_text(PART)


def test_a_memory_that_brings_more_than_its_budget_stops_its_chain_and_loses_nothing(
    tmp_path: Path,
) -> None:
    """What was played stays, and once it is mended the chain goes on."""
    import subprocess

    text = PART.replace("now.budget)", "None)")
    beside = Beside(tmp_path, "last_greedy", text)
    beside.write('budget = 30\n"last_greedy:LastEntry" = { lines = 50 }\n')

    words = [*COMMAND, "run", "plan.toml"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 3 and "suspended" in done.stdout + done.stderr
    assert "tokens to mind where its budget is 30" in done.stdout + done.stderr
    (tmp_path / "last_greedy.py").write_text(PART)
    assert "1 to go on" in run("run", beside.path).stderr
    prompt = ("prompt", "flatmates", "E2.T2", "--log", beside.log)
    (shown,) = json.loads(run(*prompt, "--json").stdout)
    (call,) = shown["calls"]
    assert call["digest"] == call["called"]["digest"] and call["called"]["left_out"] > 0
    assert (
        f"left out for want of room: {call['called']['left_out']:,} tokens" in run(*prompt).stdout
    )


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("raise SystemExit(0)", "SystemExit"),
        (
            "import asyncio; t = asyncio.create_task(asyncio.sleep(9)); t.cancel(); await t",
            "Cancelled",
        ),
    ],
)
def test_one_that_ends_the_process_or_cancels_itself_ends_its_chain_alone(
    tmp_path: Path, broken: str, told: str
) -> None:
    text = PART.replace("        first = max", f"        {broken}\n        first = max")
    beside = Beside(tmp_path, f"last_{told.lower()}", text)
    code, done = ended("run", beside.path, "--chains", "2")
    assert code == 1 and told in done.stdout + done.stderr
    assert "2 chains" in done.stdout + done.stderr


def test_what_a_part_prints_does_not_stand_in_the_json(tmp_path: Path) -> None:
    text = PART.replace("        first = max", "        print('recollecting')\n        first = max")
    beside = Beside(tmp_path, "last_printing", f"{text}\nprint('loading')\n")
    code, done = ended("run", beside.path, "--json")
    assert code == 0 and json.loads(done.stdout)["chains"]
    assert "loading" in done.stderr and "recollecting" in done.stderr


EXAM = """
exam = "scenes"
name = "s"
worlds = ["flatmates"]
[agents.everyone]
memory = "NAME"
[arms.one]
"""


@pytest.mark.parametrize(
    "command",
    [
        ("doctor", "plan.toml"),
        ("prompt", "flatmates", "E1.T1", "--plan", "plan.toml"),
        ("exam", "check", "exam.toml"),
        ("exam", "run", "exam.toml"),
    ],
)
def test_nor_does_what_it_prints_where_it_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = f"last_of_{len(command)}_{command[0]}_{command[1].partition('.')[0]}"
    beside = Beside(tmp_path, name, f"{PART}\nprint('loading')\n")
    (tmp_path / "exam.toml").write_text(EXAM.replace("NAME", beside.name))
    run("run", "flatmates", "--log", beside.log)
    of_log = () if "exam.toml" in command else ("--log", beside.log)
    code, done = ended(*command, *of_log, "--json")
    assert code == 0 and json.loads(done.stdout) and "loading" in done.stderr
