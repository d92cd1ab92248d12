"""Who comes in out of sight, and who alone sees somebody: "Enter a GHOST, visible only to ANA"."""

from __future__ import annotations

import re

from whoknew.worlds.importers.play.people import Mention, PlayPeople

UNSEEN = re.compile(
    r"\b(?:behind|unseen|unperceived|unobserved|invisible|hidden|hiding|lurking|eavesdropping|"
    r"at a distance|aloof|apart|aside|afar off|in ambush)\b",
    re.IGNORECASE,
)
_ALL_UNSEEN = re.compile(rf"^\W*(?:{UNSEEN.pattern})\W*,", re.IGNORECASE)
"""How all come in who are named behind it: "Enter, behind, ANA and BO"."""
_IN_AMBUSH = re.compile(r"\bwith\b[^.;]{1,80}\bin ambush\b", re.IGNORECASE)
_GROUP = re.compile(r"[;:]|\b(?:after (?:him|her|them)|followed by)\b", re.IGNORECASE)
_AFTER_UNSEEN = re.compile(
    rf"(?:{UNSEEN.pattern})[;,] after (?:him|her|them),? (?:the )?$", re.IGNORECASE
)
_FOLLOWED_BY = re.compile(r"\bfollowed\b[^;.]{0,40}\bby (?:the )?$", re.IGNORECASE)
_FOLLOWERS = re.compile(
    r"[;,] (?:and )?(?:then )?(?:after|behind|following|watching) (?:them|him|her)\b|\bfollowed\b[^;.]{0,40}\bby\b",
    re.IGNORECASE,
)
_CLOSE = 80
"""Letters before a name that are looked at."""
SENTENCE = 500
"""So many letters of a sentence are looked through for who comes or goes in it: a text has no end."""

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


def are_unseen(text: str) -> bool:
    """Whether all who come in are out of sight: "Enter, behind, ANA and BO"."""
    return bool(_ALL_UNSEEN.search(text) or _IN_AMBUSH.search(text))


def is_unseen(text: str, one: Mention) -> bool:
    """Whether a name, or the group that it stands in, is said to be out of sight or hearing."""
    followed = _FOLLOWED_BY.search(text[max(0, one.start - _CLOSE) : one.start])
    if UNSEEN.search(until("[;,]", text, one)) or (followed and UNSEEN.search(followed[0])):
        return True
    group = until(_GROUP.pattern, text, one)
    if any(UNSEEN.match(part.strip()) for part in group.split(",")[1:]):
        return True
    return bool(_AFTER_UNSEEN.search(text[max(0, one.start - _CLOSE) : one.start]))


def followers(text: str, people: PlayPeople) -> tuple[str, ...]:
    """Who comes behind others that are named before, unseen by these."""
    match = _FOLLOWERS.search(text)
    after = people.mentions(text[match.end() :]) if match else []
    return tuple(name for one in after for name in one.names)


def until(end: str, text: str, one: Mention) -> str:
    """The words after a name, as far as they can be about it."""
    return re.split(end, behind(text, one), maxsplit=1)[0]


def behind(text: str, one: Mention) -> str:
    return text[one.end : one.end + SENTENCE]
