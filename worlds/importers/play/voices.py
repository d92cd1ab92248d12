"""Who is heard from off the stage, and who there hears what is said on it: whoever is called, or answers.

Each rule takes the steps of a scene and gives them back, with what it found written into them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from whoknew.worlds.importers.play.people import beginnings, stems
from whoknew.worlds.importers.play.steps import (
    Directed,
    Spoken,
    Step,
    coming,
    moves_that,
    names_in,
)

_CALL = re.compile(r"\b(?:hoa?|holla|hallo|hilloa?)\b", re.IGNORECASE)
_CALLED = re.compile(r"\b(?:voice|calls?|call'd|heard|noise|knocks?)\b", re.IGNORECASE)
_COME = re.compile(
    r"\b(?:who(?:'s| is)? (?:there|within|calls|knocks)|come (?:in|forth|out|down|hither)|what,? hoa?|speak|open)\b",
    re.IGNORECASE,
)
"""What is said to somebody who is not in sight."""
_TO_ONE = re.compile(r"\b(?:you|your|thou|thee|thy|ye)\b", re.IGNORECASE)

_CALLING = 16
"""Words of a call that somebody comes to; those of a longer speech are not all heard."""
_SHORT = 30
"""Words of what is said through a door."""
_ANSWER = 3
"""Words of an answer: who only calls "Madam!" has heard nothing."""
_LATELY = 10
"""Speeches in which whoever talks through a door has spoken."""
_TALK = 4
"""Speeches in which nobody but two has spoken who talk through a door."""


def within(steps: Sequence[Step]) -> Iterator[Step]:
    """Whoever is first heard from off the stage stays there until a direction brings them in, if any does."""
    first: dict[str, bool] = {}
    for step in steps:
        for name in step.speakers if isinstance(step, Spoken) else coming(step):
            first.setdefault(name, isinstance(step, Spoken) and step.voice)
    unseen = {name for name, voice in first.items() if voice} - _shown(steps)
    named, words = {name for step in steps for name in coming(step)}, _coming_words(steps)
    unseen = {name for name in unseen if name in named or words.isdisjoint(stems(name))}
    for step in steps:
        if isinstance(step, Directed):
            unseen -= {*coming(step)}
        elif step.speakers and unseen.issuperset(step.speakers):
            step = replace(step, voice=True)
        yield step


def called_in(steps: Sequence[Step]) -> Iterator[Step]:
    """Whoever comes at a call, or answers from where nobody sees them, has heard it."""
    said = [at for at, step in enumerate(steps) if isinstance(step, Spoken)]
    place = {at: number for number, at in enumerate(said)}
    spoken = Counter(name for step in steps for name in _voices(step))
    unseen = {name for name, count in spoken.items() if count > 1} - _on_stage(steps)
    for at, step in enumerate(steps):
        if isinstance(step, Spoken) and step.audience.kind != "aside":
            first = max(0, place[at] - _LATELY)
            before = [_spoken(steps, one) for one in said[first : place[at]]]
            after = [_spoken(steps, one) for one in said[place[at] + 1 : place[at] + 2]]
            hearing = (
                *_coming_at(steps, at, step),
                *_answering(step, before, after, unseen),
                *_answered(step, before, after, unseen),
            )
            if called := [name for name in dict.fromkeys(hearing) if name not in step.speakers]:
                step = replace(step, called=(*step.called, *called))
        yield step


def _coming_at(steps: Sequence[Step], at: int, step: Spoken) -> tuple[str, ...]:
    """Those who come in at a call: they say so, are called by name, or bidden to come."""
    came = coming(steps[at + 1]) if at + 1 < len(steps) else ()
    if not came or len(step.text.split()) > _CALLING:
        return ()
    answer = steps[at + 2] if at + 2 < len(steps) else None
    if isinstance(answer, Spoken) and set(answer.speakers) <= set(came):
        says_so = _CALLED.search(" ".join(answer.text.split()[:20]))
        if _CALL.search(step.text) and says_so:
            return answer.speakers
    if _COME.search(step.text) and _TO_ONE.search(step.text):
        return came
    return tuple(name for name in came if _is_called(step.text, name))


def _answering(
    step: Spoken, before: Sequence[Spoken], after: Sequence[Spoken], unseen: set[str]
) -> tuple[str, ...]:
    """Those off the stage who speak right behind it: it was for them, or they have talked from there before,
    and answer."""
    for one in after:
        if not one.voice or one.number == step.number:
            return ()
        talked = {name for other in before for name in _voices(other)}
        answers = len(step.text.split()) <= _SHORT and len(one.text.split()) >= _ANSWER
        if answers and talked.issuperset(one.speakers):
            return one.speakers
        return one.speakers if _is_for(step, one.speakers, before, unseen) else ()
    return ()


def _answered(
    step: Spoken, before: Sequence[Spoken], after: Sequence[Spoken], unseen: set[str]
) -> tuple[str, ...]:
    """Those off the stage who spoke right before it, and are answered."""
    for one in before[-1:]:
        if not one.voice or one.number == step.number:
            return ()
        those = one.speakers
        all_along = unseen.issuperset(those)
        if all_along and one.text.rstrip().endswith("?"):
            return those
        goes_on = any(other.speakers == those for other in after)
        if all_along or goes_on or _bids(step, those):
            return those if _is_for(step, those, before, unseen) else ()
    return ()


def _is_for(step: Spoken, those: Sequence[str], before: Sequence[Spoken], unseen: set[str]) -> bool:
    """Whether words are for some who are not in sight: short, and they call them by name or bid them
    speak; or nobody else has spoken of late, which is enough where they are `unseen` in the whole
    scene; or neither is in sight."""
    if step.voice or _bids(step, those):
        return True
    talking = [name for one in before[-_TALK:] for name in one.speakers]
    if not {*talking} <= {*step.speakers, *those}:
        return False
    if unseen.issuperset(those) and talking[-1:] == list(those):
        return True
    return len(step.text.split()) <= _SHORT and bool(_TO_ONE.search(step.text))


def _bids(step: Spoken, those: Sequence[str]) -> bool:
    """Whether few words call some by name, or bid them speak or come."""
    begins = " ".join(step.text.split()[:_CALLING])
    if any(_is_called(begins, name) for name in those):
        return True
    return bool(_COME.search(step.text)) and begins == " ".join(step.text.split())


def _is_called(text: str, name: str) -> bool:
    words = "|".join(re.escape(word) for word in name.split() if len(word) > 2)
    called = rf"(?:^|[,.;!?:] ?|\band )(?:{words})\s*(?:[,.;!?:]|and\b|$)"
    return bool(words and re.search(called, text, re.IGNORECASE))


def _spoken(steps: Sequence[Step], at: int) -> Spoken:
    step = steps[at]
    assert isinstance(step, Spoken)
    return step


def _coming_words(steps: Sequence[Step]) -> set[str]:
    """How the words begin of those directions with which some come in: "Enter the Watch"."""
    texts = [
        step.text for step in steps if isinstance(step, Directed) and moves_that(step, "enter")
    ]
    return {begin for text in texts for begin in beginnings(text)}


def _voices(step: Step) -> tuple[str, ...]:
    return step.speakers if isinstance(step, Spoken) and step.voice else ()


def _on_stage(steps: Sequence[Step]) -> set[str]:
    """Those who speak there."""
    return {
        name
        for step in steps
        if isinstance(step, Spoken) and not step.voice
        for name in step.speakers
    }


def _shown(steps: Sequence[Step]) -> set[str]:
    """Those whom a direction has do something else than speak from off the stage."""
    return {
        name
        for step in steps
        if isinstance(step, Directed)
        for move in step.moves
        if move.doing != "enter"
        for name in names_in(move.who)
    }
