"""The pages of the site: the documents of the tree, and what is made of the code as it stands.

The documents keep their places in the tree, so that their links hold here as they do there. Made while
the site is built, and kept nowhere else: a page for each command, of what its `--help` says, and a
reference of the names that each room gives, of signatures and docstrings.
"""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from properdocs.config.defaults import ProperDocsConfig
from properdocs.plugins import event_priority
from properdocs.structure.files import File, Files

from whoknew import cli

ROOT = Path(__file__).parents[1]

ROOMS = ("eventlog", "worlds", "agents", "engine")

MODULES = ("eventlog.kinds", "eventlog.errors", "worlds.errors", "agents.errors", "engine.errors")
"""These are in the reference whole: what there is to catch, and what an event can be."""

ORDER = ("python", "questions", "commands", "runs", "plans", "travel", "imports", "server")
"""The documents that people read first."""


@event_priority(100)  # before the plugin that reads the code has looked at its own settings
def on_config(config: ProperDocsConfig) -> None:
    config.plugins["mkdocstrings"].config.handlers["python"]["paths"] = [str(_copied())]
    documents = sorted((ROOT / "docs").glob("*.md"), key=_rank)
    config.nav = [
        {"Start": "README.md"},
        {"Documents": [f"docs/{page.name}" for page in documents]},
        {"Commands": [f"commands/{_file(path)}.md" for path, _ in commands()]},
        {"Reference": [f"reference/{name}.md" for name in ("whoknew", *ROOMS, *MODULES)]},
        {"Working on it": ["CONTRIBUTING.md", "CHANGELOG.md"]},
    ]


def on_files(files: Files, config: ProperDocsConfig) -> Files:
    for file in [file for file in files if file.src_dir == config.docs_dir]:
        files.remove(file)
    for path in (*documents(), *linked()):
        files.append(File(path, str(ROOT), config.site_dir, config.use_directory_urls))
    for path, text in {**dict(command_pages()), **dict(reference_pages())}.items():
        files.append(File.generated(config, path, content=text))
    return files


def documents() -> list[str]:
    tops = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    return [*tops, *(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))]


def linked() -> set[str]:
    """The files that documents link to, which are taken along."""
    found: set[str] = set()
    for page in documents():
        for link in re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text("utf-8")):
            file = (ROOT / page).parent.joinpath(link).resolve()
            if file.is_file() and file.suffix != ".md":
                found.add(str(file.relative_to(ROOT)))
    return found


def commands(group: Any = None, path: str = "whoknew") -> Iterator[tuple[str, Any]]:
    """Every command, by what a person types."""
    group = group or cli.command()
    yield path, group
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, f"{path} {name}")


def command_pages() -> Iterator[tuple[str, str]]:
    for path, command in commands():
        context = click.Context(command, info_name=path, max_content_width=80, terminal_width=80)
        text = command.get_help(context)
        yield f"commands/{_file(path)}.md", f"# {path}\n\n```text\n{text}\n```\n"


def reference_pages() -> Iterator[tuple[str, str]]:
    lines = [
        "# whoknew",
        "",
        "::: whoknew",
        "    options: {show_root_heading: false, members: false}",
    ]
    lines += ["", *(f"- [`{name}`][whoknew.{room}.{name}]" for room, name in _most_used())]
    yield "reference/whoknew.md", "\n".join(lines)
    for room in ROOMS:
        names = import_module(f"whoknew.{room}").__all__
        told = f"::: whoknew.{room}\n    options: {{show_root_heading: false, members: false}}"
        entries = [f"::: whoknew.{room}.{name}" for name in names]
        yield f"reference/{room}.md", "\n\n".join([f"# whoknew.{room}", told, *entries, ""])
    for module in MODULES:
        told = f"::: whoknew.{module}\n    options: {{show_root_heading: false}}"
        yield f"reference/{module}.md", f"# whoknew.{module}\n\n{told}\n"


def _most_used() -> Iterator[tuple[str, str]]:
    for name in import_module("whoknew").__all__:
        yield next(one for one in ROOMS if name in import_module(f"whoknew.{one}").__all__), name


def _copied() -> Path:
    """A folder with a package `whoknew` in it, and nothing but the code: the tree holds much more,
    all of which would be read."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    package = Path(folder) / "whoknew"
    for room in ROOMS:
        shutil.copytree(ROOT / room, package / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "__init__.py", package)
    return Path(folder)


def _file(path: str) -> str:
    return path.replace(" ", "-")


def _rank(page: Path) -> tuple[int, str]:
    return (ORDER.index(page.stem) if page.stem in ORDER else len(ORDER)), page.stem
