"""A prompt, read back: its sections, its numbered lines, who is asked and who is there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from whoknew.agents import briefing
from whoknew.agents.models.model import Request

_LINE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
_SECTION = re.compile(r"^(# .+)$", re.MULTILINE)
_SAYS = re.compile(
    r"( says: | says aside: | says to | say: | whispers to | thinks: | does this: | makes to |: )"
)
_QUOTED = re.compile(r'"(?:[^"\\]++|\\.)*+"')


class BriefLine(NamedTuple):
    """A numbered line of the prompt: who did something, and what was said or done."""

    place: int
    who: str
    text: str


def unquoted(section: str) -> str:
    """A section that is one quoted text, as it was before."""
    found = _QUOTED.search(section)
    return msgspec.json.decode(found.group(), type=str) if found else section


def remembered(section: str) -> str:
    """What stands in a memory, with summaries as they were written down."""
    return "\n".join(
        unquoted(line) if briefing.WRITTEN in line.partition('"')[0] else line
        for line in section.split("\n")
    )


def lines(section: str) -> Iterator[BriefLine]:
    for place, told in _LINE.findall(section):
        quoted = _QUOTED.search(told)
        who = _speaker(told[: quoted.start()]) if quoted else ""
        text = msgspec.json.decode(quoted.group(), type=str) if quoted else told
        yield BriefLine(int(place), who, text)


def _speaker(told: str) -> str:
    """Who stands before what was said; of several who say it together, the first."""
    who, says, *_ = *_SAYS.split(told, 1), ""
    return who.partition(" and ")[0] if says == " say: " else who


def sections(text: str) -> dict[str, str]:
    parts = _SECTION.split(text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def present(now: str) -> Iterable[str]:
    found = re.search(r"^With you: (.*)\.$", now, re.MULTILINE)
    return found.group(1).split(", ") if found else ()


def name(request: Request) -> str:
    found = re.match(r"You are (.*?), a character", request.messages[0].text)
    return found.group(1) if found else ""
