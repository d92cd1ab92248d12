"""A plan to start from, written to a file: `whoknew new`."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from whoknew.engine import registry
from whoknew.worlds import shelf


def write_plan(path: Path, world: str | None) -> None:
    """Write a plan to start from, where there is no file yet: of a world, or of an exam."""
    if world is not None:
        shelf.find(world)
    exam = registry.load(registry.EXAMS["lifelong"])
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(exam.template() if world is None else template(world))
    except FileExistsError:
        raise FileExistsError(f"{path} is there already: name a new file") from None


def template(world: str) -> str:
    """A plan to start from, with every key, what it does, and its default."""
    text = files("whoknew.engine.plan").joinpath("plan.template.toml").read_text("utf-8")
    return text.replace("WORLD", world)
