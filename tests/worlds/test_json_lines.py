"""Files with an object a line: every mistake with its line, and nothing that has no end."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from whoknew.eventlog.errors import BadAddress
from whoknew.worlds import json_lines
from whoknew.worlds.errors import BadDocument, BadSource


class Guest(Struct, frozen=True, omit_defaults=True):
    name: str
    age: int | None = None
    rooms: tuple[int | str, ...] = ()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "guests.jsonl"


def mistakes(file: Path, *lines: str | bytes) -> list[str]:
    file.write_bytes(b"\n".join(one if isinstance(one, bytes) else one.encode() for one in lines))
    with pytest.raises(BadDocument) as caught:
        json_lines.read(file, Guest)
    return [str(one).removeprefix(f"{file}:") for one in caught.value.mistakes]


def test_each_line_is_read_with_its_number(file: Path) -> None:
    file.write_text(
        '\ufeff{"name": "Ann"}\n\n  \r\n{"age": null, "name": "Bo", "rooms": [1, "b"]}\r\n'
    )
    found = json_lines.read(file, Guest)
    assert found == [(1, Guest("Ann")), (4, Guest("Bo", None, (1, "b")))]


def test_every_mistake_is_told_with_its_line(file: Path) -> None:
    assert mistakes(
        file,
        '{"name": "Ann", "aeg": 3}',
        '{"name": 3, "rooms": [1, 2.5]}',
        '{"age": 7}',
        "[1]",
        '{"name": "Ann"',
        '{"name": "Ann", "name": "Bo"}',
        '{"name": "Ann", "age": NaN}',
        b'{"name": "\xff"}',
    ) == [
        "1: aeg: no such key: did you mean 'age'? There are: 'name', 'age', 'rooms'",
        '2: name: is 3, but should be a text in quotes, as "..."',
        "2: rooms[1]: is 2.5, but should be a whole number",
        '3: name: is missing: give a text in quotes, as "..."',
        "4: is a list, but should be a table of keys",
        "5: is not JSON: Expecting ',' delimiter, at column 15",
        "6: the key 'name' stands there twice: leave one out",
        "7: NaN is no number of JSON: leave it out",
        "8: is not UTF-8: invalid start byte, at byte 11",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        ("[", '  {"name": "Ann"}', "]"),
        ('[{"name": "Ann"},', ' {"name": "Bo"}]'),
        ('[{"name": "Ann"}]',),
        ("{", '  "name": "Ann"', "}"),
    ],
)
def test_what_is_json_and_not_an_object_a_line_is_told_once(
    file: Path, lines: Sequence[str]
) -> None:
    [told] = mistakes(file, *lines)
    assert told.startswith(
        "1: begins a list, or an object of several lines: put one object on each"
    )


def test_what_no_text_needs_is_refused_wherever_it_stands(file: Path) -> None:
    assert mistakes(
        file,
        '{"name": "A\\u001b[31m"}',
        '{"name": "Ann", "rooms": ["a", "\\ud83d"]}',
        '{"name": "Ann", "x\\u0000": 1}',
        '{"name": "Ann", "age": 1e999}',
        '{"name": "Ann", "age": 99999999999999999999}',
    ) == [
        "1: name: holds the control character U+001B, at character 2: leave it out",
        "2: rooms[1]: holds half of a character U+D83D, at character 1: leave it out",
        "3: has a key that holds the control character U+0000, at character 2: leave it out",
        "4: age: is too large a number",
        "5: age: is too large a number",
    ]


@pytest.mark.parametrize("depth", [9, 100_000])
def test_what_goes_too_deep_is_refused(file: Path, depth: int) -> None:
    [told] = mistakes(file, '{"name": ' + "[" * depth + "]" * depth + "}")
    assert told.endswith("goes deeper than 8 lists and objects in one another")


def test_what_is_too_long_is_told_and_the_lines_after_it_are_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_lines, "LONGEST", 30)
    assert mistakes(file, json.dumps({"name": "A" * 100}), '{"name": 1}') == [
        "1: is longer than 30 bytes: divide it",
        '2: name: is 1, but should be a text in quotes, as "..."',
    ]
    fits = json.dumps({"name": "A" * 18})
    file.write_text(f"{fits}\r\n{fits}\n{fits}")
    assert len(fits) == 30 and len(json_lines.read(file, Guest)) == 3


def test_a_limit_never_cuts_in_silence(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "MOST", 2)
    monkeypatch.setattr(json_lines, "TOLD", 3)
    assert mistakes(file, *['{"name": "Ann"}'] * 5) == [
        "3: has more than 2 lines with this one: divide it"
    ]
    assert mistakes(file, *["{}"] * 5)[3:] == [
        "3: 3 mistakes up to here; what follows was not looked at"
    ]


def test_a_file_without_lines_holds_nothing(file: Path) -> None:
    assert mistakes(file, "", " ") == [" is empty: it should hold an object a line"]
    with pytest.raises(BadSource, match=r"none\.jsonl cannot be read: No such file"):
        json_lines.read(file.with_name("none.jsonl"), Guest)


def test_a_file_is_written_whole_or_not_at_all(file: Path) -> None:
    json_lines.write(file, [Guest("Ann"), Guest("Bo", 7)])
    assert file.read_text() == '{"name":"Ann"}\n{"name":"Bo","age":7}\n'
    with pytest.raises(BadAddress, match="exists already"):
        json_lines.write(file, [Guest("Cy")])
    with pytest.raises(TypeError):
        json_lines.write(file.with_name("b.jsonl"), [Guest("Ann"), Guest(object())])  # type: ignore[arg-type]
    assert [one.name for one in file.parent.iterdir()] == ["guests.jsonl"]
    assert len(json_lines.read(file, Guest)) == 2
    (beside := file.with_name("made.here")).touch()
    assert file.stat().st_mode == beside.stat().st_mode


@given(st.binary(max_size=200))
def test_whatever_bytes_there_are_they_are_read_or_refused(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "any.jsonl"
        file.write_bytes(content)
        with pytest.raises(BadDocument):
            json_lines.read(file, Guest)


def test_what_never_ends_is_not_begun() -> None:
    with pytest.raises(BadSource, match="is no file, and what it holds might never end"):
        json_lines.read(Path("/dev/zero"), Guest)
