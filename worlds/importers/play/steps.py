"""A scene as steps: words that the same people hear, and directions, in their order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from whoknew.worlds.importers.play.audience import Audience, audience, is_voice, pair
from whoknew.worlds.importers.play.direction import Move, moves
from whoknew.worlds.importers.play.markup import Direction, SceneText, Speech
from whoknew.worlds.importers.play.people import Mention, PlayPeople

_HAILS = re.compile(
    r"^(?:how now|nay,|what,? ho|hail|welcome|good (?:morrow|day|even))\b", re.IGNORECASE
)
"""How one begins who turns from an aside to others."""
_CALLS = re.compile(r"(?:^|[,.;!?:] ?)(?:\w+ )?$")
_TOGETHER = re.compile(
    r"\b(?:masters|fellows|neighbours|comrades|sirs|lads|boys|brothers|sisters|stand close|stir not)\b|^peace\b",
    re.IGNORECASE,
)
_ADDRESS = 60
"""Letters in which somebody is called."""


class Spoken(Struct, frozen=True, kw_only=True):
    """Words of one speech that are heard by the same people. `number` counts the speeches."""

    number: int
    speakers: tuple[str, ...]
    text: str
    audience: Audience
    to: tuple[str, ...]
    voice: bool
    """Heard from off the stage."""
    unsure: bool = False
    """Others may hear it than it is taken for: it goes on after an aside."""
    everybody: bool = False
    """All who are there speak."""
    deaf: tuple[str, ...] = ()
    """Who is there, and does not hear it."""
    called: tuple[str, ...] = ()
    """Who is not there yet, and hears it."""
    writer: str | None = None
    """Who wrote it, where it is a letter that is read aloud."""


class Directed(Struct, frozen=True):
    number: int
    text: str
    moves: tuple[Move, ...]
    speakers: tuple[str, ...]
    """Who spoke before it, or speaks around it."""
    pair: tuple[str, ...] = ()
    """Two who talk with each other alone from then on."""


Step = Spoken | Directed


def steps_of(scene: SceneText, people: PlayPeople) -> Iterator[Step]:
    """All that is said and directed in a scene."""
    number = 0
    last: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    heard: set[str] = set()  # from elsewhere, as a direction before the speech says
    if shown := [one for one in people.mentions(scene.title) if _is_name(scene.title, one)]:
        (seen,) = moves(scene.title, people, opening=True)[:1]
        there = Move("enter", tuple(shown), asleep=seen.asleep & set(shown))
        yield Directed(0, "", (there,), ())
    for item in scene.items:
        if isinstance(item, Direction):
            yield _directed(item, number, last, people, before, opening=number == 0)
            if is_voice(item.text):
                heard.update(name for one in people.mentions(item.text) for name in one.names)
            continue
        number += 1
        before, last = last, people.speakers(item.speakers) or ()
        yield from _speech(item, number, before, people, voice=any(name in heard for name in last))
        heard.clear()


def _is_name(text: str, mention: Mention) -> bool:
    """Whether a title shows somebody, whose name then stands in capitals."""
    return text[mention.start : mention.end].isupper()


def _speech(
    speech: Speech, number: int, before: tuple[str, ...], people: PlayPeople, *, voice: bool
) -> Iterator[Step]:
    """A speech, cut where a direction stands in it. `before`: who spoke before."""
    named = people.speakers(speech.speakers)
    speakers = named or ()
    others = [name for name in before if name not in speakers]
    to: Audience = Audience("all")
    unsure = False
    going: list[Directed] = []
    called: tuple[str, ...] = ()
    for part in speech.parts:
        if isinstance(part, Direction):
            directed = _directed(part, number, speakers, people, (*called, *others))
            said = audience(part.text, people, (directed.pair and called) or others)
            unsure = said is None and (unsure or to.kind == "aside")
            to = said or (Audience("all") if _leaves(to, directed) else to)
            voice = is_voice(part.text) or (voice and not directed.moves)
            if any(move.doing == "exit" and move.speaker for move in directed.moves):
                going.append(directed)
            else:
                yield directed
        else:
            to = _meant(to, part, speakers, people)
            if unsure and to.kind == "aside" and _HAILS.match(part):
                to = Audience("all")
            whom = names_in(to.whom)
            called = _called_last(part, people)
            yield Spoken(
                number=number,
                speakers=speakers,
                text=part,
                audience=to,
                to=whom,
                voice=voice,
                unsure=unsure and to.kind == "aside",
                everybody=named is None,
            )
    yield from going


def _leaves(to: Audience, step: Directed) -> bool:
    """Whether all go whom an aside is meant for."""
    going = {name for move in moves_that(step, "exit") for name in names_in(move.who)}
    return bool(to.whom) and to.kind == "aside" and going >= {*names_in(to.whom)}


def _meant(to: Audience, text: str, speakers: tuple[str, ...], people: PlayPeople) -> Audience:
    """The same; where it only says "to him", it is whom the words call first; and of one of several who
    are numbered it is the others, where they are called together."""
    if to.kind == "aside" and not to.whom and _TOGETHER.search(text):
        fellows = tuple(one for name in speakers for one in people.fellows(name))
        return replace(to, whom=(Mention(fellows, True, 0, 0),) if fellows else ())
    if not to.whom or any(one.end for one in to.whom):
        return to
    for one in people.mentions(text[:_ADDRESS]):
        if (
            one.certain
            and _CALLS.search(text[: one.start])
            and text[one.end : one.end + 1] in ",.;!?:"
        ):
            return replace(to, whom=(one,))
    return to


def _called_last(text: str, people: PlayPeople) -> tuple[str, ...]:
    """Who is called at the end of some words."""
    ends = text[-_ADDRESS:]
    named = [
        one for one in people.mentions(ends) if one.certain and _CALLS.search(ends[: one.start])
    ]
    return named[-1].names if named else ()


def _directed(
    direction: Direction,
    number: int,
    speakers: tuple[str, ...],
    people: PlayPeople,
    others: tuple[str, ...] = (),
    *,
    opening: bool = False,
) -> Directed:
    found = moves(direction.text, people, opening=opening)
    together = pair(direction.text, people, speakers, others)
    return Directed(number, direction.text, tuple(found), speakers, together)


def moves_that(step: Step, doing: str) -> list[Move]:
    """What of one kind a direction changes."""
    if not isinstance(step, Directed):
        return []
    return [move for move in step.moves if move.doing == doing]


def names_in(mentions: Sequence[Mention]) -> tuple[str, ...]:
    return tuple(name for one in mentions for name in one.names)


def coming(step: Step) -> tuple[str, ...]:
    """Those whom a direction brings in by name."""
    return names_in([one for move in moves_that(step, "enter") for one in move.who])
