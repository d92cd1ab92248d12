"""A command's last word is the name of its files, wherever it appears."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

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
