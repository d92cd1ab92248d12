"""What a mind is told before it acts: the sections of a prompt, each made from the view alone."""

from __future__ import annotations

from whoknew.agents.agent import Moment
from whoknew.agents.life import Life, Lived
from whoknew.agents.lines import one_line, quoted, things

MYSELF = "# Who you are"
OTHERS = "# Whom you know"
MEMORY = "# What you remember"
NOW = "# Now"
GOAL = "# What you want"
HERE = "# What has happened here"
TURN = "# Your turn"
QUESTION = "# The question"
JUDGED = "# Who is judged"
OUTCOME = "# How it ended"
EVIDENCE = "# What it should have remembered"

WRITTEN = "as you wrote it down: "
"""Before a summary, which is quoted as is all that a model wrote, also where it wrote it itself."""


def section(heading: str, *lines: str) -> str:
    """A part of a prompt, which has the lines that it is given and no more: what others wrote is
    quoted in them, and names, which are not, are brought to one line."""
    return "\n".join([heading, *map(one_line, filter(None, lines))])


def myself(life: Life) -> str:
    return section(MYSELF, quoted(life.myself or life.who))


def others(life: Life) -> str:
    """Those whom the character knows, and how it stands to them."""
    if life.acquaintance is None:
        life.acquaintance = _acquaintance(life)
    return life.acquaintance


def _acquaintance(life: Life) -> str:
    known = [
        f"- {name}{_relation(life, name)}: {quoted(life.people.get(name, 'No more than the name.'))}"
        for name in sorted({*life.people, *life.relations})
    ]
    return section(OTHERS, *known) if known else ""


def memory(text: str) -> str:
    """Memories bring their lines: what somebody said or wrote is quoted in them."""
    return f"{MEMORY}\n{text}" if text else ""


def now(life: Life, moment: Moment, episode: Lived) -> str:
    place = moment.place
    about = f" {quoted(life.whereabouts[place])}" if place and life.whereabouts.get(place) else ""
    return section(
        NOW,
        quoted(episode.scenario) if episode.scenario else "",
        f"You are at: {place}.{about}" if place else "",
        f"With you: {', '.join(moment.present) or 'nobody'}.",
        "You are hidden: nobody here knows of you." if moment.hidden else "",
        f"To be divided: {things(episode.pool)}." if episode.pool else "",
        _worth(episode),
    )


def goal(episode: Lived) -> str:
    return section(GOAL, quoted(episode.goal)) if episode.goal else ""


def here(episode: Lived) -> str:
    return "\n".join([HERE, *(episode.lines or ["Nothing yet."])])


def turn(life: Life, moment: Moment) -> str:
    left = f" You have {moment.turns_left} turns left." if moment.turns_left is not None else ""
    return section(TURN, f"What do you do, {life.who}?{left}")


def question(text: str) -> str:
    return section(QUESTION, quoted(text))


def _relation(life: Life, name: str) -> str:
    return f" ({life.relations[name]})" if name in life.relations else ""


def _worth(episode: Lived) -> str:
    if not episode.worth:
        return ""
    points = ", ".join(f"{item} {worth}" for item, worth in episode.worth.items())
    return f"What one of each is worth to you, in points: {points}."
