"""Files of records that are read whole and checked against what they should hold."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from whoknew.worlds.errors import BadSource
from whoknew.worlds.json_lines import loaded, what_is_no_json
from whoknew.worlds.whole_file import LARGEST, whole_text

TOO_DEEP = "it goes too deep, lists and objects in one another"

_HALF = re.compile(r"\\ud[89a-f]", re.IGNORECASE)
"""Half of a character as JSON writes it: with no other half beside it no log can hold it."""


def text_of(path: Path, largest: int = LARGEST) -> str:
    with _telling(path):
        return whole_text(path, largest)


def is_folder(path: Path) -> bool:
    with _telling(path):
        return stat.S_ISDIR(path.stat().st_mode)


def files_of(path: Path, pattern: str) -> list[Path]:
    """The file at a path, or all in a folder whose names fit."""
    if not is_folder(path):
        return [path]
    with _telling(path):
        found = sorted(one for one in path.iterdir() if one.match(pattern) and one.is_file())
    if not found:
        raise BadSource(f"{path} holds no file {pattern}")
    return found


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """A BadSource says why something cannot be read."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError):
        raise BadSource(f"{path} is not there") from None
    except IsADirectoryError:
        raise BadSource(f"{path} is a folder: name a file in it") from None
    except UnicodeDecodeError as error:
        raise BadSource(f"{path} is not UTF-8: {error.reason}, at byte {error.start + 1}") from None
    except OSError as error:
        raise BadSource(f"{path} cannot be read: {error.strerror or error}") from None


def decoded(path: Path, kind: Any, what: str) -> Any:
    """The JSON of a file, which must be of a kind."""
    try:
        return msgspec.convert(json_of(text_of(path)), kind)
    except ValueError as error:
        raise BadSource(f"{path} is no {what}: {error}") from None


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text that hold something, with their numbers. Only a line feed ends one: other
    signs that Python takes for an end may stand in a text in JSON."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def json_of(text: str) -> Any:
    """What stands in a text as JSON; a ValueError says why it cannot be had, also where a key stands
    there twice: one of both would be lost."""
    try:
        data = loaded(text)
        if _HALF.search(text):
            json.dumps(data, ensure_ascii=False).encode()
        return data
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if "\n" in text else ""
        what = f"it is not JSON: {error.msg}, at {line}column {error.colno}"
        raise ValueError(what) from None
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    except ValueError as error:
        raise ValueError(what_is_no_json(error)) from None
