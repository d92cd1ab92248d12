"""Leaks put into a world: what somebody said elsewhere, in other words, in the mouth of one who did not
hear it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from msgspec.structs import replace

from whoknew.engine.finding.leaks import SpokenLine
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted
from whoknew.eventlog.story import is_outside_story
from whoknew.eventlog.words import terms

Told = Mapping[str, Mapping[int, int]]

ENOUGH = 5
"""A line with fewer words that mean something gives nothing away."""

WAYS = ("word for word", "reported", "shortened", "reworded", "turned", "all")

OTHER_WORDS = {
    "come": "arrive",
    "dead": "deceased",
    "give": "hand",
    "go": "travel",
    "good": "fine",
    "great": "huge",
    "house": "home",
    "king": "ruler",
    "know": "understand",
    "love": "adore",
    "make": "create",
    "man": "fellow",
    "money": "cash",
    "night": "evening",
    "say": "state",
    "see": "behold",
    "speak": "talk",
    "take": "grab",
    "tell": "inform",
    "think": "believe",
}

OF_OTHERS = {
    **dict.fromkeys(("i", "we"), "they"),
    **dict.fromkeys(("my", "mine", "our", "your", "thy"), "their"),
    **dict.fromkeys(("me", "you", "thou", "thee"), "them"),
}


def reworded(text: str, way: str) -> str:
    """A text as another tells it: by rule."""
    if way == "word for word":
        return text
    said = [OF_OTHERS.get(word.lower().strip(".,;:!?"), word) for word in text.split()]
    if way in ("reworded", "all"):
        said = [OTHER_WORDS.get(word.lower().strip(".,;:!?"), word) for word in said]
    if way in ("shortened", "all"):
        said = [word for place, word in enumerate(said) if place % 4 != 3]
    if way == "turned":
        half = len(said) // 2
        return f"{' '.join([*said[half:], *said[:half]])}. So I heard."
    return f"They say that it was so: {' '.join(said)}"


def spoken(events: Sequence[Event]) -> list[SpokenLine]:
    """All that characters say and do in a world."""
    return [
        SpokenLine(event.seq, event.actor, event.body.text, event.seq)
        for event in events
        if event.actor
        and isinstance(event.body, Acted)
        and event.body.text
        and not is_outside_story(event)
    ]


def telling(events: Sequence[Event]) -> list[Event]:
    """What was said or done in words enough to give something away."""
    return [
        event
        for event in events
        if isinstance(event.body, Acted)
        and not is_outside_story(event)
        and len(terms(event.body.text)) >= ENOUGH
    ]


def unknown(line: SpokenLine, among: Sequence[Event], told: Told, *, later: bool) -> list[Event]:
    """What of this the speaker of a line could not know."""
    known = told.get(line.who, {})
    return [
        event
        for event in among
        if line.who not in event.witnesses
        and known.get(event.seq, line.upto + 1) > line.upto
        and (event.seq > line.upto) == later
    ]


def planted(
    events: Sequence[Event], told: Told, chance: Random, most: int = 40
) -> tuple[list[Event], set[int]]:
    """The events with leaks of what had happened in a quarter of the lines at most, and their seqs."""
    found, seqs = list(events), set[int]()
    lines, among = spoken(events), telling(events)
    places = {event.seq: place for place, event in enumerate(events)}
    for line in chance.sample(lines, min(most, len(lines) // 4)):
        of = [one for one in unknown(line, among, told, later=False) if one.seq not in seqs]
        if of:
            place, chosen = places[line.seq], chance.choice(of)
            body = found[place].body
            assert isinstance(body, Acted)
            text = reworded(chosen.body.words, chance.choice(WAYS))
            found[place] = replace(found[place], body=replace(body, text=text))
            seqs.add(line.seq)
    return found, seqs
