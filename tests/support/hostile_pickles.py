"""What a pickle can do to whoever opens it."""

from __future__ import annotations

from pathlib import Path


class Opens:
    """Unpickled, it leaves a file: so it is seen that it was."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __reduce__(self) -> object:
        return Path.touch, (self._file,)
