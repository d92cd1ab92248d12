"""TOML documents, read as a whole."""

from __future__ import annotations

import gc
import tomllib
from time import process_time
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.worlds.document import read
from whoknew.worlds.errors import BadDocument
from whoknew.worlds.lines import LineNumbers
from whoknew.worlds.setting import Part


class Inner(Part, frozen=True):
    name: str
    count: int = 0


class Outer(Part, frozen=True):
    title: str
    kind: Literal["plain", "fancy"] | None = None
    parts: tuple[Inner, ...] = ()
    by_name: dict[str, Inner] = msgspec.field(default_factory=dict)
    share: float = 0.5
    on: bool = False


RIGHT = """
title = "A"          # a comment with ] and } in it
kind = "fancy"
share = 1
parts = [
    { name = "one", count = 1 },

    { name = "two" },
]

[by_name.first]
name = "x"

[by_name."a.b"]
name = '''
y = 3
'''
count = 2
"""


def mistakes(text: str) -> list[tuple[int | None, str, str]]:
    with pytest.raises(BadDocument) as caught:
        read(text, "it.toml", Outer)
    return [(one.line, one.key, one.what) for one in caught.value.mistakes]


def test_what_is_right_is_read() -> None:
    found = read(RIGHT, "it.toml", Outer)
    assert found.parts == (Inner("one", 1), Inner("two"))
    assert found.by_name["a.b"].count == 2


def test_every_mistake_is_told_at_once_with_its_line() -> None:
    text = (
        RIGHT.replace('"fancy"', '"fnacy"')
        .replace("count = 1 }", 'count = "1" }')
        .replace('name = "two"', 'nmae = "two"')
        .replace("count = 2", "count = 2.5")
        .replace("share = 1", "share = true")
    )
    assert mistakes(text) == [
        (3, "kind", "is 'fnacy': did you mean 'fancy'?"),
        (4, "share", "is true, but should be a number"),
        (6, "parts[0].count", "is '1', but should be a whole number"),
        (8, "parts[1].nmae", "no such key: did you mean 'name'? There are: 'name', 'count'"),
        (8, "parts[1].name", 'is missing: give a text in quotes, as "..."'),
        (18, 'by_name."a.b".count', "is 2.5, but should be a whole number"),
    ]


def test_a_table_where_a_text_should_be_is_told() -> None:
    assert mistakes("[title]\na = 1") == [
        (1, "title", 'is a table, but should be a text in quotes, as "..."')
    ]


def test_a_list_where_a_table_should_be_is_told() -> None:
    assert mistakes('title = "A"\nby_name = [1]') == [
        (2, "by_name", "is a list, but should be a table of keys")
    ]


def test_what_is_no_toml_is_told_with_its_place() -> None:
    ((line, key, what),) = mistakes("\ntitle = = 1")
    assert (line, key) == (2, "")
    assert what == "is not TOML: Invalid value, at column 9"


def test_a_key_that_is_not_known_is_told_all_that_there_are() -> None:
    assert mistakes('title = "A"\nxyz = 1') == [
        (2, "xyz", "no such key: there are: 'title', 'kind', 'parts', 'by_name', 'share', 'on'")
    ]


def test_each_mistake_is_told_by_file_line_and_key() -> None:
    with pytest.raises(BadDocument) as caught:
        read("title = 3\n\non = 1", "it.toml", Outer)
    assert str(caught.value).split("\n")[1:] == [
        '  it.toml:1: title: is 3, but should be a text in quotes, as "..."',
        "  it.toml:3: on: is 1, but should be true or false",
    ]


KEYS = st.from_regex(r"[a-z]{1,4}|[a-z]\.[a-z]", fullmatch=True)
LEAVES = st.one_of(
    st.integers(0, 9).map(str),
    st.booleans().map(lambda one: str(one).lower()),
    st.text("ab =[]{}#,'", max_size=6).map(lambda one: f'"{one}"'),
    st.just('"""\nlong = 1\n[x]\n"""'),
    st.just("'''it's\n'''"),
)


