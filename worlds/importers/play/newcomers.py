"""Who has just come in, and may not hear yet what those say who were there, or the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from whoknew.worlds.importers.play.audience import ABSENT, YOU
from whoknew.worlds.importers.play.changes import Staged
from whoknew.worlds.importers.play.people import PlayPeople
from whoknew.worlds.importers.play.steps import Directed, Spoken

_COMES = re.compile(
    r"\b(?:look|see|lo|behold|here|yonder|there|where|but|soft)\b[^.!?]{0,60}?\b(?:comes?|coming|approach\w*)\b"
    r"|\bcomes\W*\n|\bas (?:they|he|she) (?:pass|comes?)\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"\b(?:welcome|how now|hail|good (?:morrow|day|even|night|den|time)|save (?:you|thee)|what news|"
    r"well met|god|what,|who(?:'s| is)? (?:there|comes)|stand|holla|ho|speak)\b",
    re.IGNORECASE,
)
_THEM = re.compile(r"\b(?:he|she|they|his|him|them)\b", re.IGNORECASE)
_NEAR = 80
"""Letters before and after an entrance that speak of it."""
_BEGINS = 8
"""Words in which somebody is greeted."""


def newly_come(staged: Sequence[Staged], people: PlayPeople) -> Iterator[tuple[int, set[str]]]:
    """At which steps it is open whether some hear: those who come in, of whom others speak as they
    do; and those who were there, while several who come talk with each other."""
    came: set[str] = set()
    there: set[str] = set()
    musing = False
    for at, one in enumerate(staged):
        new = {change.who for change in one.changes if change.how == "enter"}
        if isinstance(one.step, Directed):
            came = new or (set() if one.changes else came)
            musing = musing and not one.changes
        elif came:
            others = there - came
            if not others or _greets(
                one.step, came if {*one.step.speakers} <= others else others, people
            ):
                came = set()
            elif {*one.step.speakers} <= came:
                musing = _is_musing(one.step.text)
                following = _next(staged, at)
                if following and {*following.speakers} <= came - {*one.step.speakers}:
                    yield at, others
            else:
                of_them = musing and _is_of_somebody(one.step.text)
                if of_them or _speaks_of_them(staged, at):
                    yield at, came
                came = came if of_them else set()
        _move(one, there)


def _is_musing(text: str) -> bool:
    """Whether one who comes in says something to nobody."""
    return len(text.split()) >= _BEGINS and "?" not in text and not YOU.search(text)


def _is_of_somebody(text: str) -> bool:
    """Whether words speak of somebody before they speak to anybody."""
    them, you = _THEM.search(text), YOU.search(text)
    return them is not None and (you is None or them.start() < you.start())


def _move(one: Staged, there: set[str]) -> None:
    """Who is there and can be seen, after a step."""
    for change in one.changes:
        if change.how in ("exit", "die", "hide", "hidden"):
            there.discard(change.who)
        else:
            there.add(change.who)


def _speaks_of_them(staged: Sequence[Staged], at: int) -> bool:
    """Whether what is said as some come in says that they do, and is about them."""
    step = staged[at].step
    assert isinstance(step, Spoken)
    said = [one.step for one in staged[max(0, at - 2) : at] if isinstance(one.step, Spoken)]
    around = f"{said[-1].text[-_NEAR:] if said else ''}\n{step.text[:_NEAR]}"
    goes_on = bool(said) and said[-1].number == step.number
    return bool(_COMES.search(around) and (goes_on or ABSENT.search(step.text)))


def _greets(step: Spoken, whom: set[str], people: PlayPeople) -> bool:
    """Whether words begin by greeting or calling some of these."""
    begins = " ".join(step.text.split()[:_BEGINS])
    if _GREETING.search(begins):
        return True
    return any(
        {*one.names} & whom and begins[one.end : one.end + 1] in (",", "!", "?", ":", ".")
        for one in people.mentions(begins)
        if one.certain
    )


def _next(staged: Sequence[Staged], at: int) -> Spoken | None:
    """The next speech, where nobody comes or goes before it."""
    number = staged[at].step.number
    for one in staged[at + 1 :]:
        if one.changes:
            return None
        if isinstance(one.step, Spoken) and one.step.number > number:
            return one.step
    return None
