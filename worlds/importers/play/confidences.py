"""What may be said to some alone, as the lines show: a word with somebody, what is asked after."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from whoknew.worlds.importers.play.people import PlayPeople
from whoknew.worlds.importers.play.steps import Spoken

_A_WORD = re.compile(
    r"\ba word,? (?:with|(?-i:[A-Z]\w+))|\bhark,? (?:good |thee,? |you,? )?(?-i:[A-Z]\w+)",
    re.IGNORECASE,
)
_ASKED_AFTER = re.compile(
    r"^\W*(?:(?:how|ha|why)\W+)?what (?:says?|said|mutters?|whispers?|speaks?|talks?) (?!you|thou|my|your|i\b|we\b)",
    re.IGNORECASE,
)
_YONDER = r"\b(?:yond|yonder|that) (?:\w+ )?$"
_TALK = 4
"""Speeches that a word with somebody can last."""

_END = 60
"""Letters at the end of what is said, that ask for a word."""

Said = list[tuple[int, Spoken]]


def confidences(said: Said, people: PlayPeople) -> Iterator[tuple[int, set[str], str]]:
    """At which steps it is open of whom whether they hear, and why."""
    for order, (at, step) in enumerate(said):
        if order + 1 < len(said):
            following = said[order + 1][1]
            if step.audience.kind == "all" and _ASKED_AFTER.match(following.text):
                yield at, {*following.speakers}, "it is asked after"
        if turned := _in_turn(step, said[max(0, order - 2) : order + 3]):
            yield at, turned, "it is said to one of two in turn"
        if yonder := _yonder(step, people):
            yield at, yonder, "they are spoken of"


def words_apart(said: Said) -> Iterator[tuple[int, set[str]]]:
    """What may be said by two who go apart for a word, until somebody else speaks; with the two."""
    for order, (_, step) in enumerate(said):
        if not _A_WORD.search(step.text[-_END:]):
            continue
        later = said[order + 1 : order + 1 + _TALK]
        other = next((one.speakers for _, one in later if one.number > step.number), ())
        talkers = {*step.speakers, *other}
        for place, one in later:
            if not {*one.speakers} <= talkers:
                break
            yield place, talkers


def _in_turn(step: Spoken, near: Sequence[tuple[int, Spoken]]) -> set[str]:
    """To whom else whoever speaks turns just before or after, with a direction for each."""
    if step.audience.kind != "to" or not step.to:
        return set()
    return {
        name
        for _, one in near
        if one.speakers == step.speakers and one.audience.kind == "to"
        for name in one.to
        if name not in step.to
    }


def _yonder(step: Spoken, people: PlayPeople) -> set[str]:
    """Who is pointed at from afar."""
    return {
        name
        for one in people.mentions(step.text)
        if one.certain
        and re.search(_YONDER, step.text[max(0, one.start - 30) : one.start], re.IGNORECASE)
        for name in one.names
    }
