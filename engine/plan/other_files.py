"""What a file is that is not of the kind which a command takes: told sooner than each of its keys."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Literal

from whoknew.engine.command_text import command_text
from whoknew.engine.errors import WrongPlan
from whoknew.engine.registry import EXAMS
from whoknew.eventlog.nearest import nearest
from whoknew.worlds import shelf
from whoknew.worlds.toml_data import toml_data

Kind = Literal["plan", "exam", "world"]

LIVES = {"bank", "calling", "hard", "memories", "people"}
"""Keys of a plan of lives, from before plans of exams said of which kind they are."""

ARMS = {"arms", "grid"}
"""Keys that exams alone have."""


def check_is(wanted: Kind, path: Path) -> None:
    """A WrongPlan where a file is plainly another: for whoever found mistakes in it."""
    found: Kind | None = None
    with suppress(ValueError):
        found = _kind(set(toml_data(shelf.text_of(path))))
    if found is not None and found != wanted:
        raise WrongPlan(f"{path} {_told(found, path)}")


def _kind(keys: set[str]) -> Kind | None:
    if "exam" in keys or (keys & LIVES and "world" not in keys):
        return "exam"
    if "world" in keys and not keys & ARMS:
        return "plan"
    return "world" if {"characters", "scenarios"} <= keys else None


def _told(found: Kind, path: Path) -> str:
    match found:
        case "exam":
            return f"is the plan of an examination: {command_text('exam run', str(path))}"
        case "world":
            return (
                f'is a world, and no plan: name it in one, world = "{path}", and give that '
                "(`whoknew new PLAN` writes one to start from)"
            )
        case "plan":
            kinds = nearest("", EXAMS.names())
            return (
                f"is a plan to play, and none of an exam: {command_text('run', str(path))}. The plan of "
                f'an exam says of which kind it is, as exam = "questions": {kinds}'
            )