def one_line(value: object) -> bool:
    """Whether a value can stand in an inline table, which has no line ends of its own."""
    if isinstance(value, dict):
        return all(map(one_line, value.values()))
    return isinstance(value, str) and "\n" not in value


VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(KEYS, inner.filter(one_line), max_size=3)
    ),
    max_leaves=6,
)


class Writer:
    """Writes TOML, and notes the line of each key."""

    def __init__(self) -> None:
        self.text, self.lines = "", dict[str, int]()

    @property
    def line(self) -> int:
        return self.text.count("\n") + 1

    def table(self, header: str, key: str, table: dict[str, Any]) -> None:
        self.text += "# a comment\n\n"
        if header:
            self.lines[key] = self.line
            self.text += f"{header}\n"
        for name, value in table.items():
            self.pair(key, name, value)
            self.text += "  # end\n"

    def pair(self, key: str, name: str, value: Any) -> None:
        written = f'"{name}"' if "." in name else name
        inner = f"{key}.{written}" if key else written
        self.lines[inner] = self.line
        self.text += f"{written} = "
        self.value(inner, value)

    def value(self, key: str, value: Any) -> None:
        if isinstance(value, list):
            self.text += "[\n"
            for place, one in enumerate(value):
                self.lines[f"{key}[{place}]"] = self.line
                self.value(f"{key}[{place}]", one)
                self.text += ",\n"
            self.text += "]"
        elif isinstance(value, dict):
            self.text += "{ "
            for place, (name, one) in enumerate(value.items()):
                self.text += ", " if place else ""
                self.pair(key, name, one)
            self.text += " }"
        else:
            self.text += value


TABLES = st.dictionaries(KEYS, VALUES, max_size=4)


@given(TABLES, st.lists(TABLES, max_size=3), TABLES)
def test_each_key_is_found_on_its_line(
    top: dict[str, Any], array: list[dict[str, Any]], table: dict[str, Any]
) -> None:
    writer = Writer()
    writer.table("", "", top)
    for place, one in enumerate(array):
        writer.table("[[array]]", f"array[{place}]", one)
    writer.table("[some.table]", "some.table", table)
    tomllib.loads(writer.text)
    lines = LineNumbers(writer.text)
    assert {key: lines.of(key) for key in writer.lines} == writer.lines


def test_a_key_that_is_not_there_is_where_the_nearest_around_it_is() -> None:
    lines = LineNumbers("a = 1\n[[b]]\nc = 2\n")
    assert [lines.of(key) for key in ("b[0].x", "b[7].x", "zzz")] == [2, 2, None]


def test_a_key_of_too_many_parts_is_told_with_its_line() -> None:
    [(line, _, told)] = mistakes(f'title = "A"\n{"a." * 20_000}a = 1')
    assert line == 2
    assert told.startswith("cannot be read: it goes deeper than 32")


def test_lines_of_thousands_of_lists_are_found_as_fast_as_of_few() -> None:
    def took(lists: int) -> float:
        text = "".join(f"[[a{number}]]\n" for number in range(lists))
        gc.disable()  # which goes through what other tests left as well
        try:
            begun = process_time()
            assert LineNumbers(text).of(f"a{lists - 1}[0]") == lists
            return process_time() - begun
        finally:
            gc.enable()

    assert took(8_000) < 30 * took(1_000)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("share = nan", "is nan, but should be a number"),
        ("share = -inf", "is -inf, but should be a number"),
        (
            f"parts = [{{name = 'a', count = {'9' * 400}}}]",
            "is too large a number: no whole number",
        ),
        (f"parts = [{{name = 'a', count = {2**63}}}]", "is too large a number: no whole number"),
        (f"share = {'9' * 5000}", "cannot be read: a number in it has thousands of digits"),
        (f"share = {'[' * 5000}{']' * 5000}", "cannot be read: it goes deeper than 32"),
    ],
)
def test_what_no_document_can_hold_is_told(line: str, what: str) -> None:
    text = line if line.startswith("title") else f'title = "A"\n{line}'
    [(_, _, told)] = mistakes(text)
    assert what in told
