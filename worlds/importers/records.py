"""Files of records that are read whole and checked against what they should hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from whoknew.worlds.errors import BadSource


def text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise BadSource(f"{path} is not there") from None
    except IsADirectoryError:
        raise BadSource(f"{path} is a folder: name a file in it") from None
    except UnicodeDecodeError as error:
        raise BadSource(f"{path} is not UTF-8: {error}") from None
    except OSError as error:
        raise BadSource(f"{path} cannot be read: {error.strerror or error}") from None


def decoded(path: Path, kind: Any, what: str) -> Any:
    """The JSON of a file, which must be of a kind."""
    try:
        return msgspec.json.decode(text_of(path), type=kind)
    except msgspec.DecodeError as error:
        raise BadSource(f"{path} is no {what}: {error}") from None
