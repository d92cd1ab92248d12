"""Plays within plays: which person plays which part, as a direction or a line says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from whoknew.worlds.importers.play.markup import Direction, PlayText, Speech
from whoknew.worlds.importers.play.people import PlayPeople

_APPEARS = re.compile(r"^\s*(?:for|as)(?: the)?\s*$")
_CASTS = re.compile(
    r"\b(?:set down for|must (?:play|take|present|be)|shall (?:play|present))\b", re.IGNORECASE
)
_IS_ONE = re.compile(r"\bI,? one\b", re.IGNORECASE)
_NEAR = 60
"""Letters between a name and the part that is given to it."""


def parts_of(play: PlayText, people: PlayPeople) -> dict[str, str]:
    """Each part that somebody plays, with who does. A part speaks, and is not in the list of
    persons."""
    listed = {
        name for one in people.listed for mention in people.mentions(one) for name in mention.names
    }
    return {
        part: player
        for part, player in _given(play, people)
        if part not in listed and player in listed
    }


def _given(play: PlayText, people: PlayPeople) -> Iterator[tuple[str, str]]:
    for scene in play.scenes:
        for item in scene.items:
            if isinstance(item, Direction):
                yield from _shown(item.text, people)
                continue
            for part in item.parts:
                if isinstance(part, Direction):
                    yield from _shown(part.text, people)
                else:
                    yield from _said(item, part, people)


def _shown(text: str, people: PlayPeople) -> Iterator[tuple[str, str]]:
    """ "Enter QUINCE for the Prologue"."""
    if " for " not in text and " as " not in text:
        return
    named = people.mentions(text, players=True)
    for player, part in pairwise(named):
        if _APPEARS.match(text[player.end : part.start]) and player.certain and part.certain:
            yield part.names[0], player.names[0]


def _said(speech: Speech, text: str, people: PlayPeople) -> Iterator[tuple[str, str]]:
    """ "You, Bottom, are set down for Pyramus"; "I, one Snout by name, present a wall"."""
    for match in _CASTS.finditer(text):
        before = people.mentions(text[max(0, match.start() - _NEAR) : match.start()])
        after = people.mentions(text[match.end() : match.end() + _NEAR])
        if before and after and before[-1].certain and after[0].certain:
            yield after[0].names[0], before[-1].names[0]
    for match in _IS_ONE.finditer(text):
        after = people.mentions(text[match.end() : match.end() + _NEAR])
        speakers = people.speakers(speech.speakers) or ()
        if after and after[0].certain and len(speakers) == 1:
            yield speakers[0], after[0].names[0]
