"""Files of records that are read whole and checked against what they should hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from whoknew.worlds.errors import BadSource
from whoknew.worlds.whole_file import LARGEST, whole_text

TOO_DEEP = "it goes too deep, lists and objects in one another"


def text_of(path: Path, largest: int = LARGEST) -> str:
    try:
        return whole_text(path, largest=largest)
    except FileNotFoundError:
        raise BadSource(f"{path} is not there") from None
    except IsADirectoryError:
        raise BadSource(f"{path} is a folder: name a file in it") from None
    except UnicodeDecodeError as error:
        raise BadSource(f"{path} is not UTF-8: {error}") from None
    except OSError as error:
        raise BadSource(f"{path} cannot be read: {error.strerror or error}") from None


def files_of(path: Path, pattern: str) -> list[Path]:
    """The file at a path, or all in a folder whose names fit."""
    if not path.exists():
        raise BadSource(f"{path} is not there")
    if not path.is_dir():
        return [path]
    found = sorted(one for one in path.glob(pattern) if one.is_file())
    if not found:
        raise BadSource(f"{path} holds no file {pattern}")
    return found


def decoded(path: Path, kind: Any, what: str) -> Any:
    """The JSON of a file, which must be of a kind."""
    try:
        return msgspec.json.decode(text_of(path), type=kind)
    except msgspec.DecodeError as error:
        raise BadSource(f"{path} is no {what}: {error}") from None
    except RecursionError:
        raise BadSource(f"{path} is no {what}: {TOO_DEEP}") from None
