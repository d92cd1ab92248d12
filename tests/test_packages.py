"""What is installed is what is in the tree: no package forgotten, nothing else taken along."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]

ROOMS = ("agents", "engine", "eventlog", "worlds")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def python_files() -> set[str]:
    """Every module of the product, as it should be called when it is installed."""
    found = {path for room in ROOMS for path in ROOT.glob(f"{room}/**/*.py")}
    return {f"whoknew/{path.relative_to(ROOT)}" for path in {ROOT / "cli.py", *found}}


def test_the_packages_are_those_that_there_are() -> None:
    folders = {Path(name).parent for name in python_files()}
    listed = PROJECT["tool"]["setuptools"]["packages"]
    assert listed == sorted(str(folder).replace("/", ".") for folder in folders)


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {ROOT / Path(name).parent.relative_to("whoknew") for name in python_files()}
    assert [one for one in folders - {ROOT} if not (one / "__init__.py").exists()] == []


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_says_that_it_is_typed(room: str) -> None:
    assert (ROOT / room / "py.typed").is_file()


def test_a_wheel_holds_the_modules_and_nothing_but_them(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    ignored = shutil.ignore_patterns("__pycache__")
    for room in ROOMS:
        shutil.copytree(ROOT / room, tree / room, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE", "cli.py"):
        shutil.copy(ROOT / name, tree / name)
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = [name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name]
    assert {name for name in names if name.endswith(".py")} == python_files()
    others = {Path(name).suffix or Path(name).name for name in names} - {".py"}
    assert others <= {
        ".typed",
        "py.typed",
        ".toml",
        ".sql",
        ".txt",
        ".xml",
        ".html",
        ".css",
        ".js",
        ".svg",
    }
    assert {f"whoknew/{room}/py.typed" for room in ROOMS} <= set(names)
