"""The rooms: who may import whom, and that each is packed."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

MAY_IMPORT = {
    "eventlog": {"eventlog"},
    "worlds": {"worlds", "eventlog"},
    "agents": {"agents", "eventlog"},
    "engine": {"engine", "worlds", "agents", "eventlog"},
    "cli.py": {"engine", "worlds", "agents", "eventlog"},
}


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: import by the full name"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_arrows_point_one_way(room: str) -> None:
    place = ROOT / room
    for file in place.rglob("*.py") if place.is_dir() else [place]:
        for name in imported(file):
            top, _, rest = name.partition(".")
            if top == "whoknew":
                assert rest.partition(".")[0] in MAY_IMPORT[room], f"{file} imports {name}"


def test_every_folder_of_code_is_packed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    rooms = [ROOT / room for room in MAY_IMPORT if (ROOT / room).is_dir()]
    folders = {file.parent for room in rooms for file in room.rglob("*.py")}
    names = {"whoknew", *("whoknew." + ".".join(one.relative_to(ROOT).parts) for one in folders)}
    assert names == set(project["tool"]["setuptools"]["packages"])
    assert all((folder / "__init__.py").exists() for folder in folders)


def test_every_room_is_typed() -> None:
    for room in MAY_IMPORT:
        assert not (ROOT / room).is_dir() or (ROOT / room / "py.typed").exists()
