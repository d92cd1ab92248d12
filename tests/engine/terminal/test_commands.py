"""A command's last word is the name of its files, wherever it appears."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from whoknew.engine.terminal.commands import COMMANDS, FILES, Group


def commands() -> Iterator[tuple[str, str, str]]:
    """The group and the name of each command, and its line of help."""
    for name, line in COMMANDS.items():
        if isinstance(line, Group):
            yield from ((name, inner, told) for inner, told in line.lines.items())
        else:
            yield "", name, line


each = pytest.mark.parametrize(("group", "name", "line"), list(commands()))


def folder_of(group: str) -> str:
    found = COMMANDS.get(group)
    return found.folder if isinstance(found, Group) else ""


def module_of(group: str, name: str) -> str:
    parts = ("whoknew.engine.terminal", folder_of(group), FILES.get(name, name))
    return ".".join(filter(None, parts))


@each
def test_the_line_of_help_is_that_of_the_command(group: str, name: str, line: str) -> None:
    module = import_module(module_of(group, name))
    assert (module.command.__doc__ or "").strip().split("\n")[0] == line


ROOT = Path(__file__).parents[3]

FOLDERS = {
    "": "engine/[!est]*",
    "exam": "engine/exams",
    "bank": "engine/exams/bank",
    "log": "engine/logs",
    "import": "worlds/importers",
    "export": "worlds/importers",
}
"""Where the logic of a group's commands stands."""

ELSEWHERE = {
    ("", "serve"): "engine/server/serve.py",
    ("", "bundle"): "engine/server/bundle.py",
    ("", "show"): "engine/travel/show.py",
    ("", "worlds"): "worlds/shelf.py",
    ("", "pause"): "engine/running/workers.py",
    ("", "resume"): "engine/running/workers.py",
    ("", "train"): "engine/exams/train.py",
    ("", "edits"): "agents/weights/edits.py",
    ("exam", "lives"): "engine/exams/clonemem/lives.py",
    ("export", "csv"): "engine/logs/csv.py",
    ("export", "prompts"): "engine/logs/prompts.py",
    ("export", "rows"): "engine/logs/training_rows.py",
    ("bank", "ls"): "worlds/shelf.py",
    ("bank", "check"): "worlds/shelf.py",
    ("token", "give"): "engine/server/tokens.py",
    ("token", "ls"): "engine/server/tokens.py",
    ("token", "revoke"): "engine/server/tokens.py",
}
"""What is one call of a file that others need, too; and a folder with more than one such file."""


@each
def test_the_logic_of_a_command_is_called_like_it(group: str, name: str, line: str) -> None:
    if (group, name) in ELSEWHERE:
        assert (ROOT / ELSEWHERE[group, name]).exists()
        return
    file, folder = FILES.get(name, name), FOLDERS[group]
    places = [*ROOT.glob(f"{folder}/{file}.py"), *ROOT.glob(f"{folder}/{file}/__init__.py")]
    places += ROOT.glob(f"engine/travel/{file}.py") if not group else []
    assert len(places) == 1, places


@each
def test_each_command_has_a_section_in_the_docs(group: str, name: str, line: str) -> None:
    command = " ".join(filter(None, ("whoknew", group, name)))
    heads = [
        head
        for page in (ROOT / "docs").glob("*.md")
        for head in re.findall(rf"^##+ .*`{command}`.*$", page.read_text("utf-8"), re.MULTILINE)
    ]
    assert len(heads) == 1, heads
    index = (ROOT / "docs/commands.md").read_text("utf-8")
    assert f"[`{command}`](" in index


@each
def test_each_command_has_a_test_of_its_name(group: str, name: str, line: str) -> None:
    folder = Path(__file__).parent / folder_of(group)
    assert (folder / f"test_{FILES.get(name, name)}.py").exists()
