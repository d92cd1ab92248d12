"""The wheel of the tree, as it is published: built once for all tests of a run."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from made_once import made_once
from waiting import PATIENCE

ROOT = Path(__file__).parents[2]

ROOMS = ("agents", "engine", "eventlog", "worlds")

TESTING = ROOT / "tests" / "testing"
"""What others test their parts with. It stands with our tests, and is installed as `whoknew.testing`."""


def built_wheel(paths: pytest.TempPathFactory) -> Path:
    (wheel,) = made_once(paths, "wheel", _build).glob("*.whl")
    return wheel


def _build(folder: Path) -> None:
    """Of a copy, as building leaves files behind."""
    tree = folder / "tree"
    ignored = shutil.ignore_patterns("__pycache__")
    for path in (*(ROOT / room for room in ROOMS), TESTING):
        shutil.copytree(path, tree / path.relative_to(ROOT), ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE", "__init__.py", "cli.py"):
        shutil.copy(ROOT / name, tree / name)
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
