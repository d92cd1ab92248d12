"""Prompts are files of text beside this one; here they are read, once, and filled in."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def prompt(name: str) -> str:
    """The text of `name.txt`, without the newline at its end."""
    return files("whoknew.agents.prompts").joinpath(f"{name}.txt").read_text("utf-8").rstrip("\n")
