"""The docs: every example runs, every command and option is there."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_runner import Done, ended, run
from documented import documented, shown
from ollama_server import ollama
from whole_package import with_its_names

from whoknew import cli
from whoknew.agents.models.direction import DIRECTION
from whoknew.engine.exams.document import parse as parse_exam
from whoknew.engine.exams.lifelong.lifelong_exam import LifelongExam
from whoknew.engine.plan.document import parse_plan
from whoknew.eventlog import errors
from whoknew.eventlog.kinds import Kind
from whoknew.worlds import shelf

ROOT = Path(__file__).parent.parent
DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]
ALL = "\n".join(file.read_text("utf-8") for file in DOCS)
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "WHOKNEW_LOG"},
    "COLUMNS": "80",
    "PYTHONIOENCODING": "utf-8",
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
}

TALKING = ("$ whoknew run ", "$ whoknew exam ", "$ pytest ")
"""These tell on stderr how far they are, or what they think of their settings."""

NAMED = re.compile(r"# (\S+\.(?:toml|py))\n")
"""The first line of a block that is a file."""

SHELL = set("|&;<>$*`")
"""What a shell makes something of."""

documents = pytest.mark.parametrize("file", DOCS, ids=lambda file: file.name)


def blocks(file: Path, language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```", file.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


def outputs(file: Path) -> list[str]:
    """The lines that the docs show below commands; `…` stands for what differs from time to time."""
    shown = re.findall(
        r"^```console\n.*?^```\n\n```text\n(.*?)^```",
        file.read_text("utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    return "".join(shown).splitlines()


def commands(group: Any, path: str = "whoknew") -> Iterator[tuple[str, Any]]:
    for name, one in getattr(group, "commands", {}).items():
        yield f"{path} {name}", one
        yield from commands(one, f"{path} {name}")


@documents
def test_a_document_holds_no_mark_of_an_unfinished_merge(file: Path) -> None:
    assert not re.findall(r"^(?:<{7}|={7}|>{7})(?: .*)?$", file.read_text("utf-8"), re.MULTILINE)


@documents
def test_every_python_block_runs(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    with asyncio.Runner() as notebook:
        for block in blocks(file, "python"):
            if NAMED.match(block):
                continue  # a file, which the commands of its page use
            if "from whoknew import" in block:
                with_its_names()
            cell = compile(block, file.name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            waiting = eval(cell, names)
            if waiting is not None:
                notebook.run(waiting)


@documents
def test_a_python_block_that_awaits_outside_a_function_is_said_to_be_for_a_notebook(
    file: Path,
) -> None:
    for block in blocks(file, "python"):
        try:
            compile(block, file.name, "exec")
        except SyntaxError:
            assert file.name == "python.md" or "(python.md#in-a-notebook)" in file.read_text(
                "utf-8"
            )


def test_the_program_on_lives_runs_behind_the_commands_of_its_page_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    new, sit, *_ = blocks(ROOT / "docs/clonemem.md", "console")[0].splitlines()
    run(*shlex.split(new.removeprefix("$ whoknew ")))
    run(*shlex.split(sit.removeprefix("$ whoknew ")), "--only", "nothing")
    life, questions = blocks(ROOT / "docs/clonemem.md", "python")
    names: dict[str, object] = {}
    for program in (f"{life}\n{questions}", life):
        eval(compile(program, "clonemem.md", "exec"), names)


@documents
def test_every_command_of_the_console_blocks_succeeds_and_prints_what_is_shown(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the README as they stand, by a shell; of the others what is one command of ours is run in
    this process: ten times as fast, and no less real."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    in_shell = by_shell if file.name == "README.md" else by_hand
    environment = dict(ENVIRONMENT)
    printed: list[str] = []
    for block in (*blocks(file, "toml"), *blocks(file, "python")):
        if named := NAMED.match(block):
            (tmp_path / named[1]).write_text(block, "utf-8")
    for block in blocks(file, "jsonl"):
        (tmp_path / "questions.jsonl").write_text(block, "utf-8")
    for block in blocks(file, "console"):
        for line in block.splitlines():
            assert line.startswith("$ "), line
            if line.startswith("$ export "):
                name, _, value = line.removeprefix("$ export ").partition("=")
                environment[name] = value
                continue
            code, done = in_shell(line[2:], environment)
            assert code == 0, (line, done.stderr)
            assert not done.stderr or line.startswith(TALKING), (line, done.stderr)
            printed += [one.rstrip() for one in done.stdout.splitlines()]
    for line in outputs(file):
        form = re.escape(line).replace("…", ".*")
        assert any(re.fullmatch(form, one) for one in printed), line


def test_the_sources_that_are_shown_can_be_imported(tmp_path: Path) -> None:
    for language, importer in (("xml", "play"), ("json", "locomo")):
        [text] = blocks(ROOT / "docs" / "imports.md", language)
        source, log = tmp_path / f"source.{language}", tmp_path / f"{importer}.db"
        source.write_text(text, "utf-8")
        done = run("import", importer, source, "--log", log)
        assert "imported 1 world" in done.stdout
    heard = run("show", "source", "--log", tmp_path / "play.db").stdout
    assert "NELL whispers to JOB: Not a word." in heard


def by_shell(line: str, environment: dict[str, str]) -> tuple[int, Done]:
    done = subprocess.run(
        line, shell=True, check=False, env=environment, capture_output=True, encoding="utf-8"
    )
    return done.returncode, Done(done.stdout, done.stderr)


def by_hand(line: str, environment: dict[str, str]) -> tuple[int, Done]:
    name, *words = shlex.split(line)
    if name != "whoknew" or set(line) & SHELL:
        return by_shell(line, environment)
    return ended(*words, environment=environment)


def test_what_the_readme_shows_of_the_demo_is_what_it_prints() -> None:
    done = subprocess.run(
        ["whoknew", "demo"], check=True, env=ENVIRONMENT, capture_output=True, encoding="utf-8"
    )
    printed = {line.rstrip() for line in done.stdout.splitlines()}
    shown = blocks(ROOT / "README.md", "text")[0].splitlines()
    assert [line for line in shown if line not in printed] == []


def test_every_command_and_option_is_in_the_docs() -> None:
    found = list(commands(cli.command()))
    assert len(found) >= 8
    for path, command in found:
        assert path in ALL
        for parameter in command.params:
            for option in parameter.opts:
                assert not option.startswith("--") or option in ALL, f"{path} {option}"


def test_every_kind_of_event_is_in_the_docs() -> None:
    for kind in Kind.__subclasses__():
        if kind.__module__ == Kind.__module__:
            assert f"`{kind.__name__}`" in ALL


def test_the_tree_of_errors_in_the_docs_is_the_one_in_the_code() -> None:
    tree = [line.strip() for line in (errors.__doc__ or "").splitlines() if line.startswith("    ")]
    drawn = [text for text in blocks(ROOT / "docs/log.md", "text") if text.startswith("LogError")]
    assert [line.strip() for text in drawn for line in text.splitlines()] == tree


def test_the_readme_leads_to_every_document() -> None:
    linked = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert {f"docs/{one.name}" for one in (ROOT / "docs").glob("*.md")} <= {*linked}


@documents
def test_every_link_to_a_file_leads_somewhere(file: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", file.read_text("utf-8")):
        assert link.startswith("http") or (file.parent / link).exists(), link


def anchors(file: Path) -> set[str]:
    """What a link into a page can name: its headings, as GitHub spells them."""
    heads = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@documents
def test_every_link_into_a_page_leads_to_a_heading(file: Path) -> None:
    for page, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", file.read_text("utf-8")):
        assert anchor in anchors(file.parent / page if page else file), f"{page}#{anchor}"


def test_the_world_and_the_plan_in_the_docs_are_sound(tmp_path: Path) -> None:
    plan, judges, setting, played = blocks(ROOT / "docs/plans.md", "toml")
    assert shelf.parse(setting, "docs").name == "kitchen"
    ended = setting.replace('goals = { Oda = "Tell nobody that you sell." }\n', "")
    (scenario,) = shelf.parse(f"{ended}\n{played}", "docs").scenarios
    said = [("Say", "", "The stove is sold."), ("Go to", "the pantry", "I shall see to the bread.")]
    assert DIRECTION.findall(scenario.goals["Oda"]) == said
    whole = parse_plan(f"{plan.replace('chains = 20', 'chains = 1')}\n{judges}", "docs").plan
    assert whole.at_once == 8
    assert [one.by for one in whole.judges.values()] == ["dimensions", "checklist", "rules"]


def test_the_parts_in_the_docs_are_those_that_are_tested_when_installed() -> None:
    """`tests/distribution`, whose modules they are."""
    shown = [block for block in blocks(ROOT / "docs/parts.md", "python") if NAMED.match(block)]
    for path in (ROOT / "tests" / "distribution").glob("*.py"):
        assert f"# {path.name}\n{path.read_text('utf-8')}" in shown


def test_the_arms_and_the_bank_in_the_docs_are_sound() -> None:
    arms, bank = blocks(ROOT / "docs/lifelong.md", "toml")
    whole = LifelongExam.template.replace("NAME", "lifelong")
    found = parse_exam(f"{whole}\n{arms}", "docs").arms
    assert [one.name for one in found][-2:] == ["short", "no-negotiation"]
    assert [one.hard for one in shelf.parse_bank(bank, "docs").sketches] == [False, True]


def test_the_model_in_the_docs_is_played_on_a_server_that_speaks_its_protocol(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mymodels.py").write_text(documented("OllamaEntry"), "utf-8")
    plan = tmp_path / "plan.toml"
    plan.write_text(
        f'world = "flatmates"\nlog = "{tmp_path}/l.db"\nepisodes.turns = 4\n'
        '[agents.everyone]\nmemory = "none"\nmodel = "mymodels:OllamaEntry#llama3"\n'
    )
    with ollama() as (url, asked):
        monkeypatch.setenv("OLLAMA_HOST", url)
        run("run", plan)
    assert {one["model"] for one in asked} == {"llama3"}
    assert "text" in asked[0]["format"]["properties"]
    assert "Good evening." in run("show", "flatmates", "--log", tmp_path / "l.db").stdout
    monkeypatch.setenv("OLLAMA_HOST", url)
    told = json.loads(run("doctor", plan, "--json", rc=1).stdout)
    assert any("is not reached" in one["found"] for one in told)


FIRST = ("whoknew new", "whoknew exam new", "whoknew exam run")
"""What others of the examples need."""

NEEDS = (
    "whoknew serve",  # goes on until it is stopped
    "whoknew stop",  # needs a run that is going on
    "whoknew workers",  # needs a database
    "whoknew pause",  # needs a run that is going on
    "whoknew resume",
    "whoknew token revoke",  # needs a token that was given
    "whoknew bank grow",  # needs a model that writes
    "whoknew train",  # needs an exam with arms that are trained
    "whoknew edits",  # needs what such an arm left
    "whoknew import sotopia",
    "whoknew import storyline",
    "whoknew import locomo",
    "whoknew import longmemeval",
    "whoknew import bigtom",
    "whoknew import timechara",
    "whoknew import lifestate",  # these seven need other people's files
    "whoknew export timechara",  # needs an exam on novels
)
"""The examples that need more than a folder with what `there_is_what_examples_need` makes."""


def there_is_what_examples_need() -> None:
    """Plans, a bank, and worlds that were played, one of them with bookmarks and kept prompts."""
    run("run", "midnight-diner")
    bank = (ROOT / "worlds/library/banks/stranger.toml").read_text("utf-8")
    Path("mine.toml").write_text(bank, "utf-8")
    run("import", "play", "the-lamp-room", "--log", "plays.db")
    run("exam", "new", "clonemem", "lives.toml", "--from", "short:1")
    run("exam", "new", "lifestate", "diner.toml", "--from", "midnight-diner")
    plan = shown("bookmarks", "toml", "# bookmarks.toml")
    Path("kept.toml").write_text(f"keep_prompts = true\n{plan}", "utf-8")
    run("run", "kept.toml", "--log", "kept.db")


def order_of(line: str) -> int:
    """The place of an example among the others, some of which need what others wrote."""
    first = next((place for place, one in enumerate(FIRST) if line.startswith(one)), len(FIRST))
    return first + line.startswith("whoknew import")


def test_the_examples_of_help_work_as_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WHOKNEW_LOG", raising=False)
    there_is_what_examples_need()
    examples = [
        (command, command.epilog.removeprefix("\b\nExample: ").replace("\\\n", ""))
        for _, command in commands(cli.command())
        if command.epilog
    ]
    assert len(examples) > 50
    for command, line in sorted(examples, key=lambda one: order_of(one[1])):
        words, _, file = line.partition(" > ")
        if line.startswith(NEEDS):
            command.make_context(line, shlex.split(words.split(f" {command.name} ", 1)[-1]))
        else:
            done = run(*shlex.split(words)[1:])
            if file:
                Path(file).write_text(done.stdout, "utf-8")
            assert "keeps no bookmarks" not in done.stdout
    assert Path("prompts.jsonl").read_text("utf-8")
