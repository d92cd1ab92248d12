"""Letters that are read aloud in a scene, and who wrote them: by what stands under a letter, or by what is
said of it close by. Where neither tells, whoever reads it speaks for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from whoknew.worlds.importers.play.people import Mention, PlayPeople
from whoknew.worlds.importers.play.steps import Directed, Spoken, Step

_READS = re.compile(r"\b(?:reads|readeth|reading|read)\b", re.IGNORECASE)
_NO_LETTER = re.compile(
    r"\b(?:books?|prayer-?books?|to (?:him|her|them)sel(?:f|ves)|silently)\b", re.IGNORECASE
)
_LETTER = re.compile(r"\b(?:letters?|papers?|scrolls?|notes?|missives?|epistles?)\b", re.IGNORECASE)
_QUOTED = re.compile(r"\s*['\"\u2018\u201c]")
_CALLED = re.compile(
    r"(?:\b(?:dear|dearest|sweet|gentle|good|farewell|adieu|o|to)[ ,]*)$", re.IGNORECASE
)
"""Before the name of one who is written to."""
_ENDS = re.compile(r"[.!]?(?:\s*['\"\u2019\u201d]|\s*$)")
"""Behind a name at the end of a letter."""

_WRITING = (
    r"(?:letters?|lines|papers?|packets?|scrolls?|epistles?|missives?|hand|character|writing)"
)
_FROM = re.compile(
    rf"(?:\b(?:{_WRITING}|this|these)\b[^.;:!?]*?\b|^(?:'tis |it (?:is|comes) |they come )?)"
    r"from (?:(?:the|my|your|our|lord|lady) )*$",
    re.IGNORECASE,
)
"""Before the name of one from whom letters come."""
_WROTE = re.compile(
    r",? (?:(?:doth|does|did|hath|has|have|here|thus|so|that|who|my lord|my lady),? )*"
    rf"(?:(?:writes?|writ|wrote|written)\b|(?:sends?|sent) (?:\w+ ){{0,3}}(?:this|these|it|{_WRITING})\b)",
    re.IGNORECASE,
)
"""Behind the name of one who wrote."""
_WHOSE = re.compile(
    rf"(?<![\w-])-*+(\w[\w-]*+(?: [\w-]++)?)'s (?:own )?{_WRITING}\b", re.IGNORECASE
)
_YOURS = re.compile(rf"\b(?:thy|your) {_WRITING}\b", re.IGNORECASE)

_BEFORE, _AFTER, _LATER = 12, 8, 60
"""Steps before and after a letter in which it may be said whose it is; and in which its reader may speak
of it to whoever wrote it."""

_CLOSE = 80
"""Letters before a name that are looked at."""


def with_letters(steps: Sequence[Step], people: PlayPeople) -> list[Step]:
    """The steps of a scene; of the letters that are read in it, with who wrote them."""
    read = dict(_letters(steps))
    return [
        replace(step, writer=_writer(steps, at, read[at], people))
        if at in read and isinstance(step, Spoken)
        else step
        for at, step in enumerate(steps)
    ]


def _letters(steps: Sequence[Step]) -> Iterator[tuple[int, str]]:
    """Where a letter is read, and by whom: what its reader says next, in quotation marks, or where it is
    said that it is one."""
    for at, step in enumerate(steps):
        if not isinstance(step, Directed) or not _reads(step.text):
            continue
        following = steps[at + 1] if at + 1 < len(steps) else None
        if isinstance(following, Spoken) and len(following.speakers) == 1:
            plain = _LETTER.search(step.text) and following.number == step.number
            if plain or _QUOTED.match(following.text):
                yield at + 1, following.speakers[0]


def _reads(direction: str) -> bool:
    return bool(_READS.search(direction)) and not _NO_LETTER.search(direction)


def _writer(steps: Sequence[Step], at: int, reader: str, people: PlayPeople) -> str | None:
    spoken = steps[at]
    assert isinstance(spoken, Spoken)
    signed = _signed(spoken.text, people)
    if signed and signed != reader:
        return signed
    return next((name for name in _said_to_be(steps, at, reader, people) if name != reader), None)


def _signed(text: str, people: PlayPeople) -> str | None:
    """Whose name stands under a letter."""
    for one in reversed(people.mentions(text)):
        name = _one(one)
        if name and _ENDS.match(text, one.end) and not _CALLED.search(_close(text, one)):
            return name
    return None


def _said_to_be(steps: Sequence[Step], at: int, reader: str, people: PlayPeople) -> Iterator[str]:
    """Whose it is said to be, the nearest first: before it is read, and then behind it."""
    for step in (*reversed(steps[max(0, at - _BEFORE) : at]), *steps[at + 1 : at + 1 + _AFTER]):
        if isinstance(step, Spoken):
            yield from _named(step.text, people)
    later = [step for step in steps[at + 1 : at + 1 + _LATER] if isinstance(step, Spoken)]
    for step, answer in pairwise(later):
        if step.speakers == (reader,) and _YOURS.search(step.text) and len(answer.speakers) == 1:
            yield answer.speakers[0]


def _named(text: str, people: PlayPeople) -> Iterator[str]:
    for one in people.mentions(text):
        name = _one(one)
        if name and (_FROM.search(_close(text, one)) or _WROTE.match(text, one.end)):
            yield name
    for match in _WHOSE.finditer(text):
        for one in people.mentions(match[1]):
            if name := _one(one):
                yield name


def _close(text: str, mention: Mention) -> str:
    """What stands before a name."""
    return text[max(0, mention.start - _CLOSE) : mention.start]


def _one(mention: Mention) -> str | None:
    return mention.names[0] if len(mention.names) == 1 else None
