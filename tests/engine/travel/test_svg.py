"""Elements of a picture: whatever a text holds, it stays text."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.engine.travel.svg import element, wrapped


@given(st.text(), st.text())
def test_no_text_ends_its_element_or_its_attribute(inside: str, value: str) -> None:
    made = str(element("text", inside, class_=value))
    read = ET.fromstring(made)
    assert (read.tag, [*read], [*read.attrib]) == ("text", [], ["class"])


def test_what_xml_can_hold_is_read_as_it_was_written() -> None:
    hostile = "</text><script>alert('1')</script> & \"quoted\" 世界"
    read = ET.fromstring(str(element("text", element("title", hostile), "x", id=hostile)))
    assert read.attrib["id"] == read.findtext("title") == hostile


def test_what_xml_cannot_hold_is_shown_as_unknown() -> None:
    assert ET.fromstring(str(element("text", "a\x00b\x1bc\ud800d\uffff"))).text == "a�b�c�d�"


@given(st.text(), st.integers(2, 30), st.integers(1, 4))
def test_lines_are_no_longer_and_no_more_than_they_may_be(text: str, width: int, most: int) -> None:
    lines = wrapped(text, width, most)
    assert len(lines) <= most
    assert all(0 < len(line) <= width for line in lines)
    if not lines or not lines[-1].endswith("…"):
        assert "".join(lines).replace(" ", "") == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three", ["one two", "three"]),
        ("one two three four", ["one two", "three…"]),
        ("a\n b\tc", ["a b c"]),
        ("unbreakable", ["unbreaka", "ble"]),
        ("世界世界世界", ["世界世界", "世界"]),
        ("", []),
    ],
)
def test_words_stay_whole_and_what_is_cut_says_so(text: str, lines: list[str]) -> None:
    assert wrapped(text, 8, 2) == lines


def test_what_turns_text_round_is_spelt_out() -> None:
    assert str(element("text", "the \u202eplace \u2067")) == r"<text>the \u202eplace \u2067</text>"
