"""What was measured, part by part, as it is kept: a part that is measured again takes the place of
what it was, and nothing else is lost."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from figure import Figure
from msgspec import Struct
from session import ROOT


class Measured(Struct, frozen=True):
    """One part: when, of which commit, on which machine, how large, and its figures."""

    made: str
    commit: str
    size: str
    machine: dict[str, str]
    figures: list[dict[str, Any]]


Result = dict[str, Measured]


def measured(figures: list[Figure], machine: dict[str, str], size: str) -> Measured:
    made = datetime.now(UTC).isoformat(timespec="seconds")
    return Measured(made, _commit(), size, machine, [one.summary() for one in figures])


def kept(path: Path) -> Result:
    """What an earlier bench left; one that cannot be read ends this one before it begins."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Result)
    except (OSError, msgspec.MsgspecError) as error:
        sys.exit(f"{path} is no result of make bench ({error}): give another, or move it away")


def keep(path: Path, result: Result) -> None:
    """Whole or not at all: a bench that is stopped leaves what it had."""
    unnamed = path.with_suffix(".new")
    unnamed.write_bytes(msgspec.json.format(msgspec.json.encode(result)))
    unnamed.replace(path)


def _commit() -> str:
    """The commit that is measured; with a + where there are changes on top of it."""
    try:
        said = [
            subprocess.run(
                ["git", *words], cwd=ROOT, check=True, capture_output=True, text=True
            ).stdout.strip()
            for words in (("rev-parse", "--short", "HEAD"), ("status", "--porcelain"))
        ]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return said[0] + "+" * bool(said[1])
