"""What a mind is told before it acts: the sections of a prompt, each made from the view alone, and put
into words.

What others wrote is quoted, and names, which are not, are brought to one line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from whoknew.agents.agent import Moment
from whoknew.agents.life import Life, Lived
from whoknew.agents.lines import one_line, quoted, things
from whoknew.agents.models.model import DEFAULT, Message, Request, Sampling
from whoknew.agents.sections import (
    Acquaintance,
    Example,
    JudgedAnswer,
    JudgedEpisode,
    JudgedMemory,
    Sections,
    Situation,
    Turn,
)

MYSELF = "# Who you are"
JUDGED = "# Who is judged"
OTHERS = "# Whom you know"
WITH = "# With whom"
MEMORY = "# What you remember"
NOW = "# Now"
GOAL = "# What you want"
HERE = "# What has happened here"
EXAMPLES = "# Examples of replies"
TURN = "# Your turn"
QUESTION = "# The question"
OUTCOME = "# How it ended"
EVIDENCE = "# What it should have remembered"
REFERENCE = "# The reference"
CHOICES = "# The choices"
CORRECT = "# The right choice"
RESTS_ON = "# What a right answer rests on"
KNOWN = "# What is known of the question"
POINTS = "# The points of a right answer"
BROUGHT = "# What came to mind"
ANSWER = "# The answer"

VERSION = 1
"""Of the headings, their order, and how lines stand under them: raise it when any of that changes."""

WRITTEN = "as you wrote it down: "
"""Before a summary, which is quoted as is all that a model wrote, also where it wrote it itself."""


CONDITIONS: Mapping[str, str] = {
    "blind": "You are blind: you hear what is said, and see nothing of what is done.",
    "deaf": "You are deaf: you see people speak, and hear no word of it.",
    "invisible": "You are invisible: nobody knows that you are here, unless you speak.",
}


def request(
    purpose: str,
    rules: str,
    sections: Sections,
    answer: type[Struct],
    sampling: Sampling = DEFAULT,
    *,
    shared: bool = False,
) -> Request:
    """A request that says these sections."""
    messages = (Message("system", rules), Message("user", told(sections)))
    return Request(purpose, messages, answer, sampling, sections, shared=shared)


def told(sections: Sections) -> str:
    """The sections in words: the text of a prompt, and the only one that there is of them."""
    judged = sections.judged
    parts = (
        [JUDGED if judged else MYSELF, _quoted_again(sections.myself)] if sections.myself else (),
        _others(sections),
        [MEMORY, *sections.memory] if any(sections.memory) else (),
        _now(sections.now) if sections.now else (),
        [GOAL, _quoted_again(sections.goal)] if sections.goal else (),
        _here(sections),
        _examples(sections.examples) if sections.examples else (),
        _turn(sections.who, sections.turn) if sections.turn else (),
        () if sections.question is None else [QUESTION, quoted(sections.question)],
        *(_judged(sections.who, judged) if judged else ()),
    )
    return "\n\n".join(map("\n".join, filter(None, parts)))


_quoted_again = lru_cache(1024)(quoted)
"""What stands in one prompt after another."""


def others(life: Life) -> tuple[Acquaintance, ...]:
    """Those whom a character knows, and how it stands to them: put together once, until it learns more
    of somebody."""
    if life.acquaintance is None:
        life.acquaintance = tuple(
            Acquaintance(
                name, life.relations.get(name), life.people.get(name, "No more than the name.")
            )
            for name in sorted({*life.people, *life.relations})
        )
    return life.acquaintance


def now(life: Life, moment: Moment, episode: Lived) -> Situation:
    place = moment.place
    return Situation(
        scenario=episode.scenario or None,
        place=place,
        about=life.whereabouts.get(place, "") if place else "",
        present=moment.present,
        hidden=moment.hidden,
        pool=episode.pool,
        worth=episode.worth,
        in_sight=moment.in_sight,
        asleep=moment.asleep,
        conditions=moment.conditions,
    )


def _others(sections: Sections) -> list[str]:
    if not sections.others:
        return []
    return [WITH if sections.judged else OTHERS, _acquainted(tuple(sections.others))]


@lru_cache(1024)
def _acquainted(others: tuple[Acquaintance, ...]) -> str:
    """A line for each, put together once for as long as nothing more is learnt of any."""
    return "\n".join(map(known, others))


def known(one: Acquaintance) -> str:
    relation = "" if one.relation is None else f" ({one.relation})"
    text = "" if one.text is None else f": {quoted(one.text)}"
    return one_line(f"- {one.name}{relation}{text}")


def _now(now: Situation) -> list[str]:
    told = [NOW] if now.scenario is None else [NOW, _quoted_again(now.scenario)]
    told += surroundings(now)
    if now.pool:
        told.append(one_line(f"To be divided: {things(now.pool)}."))
    if now.worth:
        told.append(one_line(_worth(now.worth)))
    return told


def surroundings(now: Situation) -> list[str]:
    """Where one is and with whom, and how."""
    told = list[str]()
    if now.place:
        told.append(_at(now.place, now.about))
    if now.present is not None:
        told.append(_with(now.present))
    if now.asleep:
        told.append(one_line(f"Asleep: {', '.join(now.asleep)}."))
    for place, names in now.in_sight.items():
        told.append(one_line(f"In sight, at {place}: {', '.join(names)}."))
    if now.hidden:
        told.append("You are hidden: nobody here knows of you.")
    if now.conditions:
        told += map(CONDITIONS.__getitem__, now.conditions)
    return told


@lru_cache(1024)
def _at(place: str, about: str) -> str:
    return one_line(f"You are at: {place}. {quoted(about)}" if about else f"You are at: {place}.")


@lru_cache(1024)
def _with(present: tuple[str, ...]) -> str:
    return one_line(f"With you: {', '.join(present) or 'nobody'}.")


def _worth(worth: Mapping[str, int]) -> str:
    points = ", ".join(f"{item} {points}" for item, points in worth.items())
    return f"What one of each is worth to you, in points: {points}."


def _here(sections: Sections) -> list[str]:
    if sections.here is None:
        return []
    if sections.here or sections.judged:
        return [HERE, *sections.here]
    return [HERE, "Nothing yet."]


def _examples(examples: Sequence[Example]) -> list[str]:
    lines = [f"- To {quoted(one.asked)} the reply was {quoted(one.reply)}" for one in examples]
    return [EXAMPLES, *lines]


def _turn(who: str, turn: Turn) -> list[str]:
    return [TURN, one_line(f"What do you do, {who}?{turns_left(turn)}")]


def turns_left(turn: Turn) -> str:
    if turn.left is None:
        return ""
    if turn.all_counted:  # to the byte as an earlier version said it to these worlds, also of one
        return f" You have {turn.left} turns left."
    return f" Turns left: {turn.left} at most."


def _judged(who: str, judged: JudgedEpisode | JudgedAnswer | JudgedMemory) -> Iterator[list[str]]:
    match judged:
        case JudgedEpisode():
            yield _outcome(who, judged)
            yield [EVIDENCE, *judged.evidence] if judged.evidence else []
        case JudgedAnswer(answer, reference, labels):
            yield [REFERENCE, quoted(reference)] if reference else []
            choices = [one_line(f"- {quoted(one)}") for one in judged.choices]
            yield [CHOICES, *choices] if choices else []
            yield [CORRECT, quoted(judged.correct)] if judged.correct else []
            yield [RESTS_ON, *judged.evidence] if judged.evidence else []
            known = [one_line(f"- {name}: {quoted(labels[name])}") for name in sorted(labels)]
            yield [KNOWN, *known] if known else []
            yield [ANSWER, quoted(answer)]
        case JudgedMemory():
            points = [f"({number}) {quoted(one)}" for number, one in enumerate(judged.points, 1)]
            yield [POINTS, *points]
            yield [BROUGHT, *(judged.brought or ("Nothing.",))]


def _outcome(who: str, judged: JudgedEpisode) -> list[str]:
    lines = [OUTCOME, one_line(f"{judged.reason}.")]
    if judged.points:
        mine, most = judged.points
        lines.append(one_line(f"{who} has {mine} of {most} points."))
    return lines
