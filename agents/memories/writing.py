"""What memories have in common that write something down when an episode ends: what they look back on,
what a text of theirs cites, how it stands in a prompt."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Annotated, TypeVar

from msgspec import Meta, Struct

from whoknew.agents import briefing
from whoknew.agents.errors import BadAnswer
from whoknew.agents.life import Life, Lived
from whoknew.agents.lines import Line, quoted
from whoknew.agents.memories.memory import Occasion
from whoknew.agents.methods.method import insist
from whoknew.agents.sections import Sections, Situation
from whoknew.agents.understand import understand
from whoknew.eventlog import View
from whoknew.eventlog.words import sentences

Answer = TypeVar("Answer", bound=Struct)
T = TypeVar("T")

Number = Annotated[int, Meta(ge=0)]
"""Of one that a model was shown: from 0 on, so that it need not repeat, and cannot invent, a name."""

LETTERS = 24
"""Words are as long on average at most, with what stands between them: in no language are they longer."""

_NUMBER = re.compile(r"\[(\d+)\]")


async def asked(
    now: Occasion,
    rules: str,
    sections: Sections,
    answer: type[Answer],
    read: Callable[[Answer], T],
    reasks: int,
) -> T:
    """What `read` makes of the answer, when a character is asked what it keeps; asked again where that
    is a BadAnswer. One call does for all who ask the very same, such as two arms of an exam."""
    request = briefing.request("remember", rules, sections, answer, shared=True)
    return await insist(now.model, request, lambda text: read(understand(text, answer)), reasks)


def looking_back(life: Life, episode: Lived) -> Sections:
    """What a character is told when it is asked what it keeps of an episode."""
    return Sections(
        who=life.who,
        myself=life.myself or life.who,
        others=briefing.others(life),
        now=Situation(scenario=episode.scenario),
        goal=episode.goal,
        here=tuple(episode.lines),
    )


def written(head: str, who: str, place: int, text: str) -> Line:
    """What somebody wrote down, as it stands in a prompt."""
    return Line(f"{head}, {briefing.WRITTEN}{quoted(text)}", place, who, text, written=True)


def noted(life: Life, place: int, text: str) -> Line:
    """What its character noted at a place of its view, under the episode in which that was."""
    return written(f"Episode {life.episode_at(place).number}", life.who, place, text)


def numbered(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Lines as they are shown where an answer names them: each behind its number, from 0 on."""
    return tuple(one.worded(f"{number}: {one.unnumbered}") for number, one in enumerate(lines))


def cited(text: str) -> set[int]:
    """The places that a text names."""
    return {_place(number) for number in _NUMBER.findall(text)}


def cited_in(view: View, *texts: str) -> set[int]:
    """The places of a view that some texts name: one that comes from elsewhere may name what is none."""
    return {place for text in texts for place in cited(text) if 0 < place <= len(view)}


def sources(text: str, otherwise: Collection[int]) -> tuple[int, ...]:
    """What a text rests on: the places that it names; where it names none, all that it was made from."""
    return tuple(sorted(cited(text) or otherwise))


def check_cited(text: str, places: Collection[int], what: str) -> None:
    """BadAnswer where a text names what it was not made from."""
    for number in sorted(cited(text)):
        if number not in places:
            raise BadAnswer(f"[{number}] is no number of {what}.")


def check_number(number: int, shown: Sequence[object], what: str) -> None:
    """BadAnswer where a model names one that it was not shown: they are numbered from 0 on."""
    if number >= len(shown):
        raise BadAnswer(f"{number} is no number of a {what}: they go from 0 to {len(shown) - 1}.")


def cut(text: str, words: int) -> str:
    """The first sentences, so many words of them at most, each on the line on which it stands; of one that
    is too long, its first words. What is written without spaces has an end, too."""
    return _first_words(text, words)[: words * LETTERS]


def _first_words(text: str, words: int) -> str:
    if len(text.split()) <= words:
        return text
    room, end = words, 0
    for sentence in sentences(text):
        room -= len(sentence.split())
        if room < 0:
            break
        end = text.index(sentence, end) + len(sentence)
    return text[:end] or " ".join(text.split()[:words])


def _place(number: str) -> int:
    """0 is no place, and no number of so many digits is one either."""
    return int(number) if len(number) < 10 else 0
