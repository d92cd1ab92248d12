"""Where something is: `make where WORDS="largest request"`; without words, a line for each file.

Searched are the files of the product and what stands in them: classes, functions, constants, by their
names, what is said of them, and the texts that they hold (a message that was seen leads to its place).
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from math import log
from pathlib import Path
from typing import NamedTuple

from whoknew.eventlog.words import sentences, terms

ROOT = Path(__file__).parents[1]

ROOMS = ("eventlog", "worlds", "agents", "engine", "cli.py", "docs", "tests")

SHOWN = 12

NAMED = 3
"""A word in a name, or in what is said of it, counts as much as so many in a text that it holds, or in
what is said of its file."""

OF_FILE = 4
"""A word in the name of a file counts as much: the file is about that."""

WHOLE = 1.5
"""Words that stand somewhere as they are given count this much more."""

BESIDE = 0.6
"""What is found in tests and documents counts this much: most look for what they test and tell of."""

_SCRIPT = re.compile(
    r"^(?P<said>/\*\*(?:(?!\*/)[\s\S])*\*/\n|(?://.*\n)*)"
    r"(?:export )?(?:async )?(?:function|const|class) (?P<name>\w+)",
    re.MULTILINE,
)


class SourcePlace(NamedTuple):
    """A file, or something in it: `said` is what is said of it, `held` the texts in it."""

    path: str
    line: int
    name: str
    said: str
    held: str = ""

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.name else self.path
        first = " ".join(sentences(self.said)[0].split()) if self.said else ""
        return f"{where}  {self.name}  {first}".replace("    ", "  ").rstrip()


def places() -> Iterator[SourcePlace]:
    for room in ROOMS:
        top = ROOT / room
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.name.startswith(("__init__", "test_")):
                continue
            if path.suffix == ".py":
                yield from _in_module(name, ast.parse(path.read_text("utf-8")))
            elif path.suffix in (".js", ".css", ".toml", ".txt", ".md") and path.is_file():
                text = path.read_text("utf-8")
                yield SourcePlace(name, 1, "", text.partition("\n")[0].strip("/*#- "), text)
                if path.suffix == ".js":
                    yield from _in_script(name, text)


def _in_script(path: str, text: str) -> Iterator[SourcePlace]:
    """Its functions and constants: each with the comment above it, and what it holds."""
    found = list(_SCRIPT.finditer(text))
    for one, following in zip_longest(found, found[1:]):
        line = text.count("\n", 0, one.start("name")) + 1
        held = text[one.end() : following.start() if following else None]
        yield SourcePlace(
            path, line, one["name"], one["said"].replace("//", " ").strip(" /*\n"), held
        )


def _in_module(path: str, module: ast.Module) -> Iterator[SourcePlace]:
    yield SourcePlace(path, 1, "", ast.get_docstring(module) or "")
    yield from _in_body(path, module.body, "")


def _in_body(path: str, body: list[ast.stmt], within: str) -> Iterator[SourcePlace]:
    for node, following in zip_longest(body, body[1:]):
        match node:
            case ast.ClassDef(name=name):
                yield SourcePlace(path, node.lineno, within + name, ast.get_docstring(node) or "")
                yield from _in_body(path, node.body, f"{within}{name}.")
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                said = ast.get_docstring(node) or ""
                yield SourcePlace(path, node.lineno, within + name, said, _texts(node))
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield SourcePlace(
                    path, node.lineno, within + name, _said_below(following), _texts(node)
                )


def _said_below(node: ast.stmt | None) -> str:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
    return ""


def _texts(node: ast.AST) -> str:
    constants = (one for one in ast.walk(node) if isinstance(one, ast.Constant))
    return " ".join(one.value for one in constants if isinstance(one.value, str))


def search(words: str) -> list[SourcePlace]:
    """The places that go best with the words, two a file at most: rare words count more, and most if
    all of them stand there as they are given, or one is the very name."""
    found, named, held = _index()
    often = Counter(stem for each in zip(named, held, strict=True) for stem in each[0] | each[1])
    weights = {stem: log(1 + len(found) / often[stem]) for stem in terms(words) if often[stem]}
    scored: list[tuple[float, SourcePlace]] = []
    given = _names_in(words)
    for inside, texts, one in zip(named, held, found, strict=True):
        of_file = _named_by(one.path)
        score = sum(
            weight * (OF_FILE if stem in of_file else NAMED if stem in inside else stem in texts)
            for stem, weight in weights.items()
        )
        score += sum(weights.values()) * WHOLE * (words in f"{one.said} {one.held}")
        score += sum(weights.values()) * NAMED * (one.name.rpartition(".")[2] in given)
        if score:
            scored.append(
                (score * (BESIDE if one.path.startswith(("tests/", "docs/")) else 1), one)
            )
    shown, of_a_file = list[SourcePlace](), Counter[str]()
    for _, one in sorted(scored, key=lambda each: -each[0]):
        of_a_file[one.path] += 1
        if of_a_file[one.path] <= 2 and len(shown) < SHOWN:
            shown.append(one)
    return shown


def _names_in(words: str) -> set[str]:
    """Which of the words can be the very name of something: "How many rows" begins with a capital as any
    sentence does, and does not mean what is called `How`."""
    each = words.split()
    if len(each) > 1 and each[0].istitle():
        del each[0]
    return {word for word in each if "_" in word or not word.islower()}


@cache
def _index() -> tuple[list[SourcePlace], list[set[str]], list[set[str]]]:
    """All places, with the stems of what each is named and what it holds."""
    found = list(places())
    named = [set(terms(_apart(f"{one.path} {one.name} {one.said}"))) for one in found]
    files = {one.path: inside for one, inside in zip(found, named, strict=True) if not one.name}
    held = [set(terms(one.held)) | files[one.path] for one in found]
    return found, named, held


@cache
def _named_by(path: str) -> frozenset[str]:
    """The stems of a file's own name."""
    return frozenset(terms(_apart(Path(path).stem)))


def _apart(names: str) -> str:
    """The words of names: OutOfSpace, sqlite_writer, tests/bench."""
    parts = "".join(f" {sign}" if sign.isupper() else sign for sign in names)
    return f"{names} {parts.replace('_', ' ')} {names.replace('_', ' ')}"


def main(words: str) -> None:
    shown = search(words) if words else [one for one in places() if not one.name]
    try:
        print(
            *shown or [f"nothing goes with {words!r}: try words that it prints"],
            sep="\n",
            flush=True,
        )
    except BrokenPipeError:  # of `make where | head`
        sys.stderr.close()


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
