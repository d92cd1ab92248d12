"""A report as one page that stands alone: it needs no other file and no script, and nothing in a text
can become a part of it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from urllib.parse import urlencode

from whoknew.engine.logs.csv_cell import spelt

STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff; overflow-wrap: anywhere }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem } h3 { font-size: 1rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; margin: .5rem 0 1.2rem }
caption { text-align: left; font-weight: 600; padding: .3rem .7rem }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap }
th:first-child, td:first-child { text-align: left } td { vertical-align: top }
.words { display: block; text-align: left; white-space: normal; min-width: 13rem; max-width: 34rem }
.paper { color: #777; font-style: italic } .quiet { color: #666 } .warning, .unsafe, .unsafe a { color: #a5302a }
.warning { font-weight: 600 } dt { font-weight: 600 } dd { margin: 0 0 .6rem }
svg { width: 100%; min-width: 38rem; height: auto } a { color: #2a5db0 } summary { cursor: pointer }
:target { outline: 2px solid #2a5db0; outline-offset: 4px }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #181818 } th, td { border-color: #444 }
  a { color: #8ab4f8 } .quiet, .paper { color: #9a9a9a } .warning, .unsafe, .unsafe a { color: #ef8a80 }
  .drawn svg { background: #fff } }
"""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""A page of a report runs nothing and loads nothing, whatever stands in it."""


class Html(str):
    """A part of a page, as it is. Any other text is shown, sign by sign."""

    __slots__ = ()


def document(title: str, parts: Iterable[str]) -> str:
    """The page as a whole."""
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{shown(title)}</title><style>{STYLE}</style>\n{body}\n</html>\n"
    )


def tag(name: str, *inside: str, **attributes: str) -> Html:
    """An element; `class_` is `class`."""
    given = "".join(f' {key.rstrip("_")}="{escape(text)}"' for key, text in attributes.items())
    return Html(f"<{name}{given}>{''.join(map(shown, inside))}</{name}>")


def wide(rows: Iterable[Html], title: str) -> Html:
    """A table, which scrolls where it is wider than the page."""
    return tag("div", tag("table", tag("caption", title), *rows), class_="wide", tabindex="0")


def heads(*names: str) -> Html:
    return row(names, "th")


def row(cells: Iterable[str], kind: str = "td", style: str = "") -> Html:
    inside = [tag(kind, cell) for cell in cells]
    return tag("tr", *inside, class_=style) if style else tag("tr", *inside)


def inline(drawing: bytes) -> Html:
    """A drawing as a part of the page: an SVG that we drew."""
    text = drawing.decode()
    return Html(text[text.index("<svg") :])


def anchor(text: str, address: str, title: str = "") -> Html:
    return tag("a", text, href=address, title=title) if title else tag("a", text, href=address)


def link(viewer: str, world: str, cursor: int, who: str = "") -> str:
    """The address of a moment in the viewer, through somebody's eyes if that is said."""
    query = {"world": world, "at": f"#{cursor}", **({"as": who} if who else {})}
    return f"{viewer.rstrip('/')}/?{urlencode(query)}"


def shown(text: str) -> str:
    return text if isinstance(text, Html) else escape(spelt(text))


def shortened(text: str, most: int) -> str:
    """As much of a text as a cell has room for: what is cut is seen to be."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
