"""Who of those that a direction names does something, and to whom it is only done: "Stabs ANA, and exit"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whoknew.worlds.importers.play.people import Mention, PlayPeople

_OF_SOMEBODY = re.compile(r"\b[A-Z]\w*'s?(?= \w)")
_BEGINS_DOING = re.compile(
    r"\W*(?:(?:he|she|then|and|here)\b,? ?)*[a-z]+(?:s|eth|ing)\b", re.IGNORECASE
)
"""A clause that does not begin by saying who does it, or only that "he" does."""
_AT_ONCE = re.compile(r"\s*|,[^,.;]+,\s*")
"""What may stand between somebody and what they do."""
_DOES = re.compile(
    r"(?![^A-Z.;]{0,40}?\bin tears\b)[^A-Z.;]{0,40}?\b(?!(?:his|its|as|is|this|towards)\b)[a-z]+(?:s|eth)\b"
)
_ANEW = re.compile(r"(?:,? (?:and|while|whilst|but|when|as)(?: the)? |, )$")
LISTED = re.compile(r",? (?:and )?(?:the )?")
"""What stands between the names of a list."""


def doers(clause: str, people: PlayPeople) -> tuple[Mention, ...]:
    """Who does what a verb at the end of a clause says, of those who are named in it: nobody whom it only
    acts on, as in "Stabs ANA, and exit"."""
    clause = _OF_SOMEBODY.sub(lambda match: "-" * len(match[0]), clause)
    named = people.mentions(clause)
    begun = bool(_BEGINS_DOING.match(clause)) and not (
        named and not clause[: named[0].start].strip()
    )
    acting = [
        number
        for number, one in enumerate(named)
        if _AT_ONCE.fullmatch(clause[one.end :])
        or (_DOES.match(clause[one.end :]) and (not begun or _begins_anew(clause, named, number)))
    ]
    if not acting:
        return () if begun else tuple(named)
    first = last = acting[-1]
    while first and LISTED.fullmatch(clause[named[first - 1].end : named[first].start]):
        first -= 1
    return tuple(named[first : last + 1])


def _begins_anew(clause: str, named: Sequence[Mention], number: int) -> bool:
    """Whether a name stands where another doing can begin: behind another name, a comma, an "and"."""
    before = clause[: named[number].start]
    beside = number and not before[named[number - 1].end :].strip()
    return bool(beside or _ANEW.search(before))
