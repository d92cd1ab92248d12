"""A plan to start from, written to a file: `whoknew new`."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from textwrap import wrap
from typing import Any

import msgspec

from whoknew.engine import registry
from whoknew.engine.plan.parts import defaults, form_of, help_of, judges_of
from whoknew.eventlog.archive import becoming
from whoknew.worlds import shelf
from whoknew.worlds.file_names import as_file_name

WIDTH = 96

_GIVEN = re.compile('"(WORLD|CALLED|FILE)"')
"""Where the template says what its world is: a JSON text is one of TOML, too."""


def write_plan(path: Path, world: str) -> None:
    """Write a plan of a world to start from, where there is no file yet."""
    text = template(world)
    with becoming(path) as whole:
        whole.write_text(text, "utf-8")


def template(world: str) -> str:
    """A plan to start from, with every key, what it does, and its default."""
    called = shelf.find(world).name
    given = {"WORLD": world, "CALLED": called, "FILE": f"{as_file_name(called)}.db"}
    text = files("whoknew.engine.plan").joinpath("plan.template.toml").read_text("utf-8")
    text = _GIVEN.sub(lambda key: msgspec.json.encode(given[key[1]]).decode(), text)
    for kind in registry.OF_A_PLAN:
        for what, lines in (("CHOICES", choices(kind)), ("SETTINGS", settings(kind))):
            text = text.replace(f"# {what} {kind.what}\n", "".join(f"# {one}\n" for one in lines))
    return text


def choices(kind: registry.Parts) -> list[str]:
    """What a plan can name, ours, each with its line of help."""
    names = judges_of("episode") if kind is registry.JUDGES else kind.ours
    told = [f'"{form_of(kind, name)}" ({help_of(kind.entry(name))})' for name in names]
    return wrap(", ".join(told), WIDTH, subsequent_indent="  ", break_long_words=False)


def settings(kind: registry.Parts) -> list[str]:
    """The settings of ours, each with what holds without it."""
    given = {name: defaults(kind.entry(name)) for name in kind.ours}
    return [f"{name} = {_inline(keys)}" for name, keys in given.items() if keys]


def _inline(keys: dict[str, Any]) -> str:
    """A table on one line: what JSON and TOML write alike, which settings are made of. TOML has no word
    for nothing."""
    given = {key: value for key, value in keys.items() if value is not None}
    inner = ", ".join(f"{key} = {json.dumps(value)}" for key, value in given.items())
    return f"{{ {inner} }}"
