"""How Sotopia writes an action: `said: "..."`, `[action] ...`, `did nothing`, and so on.

Its newer versions put a blank in front, and before a private one the list of its recipients.
"""

from __future__ import annotations

import re

from whoknew.eventlog.kinds import Acted

NOTHING = "did nothing"
LEFT = "left the conversation"

_PRIVATE = re.compile(r"^ ?\[private to \[(.*?)\]\] ", re.DOTALL)
_SAID = re.compile(r'^said: "(.*)"$', re.DOTALL)
_DONE = re.compile(r"^\[(non-verbal communication|action)\] (.*)$", re.DOTALL)
_NAME = re.compile(r"'((?:[^'\\]++|\\.)*+)(?:'|\\?$)|\"((?:[^\"\\]++|\\.)*+)(?:\"|\\?$)")


def parse(text: str) -> Acted | None:
    """The action that a text says; nothing where it is in no form that Sotopia writes."""
    to: tuple[str, ...] = ()
    if private := _PRIVATE.match(text):
        to = tuple(one or other for one, other in _NAME.findall(private.group(1)))
        text = text[private.end() :]
    text = text.removeprefix(" ")
    if text == NOTHING:
        return Acted(act="none", to=to)
    if text == LEFT:
        return Acted(act="leave", to=to)
    if said := _SAID.match(text):
        return Acted(said.group(1), "speak", to)
    if done := _DONE.match(text):
        act = "action" if done.group(1) == "action" else "non-verbal"
        return Acted(done.group(2), act, to)  # type: ignore[arg-type]
    return None


def write(acted: Acted, *, newer: bool = False) -> str:
    """An action as Sotopia writes it."""
    private = f"[private to {list(acted.to)!r}] " if acted.to else ""
    blank = " " if newer else ""
    return f"{blank}{private}{_plain(acted)}"


def _plain(acted: Acted) -> str:
    match acted.act:
        case "speak":
            return f'said: "{acted.text}"'
        case "leave":
            return LEFT
        case "none":
            return NOTHING
        case "non-verbal":
            return f"[non-verbal communication] {acted.text}"
        case _:
            return f"[action] {acted.text}"
