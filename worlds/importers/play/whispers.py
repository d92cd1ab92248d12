"""Who talks with whom alone, as the lines show: at the door, taken aside, in answer to an aside.

Each rule takes the steps of a scene and gives them back, with what it found written into them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeGuard

from msgspec.structs import replace

from whoknew.worlds.importers.play.audience import YOU, Audience, is_aloud
from whoknew.worlds.importers.play.steps import Directed, Spoken, Step, coming, moves_that, names_in

_DOOR = re.compile(r"\bat the (?:door|gate)\b", re.IGNORECASE)
_TO_DOOR = re.compile(r"\b(?:door|gate)\b", re.IGNORECASE)
_THEY_TALK = re.compile(
    r"^they (?:talk|speak|confer|converse|whisper)\b(?:(?= apart| aside| together| privately)|\W*$)",
    re.IGNORECASE,
)
_BACK = re.compile(r"\b(?:break|leave) off\b|\bcome (?:forward|away)\b|\badvanc\w+", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?;:](?:\s|-)+(?P<last>[^.!?]{1,200}\?)\s*$")
"""The last one, which asks."""
_CALLED = (
    r"(?:^|[,.;:!?-])\W{0,3}(?:(?:my|good|dear|noble|sweet|ho|come|now|well|o)\W{1,3}){0,3}"
    r"(?:\w{1,20} )?(?:%s)\s{0,3}(?:[,.;:!?-]|$)"
)
"""How one of some names is called."""


def at_the_door(steps: Sequence[Step]) -> Iterator[Step]:
    """Whoever goes to one at the door talks with that one alone, until they part."""
    at_door: tuple[str, ...] = ()
    with_them: tuple[str, ...] = ()
    for step in steps:
        if isinstance(step, Directed):
            came = coming(step)
            if len(came) == 1 and _DOOR.search(step.text):
                at_door, with_them = came, ()
            elif at_door and _TO_DOOR.search(step.text) and not step.moves:
                with_them = step.speakers[-1:]
            elif set(_leaving(step)) & {*at_door, *with_them} and moves_that(step, "exit"):
                at_door = with_them = ()
        elif at_door and with_them and set(step.speakers) <= {*at_door, *with_them}:
            to = with_them if set(step.speakers) <= set(at_door) else at_door
            step = replace(step, audience=Audience("aside"), to=to)
        yield step


def _leaving(step: Directed) -> tuple[str, ...]:
    named = names_in([one for move in moves_that(step, "exit") for one in move.who])
    return named or step.speakers[-1:]


def taken_aside(steps: Sequence[Step]) -> Iterator[Step]:
    """Those of whom one takes the others aside talk alone, until another speaks, comes or goes. Where
    others speak on before they do, they do not hear these until they speak themselves, come back or
    are called."""
    pair: tuple[str, ...] = ()
    aloof: frozenset[str] = frozenset()
    silent = False
    for at, step in enumerate(steps):
        if isinstance(step, Directed):
            if found := step.pair or _they(steps, at):
                pair, silent = found, True
            elif step.moves or is_aloud(step.text):
                pair = () if not silent or is_aloud(step.text) else pair
                aloof = _still(aloof, step)
        elif silent and pair and not {*step.speakers} & {*pair}:
            aloof, pair = aloof | {*pair}, ()
        elif pair and {*step.speakers, *step.to} <= {*pair} and step.audience.kind != "aside":
            aloof, silent = aloof - {*step.speakers}, False
            to = tuple(name for name in pair if name not in step.speakers)
            step = replace(step, audience=Audience("aside"), to=to)
        elif not {*step.speakers, *step.to} <= {*pair}:
            pair = ()
        if isinstance(step, Spoken) and aloof:
            aloof = _without(aloof, step)
            step = replace(step, deaf=tuple(sorted({*step.deaf, *aloof})))
        yield step


def _they(steps: Sequence[Step], at: int) -> tuple[str, ...]:
    """The two who spoke last, where a direction says of them that they talk apart."""
    step = steps[at]
    if not (isinstance(step, Directed) and _THEY_TALK.match(step.text)):
        return ()
    found: list[str] = []
    for one in reversed(steps[:at]):
        if isinstance(one, Spoken):
            found += [name for name in one.speakers if name not in found]
        if len(found) > 1:
            return tuple(found[:2])
    return ()


def _still(aloof: frozenset[str], step: Directed) -> frozenset[str]:
    """Who still talks apart after a direction: not those whom it brings back, or moves."""
    if is_aloud(step.text):
        return frozenset()
    return aloof - {name for move in step.moves for name in names_in(move.who) or step.speakers}


def _without(aloof: frozenset[str], step: Spoken) -> frozenset[str]:
    """Who still talks apart: nobody, where one of them speaks or is called."""
    called = {*step.speakers} & aloof or _BACK.search(step.text) or _calls(step.text, aloof)
    return frozenset() if called else aloof


def answered_asides(steps: Sequence[Step]) -> Iterator[Step]:
    """The answer to an aside is an aside, too, unless it calls others; what is said to that may be."""
    everybody = {*chain.from_iterable(one.speakers for one in steps if isinstance(one, Spoken))}
    pair: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    answered = False
    for step in steps:
        if isinstance(step, Directed):
            pair = () if step.moves or is_aloud(step.text) else pair
            yield step
            continue
        if step.audience.kind == "aside" and len(step.to) == 1 and len(step.speakers) == 1:
            pair, answered = (*step.speakers, *step.to), False
        elif (
            not pair
            or step.audience.kind != "all"
            or len(step.speakers) != 1
            or step.speakers == last
            or step.speakers[0] not in pair
            or _calls(step.text, everybody - {*pair})
        ):
            pair = ()
        elif answered:
            step, pair = replace(step, unsure=True), ()
        else:
            to = tuple(name for name in pair if name not in step.speakers)
            step, answered = replace(step, audience=Audience("aside"), to=to), True
        last = step.speakers
        yield step


def ended_asides(steps: Sequence[Step]) -> Iterator[Step]:
    """An aside ends where it asks one by name who answers; whether others hear what these two say then is
    open until another speaks, comes or goes."""
    pair: frozenset[str] = frozenset()
    for at, step in enumerate(steps):
        if isinstance(step, Directed):
            pair = frozenset() if step.moves else pair
        elif pair and pair.issuperset(step.speakers) and step.audience.kind == "all":
            step = replace(step, unsure=True, to=tuple(pair.difference(step.speakers)))
        else:
            pair = frozenset()
            if cut := _where_it_ends(steps, at, step):
                place, asked = cut
                yield replace(step, text=step.text[:place].rstrip())
                pair = frozenset((*step.speakers, *asked))
                rest = step.text[place:].lstrip()
                step = replace(step, text=rest, audience=Audience("all"), to=asked, unsure=True)
        yield step


def muttered(steps: Sequence[Step]) -> Iterator[Step]:
    """Of whom it is said in the middle of a speech that he goes aside does not hear the rest of it, unless
    it is said to somebody."""
    aside: tuple[int, tuple[str, ...]] = (0, ())
    for step in steps:
        if isinstance(step, Directed):
            gone = names_in([one for move in moves_that(step, "hide") for one in move.who])
            if gone := tuple(name for name in gone if name not in step.speakers):
                aside = step.number, gone
        elif step.number == aside[0] and not YOU.search(step.text):
            step = replace(step, deaf=tuple(dict.fromkeys((*step.deaf, *aside[1]))))
        yield step


def _where_it_ends(
    steps: Sequence[Step], at: int, step: Spoken
) -> tuple[int, tuple[str, ...]] | None:
    """From which letter on somebody is asked who answers, and who."""
    if step.audience.kind != "aside" or step.to or not step.text.rstrip().endswith("?"):
        return None
    following = next(
        filter(_is_spoken, (steps[place] for place in range(at + 1, len(steps)))), None
    )
    if following is None or following.number != step.number + 1 or len(following.speakers) != 1:
        return None
    for match in _SENTENCE.finditer(step.text):
        if match.end() and _calls(match["last"], following.speakers):
            return match.start("last"), following.speakers
    return None


def _is_spoken(step: Step) -> TypeGuard[Spoken]:
    return isinstance(step, Spoken)


def _calls(text: str, names: Iterable[str]) -> bool:
    """Whether some words call one of these by name."""
    words = {word for name in names for word in name.split() if word.casefold() != "of"}
    if not words:
        return False
    return bool(re.search(_CALLED % "|".join(map(re.escape, sorted(words))), text, re.IGNORECASE))
