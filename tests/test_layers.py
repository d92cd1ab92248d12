"""The arrows between the rooms: eventlog < worlds, agents < engine < cli."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

MAY_IMPORT = {
    "eventlog": {"eventlog"},
    "worlds": {"worlds", "eventlog"},
    "agents": {"agents", "eventlog"},
    "engine": {"engine", "agents", "worlds", "eventlog"},
    "cli": {"cli", "engine", "agents", "worlds", "eventlog"},
    "__init__": {"engine", "eventlog"},
}

FILES = sorted(
    path.relative_to(ROOT)
    for path in [
        ROOT / "cli.py",
        ROOT / "__init__.py",
        *(one for room in MAY_IMPORT for one in ROOT.glob(f"{room}/**/*.py")),
    ]
)


def rooms(file: Path) -> set[str]:
    """The rooms that a file imports from, wherever in it."""
    source = (ROOT / file).read_text()
    return {room for name in imported(ast.parse(source), file) if (room := room_of(name))}


def imported(tree: ast.Module, file: Path) -> Iterator[str]:
    package = ["whoknew", *file.parent.parts]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            upward = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*upward, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def room_of(name: str) -> str | None:
    top, *rest = name.split(".")
    if top in MAY_IMPORT:
        raise AssertionError(f"import whoknew.{name}, not {name}: only that is installed")
    return rest[0] if top == "whoknew" and rest else None


@pytest.mark.parametrize("file", FILES, ids=str)
def test_a_file_imports_only_from_rooms_below_its_own(file: Path) -> None:
    own = file.parts[0].removesuffix(".py")
    assert rooms(file) <= MAY_IMPORT[own]


def test_the_rooms_are_those_of_the_design() -> None:
    there = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert there - {"tests"} == set(MAY_IMPORT) - {"cli", "__init__"}


def test_an_arrow_the_wrong_way_would_be_seen() -> None:
    for source in (
        "import whoknew.engine.playing.episode",
        "from whoknew import engine",
        "from whoknew.engine import episode",
        "def later():\n    from ...engine import episode",
        "from ... import engine",
    ):
        found = imported(ast.parse(source), Path("eventlog/stores/sqlite.py"))
        assert {room_of(name) for name in found} == {"engine"}, source


FLOORS = (
    {"command_text", "errors", "opening", "part_code", "presence"},
    {"registry"},
    {"plan", "finding"},
    {"playing"},
    {"running"},
    {"asking", "travel", "judges"},
    {"logs"},
    {"exams"},
    {"server"},
    {"terminal"},
)
"""The rooms of the engine: each may import those below it, and `travel` also those beside it."""

ENGINE = [file for file in FILES if file.parts[0] == "engine" and file.name != "__init__.py"]


def floor_of(room: str) -> int:
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


@pytest.mark.parametrize("file", ENGINE, ids=str)
def test_arrows_inside_the_engine_point_one_way(file: Path) -> None:
    own = file.parts[1].removesuffix(".py")
    tree = ast.parse((ROOT / file).read_text())
    for name in imported(tree, file):
        if name.startswith("whoknew.engine."):
            room = name.split(".")[2]
            low = floor_of(own) == 0
            assert room == own or floor_of(room) < floor_of(own) + low, f"{file} imports {name}"


def test_few_files_of_the_engine_stand_in_no_room() -> None:
    assert len([file for file in FILES if len(file.parts) == 2 and file.parts[0] == "engine"]) <= 7
