"""Names of worlds as names of files: each is one file, in the folder that was named."""

from __future__ import annotations

from pathlib import Path

import pytest

from whoknew.worlds.file_names import as_file_name


@pytest.mark.parametrize(
    "name", ["b/../../../again", "/etc/passwd", "a\\..\\b", "..", "é" * 200, "\0"]
)
def test_any_name_is_one_file_in_its_folder(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{as_file_name(name)}.json"
    file.touch()
    assert list(tmp_path.iterdir()) == [file]


def test_a_plain_name_stays_as_it_is() -> None:
    assert as_file_name("Ana's night, 2") == "Ana's night, 2"
