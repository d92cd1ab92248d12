"""Who alone sees somebody that comes: "Enter a GHOST, visible only to ANA"."""

from __future__ import annotations

import re

from whoknew.worlds.importers.play.people import Mention, PlayPeople

_SEEN = "(?:seen|perceived|beheld|observed|visible|perceptible)(?: and (?:heard|audible))?"
_UNSEEN = "(?:unseen|unperceived|unobserved|invisible|hidden)"
_BUT = "(?:but|save|except)"
_WHOM = "[^,.;]{1,60}"

_BY_SOME = re.compile(
    rf"\b(?:{_SEEN} (?:only|but) (?:by|to) ({_WHOM})"
    rf"|{_SEEN} (?:by|of|to) (?:none|nobody|no one|no other) {_BUT} ({_WHOM})"
    rf"|{_SEEN} (?:by|to) ({_WHOM}?) (?:only|alone)\b"
    rf"|{_UNSEEN} (?:by|of|to|from) (?:all|any|everyone|everybody)(?: others?)? {_BUT} ({_WHOM})"
    rf"|{_UNSEEN} {_BUT} (?:by|to) ({_WHOM}))",
    re.IGNORECASE,
)


def seen_by(text: str, people: PlayPeople) -> tuple[str, tuple[Mention, ...]]:
    """The direction with "unseen" in the place of such words; and whom they name."""
    if not (match := _BY_SOME.search(text)):
        return text, ()
    seers = people.mentions(" ".join(filter(None, match.groups())))
    return f"{text[: match.start()]}unseen{text[match.end() :]}", tuple(seers)
