"""One name for one thing, and arguments by their names: so that nothing has to be decoded."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("eventlog", "worlds", "agents", "engine")

HOT = {"Event"}
"""Made by the million: a name for each argument is time."""


@cache
def trees() -> list[tuple[Path, ast.Module]]:
    files = [file for room in ROOMS for file in sorted((ROOT / room).glob("**/*.py"))]
    return [(file.relative_to(ROOT), ast.parse(file.read_text("utf-8"))) for file in files]


def test_a_class_name_stands_for_one_thing() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(file))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_nothing_with_many_fields_is_made_by_position() -> None:
    found = [
        f"{file}:{node.lineno} {name}"
        for file, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and len(node.args) >= 6
        and not any(isinstance(argument, ast.Starred) for argument in node.args)
        and (name := ast.unparse(node.func).split(".")[-1])[:1].isupper()
        and name not in HOT
    ]
    assert found == []


def test_what_is_logged_is_named_as_a_thing_and_what_became_of_it() -> None:
    found = [
        f"{file}:{node.lineno} {ast.unparse(node.args[0])}"
        for file, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func.value) == "logger()"
    ]
    assert len(found) >= 10
    assert [one for one in found if not re.fullmatch(r"\S+ '[a-z]+\.[a-z]+'", one)] == []


def test_a_file_fits_into_a_readers_head() -> None:
    lengths = {str(file): len((ROOT / file).read_text("utf-8").splitlines()) for file, _ in trees()}
    assert {file: length for file, length in lengths.items() if length > 400} == {}
