"""What a plan can name: ours, what is installed, and what stands beside a plan on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from command_runner import COMMAND, ended, run
from installed_packages import installed
from part_beside import PART, Beside

from whoknew.agents.errors import BadModel
from whoknew.engine import part_code
from whoknew.engine.errors import BrokenPart, NoSuchPart
from whoknew.engine.exams.document import load as load_exam
from whoknew.engine.part_code import is_place
from whoknew.engine.plan.document import load_plan, parse_plan
from whoknew.engine.plan.new import template
from whoknew.engine.plan.parts import defaults, help_of, parts
from whoknew.engine.registry import AGENTS, CONTROLS, EXAMS, KINDS, MEMORIES, MODELS, model
from whoknew.worlds import find
from whoknew.worlds.errors import BadDocument

JUDGE = """
from whoknew.engine.playing.judge import JudgeEntry

class MyEntry(JudgeEntry, frozen=True):
    '''a judge of mine'''

    scale: int

    def __post_init__(self):
        CHECK

    def make(self, bench):
        raise NotImplementedError
"""


def test_every_part_of_ours_has_a_line_of_help_and_settings_that_hold_without_a_plan() -> None:
    for line in parts():
        if line.source == "whoknew":
            assert line.help and line.error is None
    for kind in KINDS:
        for name in kind.ours:
            entry = kind.entry(name)
            assert help_of(entry)
            if kind not in (MODELS, EXAMS):  # an address, and files, have to be given
                assert msgspec.convert(defaults(entry), entry) == entry()


def test_a_memory_beside_a_plan_is_announced_and_played_and_gone_on_with(tmp_path: Path) -> None:
    beside = Beside(tmp_path, "last_played")
    beside.write(f'"{beside.name}" = {{ lines = 2 }}\n')
    dry = run("run", beside.path, "--dry-run")
    assert f"loading {beside.name}, the memory that the plan names" in dry.stderr
    run("run", beside.path)
    (shown, *_) = json.loads(
        run("prompt", "flatmates", "E2.T2", "--log", beside.log, "--json").stdout
    )
    assert shown["memory"] == beside.name
    assert all(call["digest"] == call["called"]["digest"] for call in shown["calls"])
    told = "".join(one["content"] for one in shown["calls"][0]["messages"])
    assert "# What you remember" in told
    assert "1 done already" in run("run", beside.path).stderr
    assert "same story" in run("rerun", "flatmates", "--log", beside.log).stdout


def test_its_settings_are_checked_as_all_others_are(tmp_path: Path) -> None:
    beside = Beside(tmp_path, "last_checked")
    for given, wrong in (
        ("lines = 0", ".lines: is 0, but should be 1 at least"),
        ("linse = 3", ".linse: no such key: did you mean 'lines'?"),
        ('lines = "x"', ".lines: is 'x', but should be a whole number"),
    ):
        beside.write(f'"{beside.name}" = {{ {given} }}\n')
        with pytest.raises(BadDocument, match=r"agents\.everyone") as error:
            load_plan(beside.path)
        assert wrong in str(error.value)


def test_a_change_of_its_settings_is_another_story(tmp_path: Path) -> None:
    beside = Beside(tmp_path, "last_changed")
    run("run", beside.path, "--chains", "1")
    beside.write(f'"{beside.name}" = {{ lines = 2 }}\n')
    code, done = ended("run", beside.path)
    assert code == 1 and f"agents.everyone.{beside.name}.lines was 5 and is 2" in done.stderr


def test_settings_that_a_part_does_not_take_are_a_mistake_of_the_plan(tmp_path: Path) -> None:
    needs = Beside(tmp_path, "last_needs", PART.replace("Meta(ge=1)] = 5", "Meta(ge=1)]"))
    code, done = ended("run", needs.path, "--dry-run")
    assert code == 1 and f'agents.everyone."{needs.name}": ' in done.stderr
    assert "missing required field `lines`" in done.stderr and "Traceback" not in done.stderr

    judge = JUDGE.replace("CHECK", "if self.scale > 3: raise ValueError('scale is too long')")
    (tmp_path / "last_judge.py").write_text(judge)
    for given, wrong in (
        ("", "judges.mine.scale: is missing: give a whole number"),
        ('scale = "x"', "judges.mine.scale: is 'x', but should be a whole number"),
        ("scale = 4", "judges.mine: the judge 'last_judge:MyEntry' does not take its settings: sc"),
    ):
        needs.path.write_text(
            f'world = "flatmates"\n[judges.mine]\nby = "last_judge:MyEntry"\n{given}\n'
        )
        with pytest.raises(BadDocument, match="judges") as error:
            load_plan(needs.path)
        assert wrong in str(error.value) and len(error.value.mistakes) == 1


def test_going_on_after_a_part_has_changed_tells_what_is_not_as_it_was(tmp_path: Path) -> None:
    """In processes of their own: what one has loaded, the next has not."""
    import subprocess

    beside = Beside(tmp_path, "last_renamed")
    beside.write(f'"{beside.name}" = {{ lines = 2 }}\n')

    def told() -> str:
        words = [*COMMAND, "run", "plan.toml"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    told()
    (tmp_path / "last_renamed.py").write_text(
        PART.replace("lines:", "rows:").replace("self.lines", "self.rows")
    )
    beside.write(f'"{beside.name}" = {{ rows = 2 }}\n')
    assert f"agents.everyone.{beside.name}.lines is gone" in told()
    beside.path.write_text(beside.path.read_text().partition("memory =")[0] + 'memory = "none"\n')
    assert f"agents.everyone.memory was {beside.name!r} and is 'none'" in told()


def test_an_examination_takes_the_settings_of_a_memory_that_only_its_list_names(
    tmp_path: Path,
) -> None:
    beside = Beside(tmp_path, "last_listed")
    text = 'exam = "lifelong"\nname = "x"\ngrid.memories = ["NAME"]\n'
    text += '[agents.everyone]\n"NAME" = { lines = 2 }\n'
    beside.path.write_text(text.replace("NAME", beside.name))
    (arm,) = load_exam(beside.path).arms
    assert arm.sides["first"].settings == {beside.name: {"lines": 2}}


def test_a_model_beside_a_plan_that_has_no_name_is_told_so() -> None:
    with pytest.raises(BadModel, match="add #NAME: 'mine:SlowEntry#NAME'"):
        model("mine:SlowEntry")
    with pytest.raises(NoSuchPart, match="that brings an agent"):
        AGENTS.entry("mine:SlowEntry")


def test_only_a_plan_on_the_command_line_has_code_loaded(tmp_path: Path) -> None:
    """Not the log that it was played into, and not whoever sends a plan."""
    beside = Beside(tmp_path, "last_elsewhere")
    with pytest.raises(BadDocument, match="only a plan file that is given on the command line"):
        parse_plan(beside.path.read_text(), "the plan", tmp_path)
    assert not beside.loaded.exists()
    with pytest.raises(NoSuchPart, match="only a plan file"):
        MEMORIES.entry("last_elsewhere:LastEntry")


def test_a_log_has_no_code_loaded(tmp_path: Path) -> None:
    """In a process of its own, which has not played it."""
    import subprocess

    beside = Beside(tmp_path, "last_logged")
    whoknew = lambda *words: subprocess.run(
        [*COMMAND, *words], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert whoknew("run", "plan.toml").returncode == 0
    beside.loaded.unlink()
    for words in (
        ("run", "--world", "flatmates", "--log", "l.db"),
        ("ask", "flatmates", "Petra", "What?", "--log", "l.db", "--memory", beside.name),
        ("prompt", "flatmates", "E2.T2", "--log", "l.db"),
        ("rerun", "flatmates", "--log", "l.db"),
    ):
        done = whoknew(*words)
        assert "only a plan file that is given on the command line" in done.stdout + done.stderr, (
            words
        )
        assert "Traceback" not in done.stderr and not beside.loaded.exists()
    assert whoknew("prompt", "flatmates", "E2.T2", "--log", "l.db").returncode == 0
    for words in (
        ("rerun", "flatmates"),
        ("prompt", "flatmates", "E2.T2"),
        ("ask", "flatmates", "Petra", "What?", "--memory", beside.name),
    ):
        done = whoknew(*words, "--log", "l.db", "--plan", "plan.toml")
        assert done.returncode == 0 and f"loading {beside.name}" in done.stderr, done
        assert "only a plan file" not in done.stdout
    forked = whoknew("fork", "flatmates", "--at", "E1", "--name", "alt", "--log", "l.db").stdout
    assert 'set name = "alt" in that plan' in forked and "run PLAN --log l.db" in forked
    assert "--world" not in forked, "it would be refused"
    refused = whoknew("run", "--world", "alt", "--log", "l.db")
    assert refused.returncode == 1 and "set name = 'alt' in that plan" in refused.stderr
    assert "To go on: " not in refused.stdout, "nothing was begun"
    beside.path.write_text('name = "alt"\n' + beside.path.read_text())
    assert whoknew("run", "plan.toml").returncode == 0


@pytest.mark.parametrize("name", ["recal", "os:system ", "os.path:", ":x", "a b:c", "", "x" * 300])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(NoSuchPart, match="there is no memory"):
        MEMORIES.entry(name)
    assert not is_place(name)


def test_a_package_that_does_not_load_breaks_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    points = {"odd": EntryPoint("odd", "nowhere_at_all:Odd", "whoknew.agents")}
    monkeypatch.setitem(AGENTS.__dict__, "installed", points)
    (odd,) = [line for line in parts() if line.name == "odd"]
    assert odd.error and "nowhere_at_all" in odd.error
    assert "nowhere_at_all" in run("parts").stdout
    with pytest.raises(BrokenPart, match="the agent 'odd' of nowhere_at_all"):
        AGENTS.entry("odd")
    run("--help")


def test_a_package_that_brings_a_part_under_a_name_of_ours_is_told_so(tmp_path: Path) -> None:
    named = ("recall", "last", *CONTROLS.ours)
    points = {"whoknew.memories": dict.fromkeys(named, "rival:LastEntry")}
    with installed(tmp_path, "rival", PART, points):
        ours, theirs = [line for line in parts() if line.name == "recall"]
        assert (ours.source, ours.error) == ("whoknew", None)
        assert theirs.source == "rival 1.0"
        assert theirs.error == "the name 'recall' is taken by one of ours: give it another"
        assert MEMORIES.source("recall") == "whoknew"
        refused = {line.name for line in parts() if line.source == "rival 1.0" and line.error}
        assert refused == {"recall", *CONTROLS.ours}
        assert "is taken by one of ours" in " ".join(run("parts").stdout.split())


def test_nothing_that_is_installed_is_looked_for_where_ours_are_named() -> None:
    """It takes as long as a command to look."""
    import subprocess

    code = (
        "import sys; from whoknew.engine.plan.loading import *; "
        "load('flatmates', None, Options()); from whoknew.engine.registry import KINDS; "
        "print([kind.what for kind in KINDS if 'installed' in kind.__dict__])"
    )
    done = subprocess.run([COMMAND[0], "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_of_ours_takes_a_file_and_a_line_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plans, their template, `parts` and the forecast know of it by these two."""
    text = PART.replace("    lines: Annotated", "    calls_an_episode = 3\n    lines: Annotated")
    (tmp_path / "one_of_ours.py").write_text(
        text.replace("calls_an_episode", "calls_an_episode: ClassVar[int]").replace(
            "import Annotated", "import Annotated, ClassVar"
        )
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(MEMORIES.ours, "ours", "one_of_ours:LastEntry")  # type: ignore[arg-type]
    assert "  ours  the last things that happened\n    lines = 5\n" in run("parts").stdout
    written = template("flatmates")
    assert '"ours" (the' in " ".join(written.split()) and "# ours = { lines = 5 }" in written
    plan = tmp_path / "plan.toml"
    plan.write_text(
        f'world = "flatmates"\nlog = "{tmp_path}/l.db"\n[episodes]\nturns = 2\n'
        '[agents.everyone]\nmemory = "ours"\nours = { lines = 2 }\n'
    )
    calls = {}
    for memory in ("ours", "none"):
        plan.write_text(plan.read_text().replace('"ours"', f'"{memory}"'))
        found = json.loads(run("run", plan, "--dry-run", "--json").stdout)
        calls[memory] = found["models"][0]["calls"]
    people = sum(len(one.cast) for one in find("flatmates").scenarios)
    assert calls["ours"] - calls["none"] == people * 3 * 3, "three calls, each of three tries"


def test_the_place_of_settings_is_no_key(tmp_path: Path) -> None:
    beside = Beside(tmp_path, "last_settings")
    beside.write("settings = {}\n")
    with pytest.raises(BadDocument, match="settings: no such key"):
        load_plan(beside.path)


def test_a_name_that_is_nearly_right_is_told(tmp_path: Path) -> None:
    beside = Beside(tmp_path, "last_nearly")
    right = beside.path.read_text()
    for wrong, meant in (
        ("last_nearly:LastEntri", "did you mean 'LastEntry'?"),
        ("last_nearley:LastEntry", "did you mean 'last_nearly'?"),
    ):
        beside.path.write_text(right.replace(beside.name, wrong))
        with pytest.raises(BadDocument) as error:
            load_plan(beside.path)
        assert meant in str(error.value)


def test_two_files_of_one_name_beside_two_plans_are_not_mixed_up(tmp_path: Path) -> None:
    """A process can have only one module of a name."""
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
    one = Beside(tmp_path / "one", "last_twin")
    other = Beside(tmp_path / "other", "last_twin", PART.replace("last things", "first things"))
    load_plan(one.path)
    with pytest.raises(BrokenPart, match="give one of the two another name") as error:
        load_plan(other.path)
    assert str(tmp_path / "one" / "last_twin.py") in str(error.value)
    assert not other.loaded.exists()
    load_plan(one.path)


TWINS = """
from whoknew.agents.memories.memory import Memory, MemoryEntry, recollection
from whoknew.agents.methods.method import Method, MethodEntry

class Twin(Memory, Method):
    async def recollect(self, now):
        return recollection([], now.budget)

class TwinMemory(MemoryEntry, frozen=True):
    lines: int = 3
    def make(self, owner):
        return Twin()

class TwinMethod(MethodEntry, frozen=True):
    tries: int = 3
    def make(self, owner):
        return Twin()
"""


def test_settings_that_would_be_for_two_parts_of_one_name_are_refused(tmp_path: Path) -> None:
    points = {
        "whoknew.memories": {"twin": "twins:TwinMemory"},
        "whoknew.methods": {"twin": "twins:TwinMethod"},
    }
    plan = 'world = "flatmates"\n[agents.everyone]\nmemory = "twin"\n'
    with installed(tmp_path, "twins", TWINS, points):
        parse_plan(plan + 'method = "twin"\n', "the plan")
        parse_plan(plan + "twin = { lines = 2 }\n", "the plan")
        only_method = plan.replace("memory", "method") + "twin = { tries = 2 }\n"
        assert parse_plan(only_method, "the plan").plan.seat("Petra").settings
        with pytest.raises(
            BadDocument, match=r"everyone\.twin: is the memory and the method of th"
        ):
            parse_plan(plan + 'method = "twin"\ntwin = { lines = 2 }\n', "the plan")


def test_a_package_that_never_finishes_loading_is_told_and_waited_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part_code, "LOADING", 0.05)
    code = "import threading; threading.Event().wait()\n"
    with installed(tmp_path, "endless", code, {"whoknew.memories": {"endless": "endless:Entry"}}):
        (line,) = [line for line in parts() if line.name == "endless"]
        assert line.error and "is not loaded after 0.05 s" in line.error
        monkeypatch.setattr(part_code, "LOADING", 1e6)
        with pytest.raises(BrokenPart, match="is not loaded"):
            MEMORIES.entry("endless")
