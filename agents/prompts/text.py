"""Prompts are files of text beside this one; here they are read, once, and filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

from whoknew.agents.lines import one_line

_BLANK = re.compile(r"\{\w+\}")


@cache
def prompt(name: str) -> str:
    """The text of `name.txt`, without the newline at its end."""
    return files("whoknew.agents.prompts").joinpath(f"{name}.txt").read_text("utf-8").rstrip("\n")


def filled(file: str, /, **values: object) -> str:
    """A prompt with its blanks filled in, each by one line: a name is a name, whatever it holds."""
    return _filled(prompt(file), tuple((blank, str(value)) for blank, value in values.items()))


def fixed_texts() -> Iterator[str]:
    """What stands in the files, whatever their blanks are filled in with."""
    for file in files("whoknew.agents.prompts").iterdir():
        if file.name.endswith(".txt"):
            yield from _BLANK.split(file.read_text("utf-8"))


@lru_cache(1024)
def _filled(template: str, values: tuple[tuple[str, str], ...]) -> str:
    return template.format(**{blank: one_line(value) for blank, value in values})
