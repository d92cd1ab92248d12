"""A scene as steps: words that the same people hear, and directions, in their order."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from whoknew.worlds.importers.play.audience import Audience, audience, is_voice, pair
from whoknew.worlds.importers.play.direction import Move, moves
from whoknew.worlds.importers.play.markup import Direction, SceneText, Speech
from whoknew.worlds.importers.play.people import Mention, PlayPeople


class Spoken(Struct, frozen=True, kw_only=True):
    """Words of one speech that are heard by the same people. `number` counts the speeches."""

    number: int
    speakers: tuple[str, ...]
    text: str
    audience: Audience
    to: tuple[str, ...]
    voice: bool
    """Heard from off the stage."""
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
    heard: set[str] = set()  # from elsewhere, as a direction before the speech says
    if shown := [one for one in people.mentions(scene.title) if _is_name(scene.title, one)]:
        (seen,) = moves(scene.title, people, opening=True)[:1]
        there = Move("enter", tuple(shown), asleep=seen.asleep & set(shown))
        yield Directed(0, "", (there,), ())
    for item in scene.items:
        if isinstance(item, Direction):
            yield _directed(item, number, last, people, opening=number == 0)
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
    going: list[Directed] = []
    for part in speech.parts:
        if isinstance(part, Direction):
            to = audience(part.text, people, others) or to
            directed = _directed(part, number, speakers, people)
            voice = is_voice(part.text) or (voice and not directed.moves)
            if any(move.doing == "exit" and move.speaker for move in directed.moves):
                going.append(directed)
            else:
                yield directed
        else:
            whom = tuple(name for one in to.whom for name in one.names)
            yield Spoken(
                number=number,
                speakers=speakers,
                text=part,
                audience=to,
                to=whom,
                voice=voice,
                everybody=named is None,
            )
    yield from going


def _directed(
    direction: Direction,
    number: int,
    speakers: tuple[str, ...],
    people: PlayPeople,
    *,
    opening: bool = False,
) -> Directed:
    found = moves(direction.text, people, opening=opening)
    together = pair(direction.text, people, speakers)
    return Directed(number, direction.text, tuple(found), speakers, together)
