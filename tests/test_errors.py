"""All errors of a room are in its `errors.py`, drawn as a tree at its top."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("eventlog", "worlds", "agents", "engine")

OF_ONE_FILE = {
    "worlds/importers/play/staging.py": {"_Before"},
    "eventlog/stores/sqlite_pages.py": {"_Broken"},
}
"""Signals that a file raises and catches itself: nobody else ever sees them."""


@cache
def classes() -> list[tuple[Path, str, str]]:
    """The file, the name and the first base of each class that has one."""
    return [
        (file.relative_to(ROOT), node.name, ast.unparse(node.bases[0]).split(".")[-1])
        for room in ROOMS
        for file in sorted((ROOT / room).glob("**/*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and node.bases
    ]


@cache
def errors() -> list[tuple[Path, str, str]]:
    bases = {name: base for _, name, base in classes()}

    def is_error(name: str) -> bool:
        known = getattr(builtins, name, None)
        if isinstance(known, type):
            return issubclass(known, BaseException)
        return name in bases and is_error(bases[name])

    return [one for one in classes() if is_error(one[1])]


def test_every_error_is_in_the_errors_of_its_room() -> None:
    elsewhere: dict[str, set[str]] = {}
    for file, name, _ in errors():
        if file.name != "errors.py":
            elsewhere.setdefault(str(file), set()).add(name)
    assert elsewhere == OF_ONE_FILE


def test_the_tree_at_the_top_is_that_of_the_classes() -> None:
    heads = {file for file, _, _ in errors() if file.name == "errors.py"}
    assert len(heads) >= len(ROOMS)
    for file in heads:
        made = {name: base for place, name, base in errors() if place == file}
        wanted = {name: base for name, base in made.items() if base != "Exception"}
        assert dict(drawn(file)) == wanted, file


def drawn(file: Path) -> Iterator[tuple[str, str]]:
    """Each name of the tree but the topmost, with the one that it hangs from."""
    head = ast.get_docstring(ast.parse((ROOT / file).read_text("utf-8"))) or ""
    margin, top = re.findall(r"^( *)(\w+Error)$", head, re.MULTILINE)[0]
    path: list[str] = [top]
    for bars, name in re.findall(rf"^{margin}([│ ]*)[├└]── (\w+)", head, re.MULTILINE):
        del path[1 + len(bars) // 4 :]
        yield name, path[-1]
        path.append(name)
