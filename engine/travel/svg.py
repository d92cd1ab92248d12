"""Pictures as SVG: elements with attributes and text, which nothing in a text can end."""

from __future__ import annotations

import re
from html import escape
from unicodedata import east_asian_width

from msgspec import Struct

_FOREIGN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML may hold, however it is written."""
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""What turns text round: it is spelt out, as on a terminal and on the page."""


class Element(Struct, frozen=True):
    """A tag with its attributes, and what stands in it."""

    tag: str
    attributes: dict[str, str | float]
    inside: tuple[Element | str, ...]

    def __str__(self) -> str:
        given = "".join(f' {name}="{_text(value)}"' for name, value in self.attributes.items())
        if not self.inside:
            return f"<{self.tag}{given}/>"
        inside = "".join(
            _text(part) if isinstance(part, str) else str(part) for part in self.inside
        )
        return f"<{self.tag}{given}>{inside}</{self.tag}>"


def element(tag: str, *inside: Element | str, **attributes: str | float) -> Element:
    """An attribute's name is written with dashes for its underscores; `class_` is `class`."""
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    return Element(tag, named, inside)


def picture(
    title: str, told: str, style: str, size: tuple[int, int], *inside: Element | str
) -> bytes:
    """A whole file: a picture of this width and height, on paper, `told` to whoever cannot see it."""
    words = element("title", title), element("desc", told)
    return f"{_sheet(words, style, size, *inside)}\n".encode()


def labelled(
    title: str, told: str, style: str, size: tuple[int, int], *inside: Element | str
) -> Element:
    """The same for a page, in which whoever cannot see it is led to its words."""
    words = element("title", title, id="title"), element("desc", told, id="desc")
    return _sheet(words, style, size, *inside, aria_labelledby="title desc")


def _sheet(
    words: tuple[Element, Element],
    style: str,
    size: tuple[int, int],
    *inside: Element | str,
    **attributes: str,
) -> Element:
    width, height = size
    return element(
        "svg",
        *words,
        element("style", style),
        element("rect", class_="paper", width=width, height=height),
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        **attributes,
    )


def wrapped(text: str, width: int, most: int = 1) -> list[str]:
    """A text in at most so many lines of so many columns: signs of some scripts take two."""
    rest, lines = " ".join(text.split()), list[str]()
    while rest and len(lines) < most:
        fits = _fitting(rest, width)
        if fits < len(rest):
            blank = rest.rfind(" ", 0, fits + 1)
            fits = blank if blank > 0 else fits
        lines.append(rest[:fits])
        rest = rest[fits:].lstrip()
    if rest:
        lines[-1] = f"{lines[-1][: _fitting(lines[-1], width - 1)].rstrip()}…"
    return lines


def _fitting(text: str, width: int) -> int:
    """How many of its first signs fit, at least one."""
    taken = 0
    for place, sign in enumerate(text[: width + 1]):
        taken += 2 if east_asian_width(sign) in "WF" else 1
        if taken > width:
            return max(1, place)
    return len(text)


def _text(value: str | float) -> str:
    if not isinstance(value, str):
        return f"{value:g}"
    plain = _TURNING.sub(lambda sign: rf"\u{ord(sign[0]):04x}", value)
    return escape(_FOREIGN.sub("\ufffd", plain))
