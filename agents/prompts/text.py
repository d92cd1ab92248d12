"""Prompts are files of text beside this one; here they are read, once, and filled in."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

from whoknew.agents.lines import one_line


@cache
def prompt(name: str) -> str:
    """The text of `name.txt`, without the newline at its end."""
    return files("whoknew.agents.prompts").joinpath(f"{name}.txt").read_text("utf-8").rstrip("\n")


def filled(file: str, /, **values: object) -> str:
    """A prompt with its blanks filled in, each by one line: a name is a name, whatever it holds."""
    return _filled(prompt(file), tuple((blank, str(value)) for blank, value in values.items()))


@lru_cache(1024)
def _filled(template: str, values: tuple[tuple[str, str], ...]) -> str:
    return template.format(**{blank: one_line(value) for blank, value in values})
