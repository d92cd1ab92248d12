"""A command's last word is the name of its files, wherever it appears."""

from __future__ import annotations

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


def module_of(group: str, name: str) -> str:
    folder = COMMANDS[group]
    package = f".{folder.folder}" if isinstance(folder, Group) else ""
    return f"whoknew.engine.terminal{package}.{FILES.get(name, name)}"


@each
def test_the_line_of_help_is_that_of_the_command(group: str, name: str, line: str) -> None:
    module = import_module(module_of(group, name) if group else f"whoknew.engine.terminal.{name}")
    assert (module.command.__doc__ or "").strip().split("\n")[0] == line


ROOT = Path(__file__).parents[3]

FOLDERS = {
    "": "engine/[!st]*",
    "bank": "engine/exams/bank",
    "log": "engine/logs",
    "import": "worlds/importers",
    "export": "worlds/importers",
}
"""Where the logic of a group's commands stands."""

ELSEWHERE = {
    ("", "serve"): "engine/server/serve.py",
    ("", "show"): "engine/travel/show.py",
    ("", "lifelong"): "engine/exams/lifelong/lifelong.py",
    ("", "worlds"): "worlds/shelf.py",
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
