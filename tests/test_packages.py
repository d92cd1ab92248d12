"""What is installed is what is in the tree: no package forgotten, nothing else taken along."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib.metadata import files, packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest
from built_wheel import ROOMS, ROOT, TESTING, built_wheel

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def python_files() -> set[str]:
    """Every module of the product, as it should be called when it is installed."""
    return set(sources())


def sources() -> dict[str, Path]:
    """Where each of them stands in the tree."""
    found = {path for room in ROOMS for path in ROOT.glob(f"{room}/**/*.py")}
    ours = {
        f"whoknew/{path.relative_to(ROOT)}": path
        for path in {ROOT / "__init__.py", ROOT / "cli.py", *found}
    }
    return ours | {f"whoknew/testing/{path.name}": path for path in TESTING.glob("*.py")}


def test_the_packages_are_those_that_there_are() -> None:
    folders = {Path(name).parent for name in python_files()}
    listed = PROJECT["tool"]["setuptools"]["packages"]
    assert listed == sorted(str(folder).replace("/", ".") for folder in folders)


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {path.parent for path in sources().values()}
    assert [one for one in folders if not (one / "__init__.py").exists()] == []


def imported() -> set[str]:
    """The modules of others that the product imports, wherever in it."""
    names: set[str] = set()
    for path in sources().values():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names.update(module.name for module in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.update(f"{node.module}.{one.name}" for one in node.names)
    ours = {"whoknew", *sys.stdlib_module_names}
    return {name for name in names if name.partition(".")[0] not in ours}


def distribution_of(module: str, installed: Mapping[str, list[str]]) -> str:
    """What is installed to have a module. Several may share its first name, as `google`."""
    names = set(installed[module.partition(".")[0]])
    if len(names) > 1:
        folder = "/".join(module.split(".")[:2]) + "/"
        names = {
            name for name in names if any(str(one).startswith(folder) for one in files(name) or ())
        }
    (name,) = names
    return name


def test_what_is_declared_is_what_is_imported() -> None:
    """Nothing is there only because somebody else needs it, and nothing is installed for nothing."""
    project, installed = PROJECT["project"], packages_distributions()
    extras = project["optional-dependencies"]
    others = (
        "dev",
        "docs",
        "vendors",
        "cluster",
        "train",
    )  # whose packages are imported by name where one is wanted
    wanted = [one for name, extra in extras.items() if name not in others for one in extra]
    declared = {re.split(r"[\[<>=~!;, ]", one)[0] for one in (*project["dependencies"], *wanted)}
    assert {distribution_of(module, installed) for module in imported()} == declared


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_says_that_it_is_typed(room: str) -> None:
    assert (ROOT / room / "py.typed").is_file()


def test_a_wheel_holds_the_modules_and_nothing_but_them(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    wheel = built_wheel(tmp_path_factory)
    names = [name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name]
    assert {name for name in names if name.endswith(".py")} == python_files()
    others = {Path(name).suffix or Path(name).name for name in names} - {".py"}
    assert others <= {
        ".typed",
        "py.typed",
        ".jsonl",
        ".toml",
        ".sql",
        ".txt",
        ".xml",
        ".html",
        ".css",
        ".js",
        ".svg",
    }
    assert {f"whoknew/{room}/py.typed" for room in (*ROOMS, "testing")} <= set(names)


def test_whoever_runs_whoknew_needs_nothing_that_is_for_tests() -> None:
    loading = "import sys; sys.modules.update(dict.fromkeys(('pytest', 'hypothesis')));" + "".join(
        f"import {name.removesuffix('.py').removesuffix('/__init__').replace('/', '.')};"
        for name in sorted(python_files())
        if not name.startswith("whoknew/testing/")
    )
    command = [sys.executable, "-c", loading]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
