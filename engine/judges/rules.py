"""Checks that need no model: whoever repeats itself, recites its goal, idles, stays on, or begins
in another scenario is found by rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

from whoknew.engine.judges.case import Case
from whoknew.engine.judges.judge import Verdict
from whoknew.engine.judges.scales import FAILED, PASSED
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, EpisodeOpened, GoalGiven
from whoknew.eventlog.words import terms
from whoknew.worlds.scene import Scene

SHORT = 3
"""A sentence of fewer words that count may come twice: yes, thank you, good night."""

SAME = 0.75
"""Two sentences that share this part of their words say the same."""

RUN = 6
"""So many words of a goal on end are recited, whoever wrote them."""

WHOLE = 0.8
"""A sentence of a goal is recited where so much of its words is said at once."""

LATE = 2
"""So many turns after all is settled one may still take."""

FOREIGN = 2.0
"""An opening belongs to an earlier scenario that shares so many times more of it than this one."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"[^\W_]+")
_LINE = re.compile(
    r'^ *(?:Say|Whisper to|Think|Do|Gesture|Leave|Go to)(?: [^:"\n]+)?: ".*" *$', re.MULTILINE
)


class Rules:
    """Scores as the checklist has them, of those checks that can be decided here."""

    async def review(self, case: Case) -> list[Verdict]:
        earlier = await case.earlier()
        return [_reviewed(case, who, earlier) for who in case.people]


def _reviewed(case: Case, who: str, earlier: Sequence[Event]) -> Verdict:
    acts = case.acts(who)
    said = [act.text for act in acts if act.act == "speak" and act.text and not act.offer]
    found = {
        "repeats": repeated(said),
        "reciting": recited(said, untold(case.goals.get(who, ""))),
        "stalling": stalled(acts),
    }
    if case.episode.pool:
        found["leaving"] = late(case.events, who)
    if said and earlier:
        here = " ".join([case.episode.scenario, *case.goals.values()])
        found["beginning"] = foreign(said[0], untold(here), lives(earlier))
    scores = {name: FAILED if why else PASSED for name, why in found.items()}
    return Verdict(who, scores, "\n".join(f"{name} 0: {why}" for name, why in found.items() if why))


def repeated(said: Sequence[str]) -> str:
    """The sentence that somebody said twice, or its gist."""
    sentences = [one for text in said for one in _SENTENCE.split(text)]
    known = [(frozenset(terms(one)), one) for one in sentences]
    long = [(words, one) for words, one in known if len(words) >= SHORT]
    for (one, _), (other, again) in combinations(long, 2):
        if len(one & other) >= SAME * len(one | other):
            return f"said again: {again!r}"
    return ""


def recited(said: Sequence[str], goal: str) -> str:
    """What somebody said of the text of its goal."""
    runs = set(_runs(goal))
    wholes = [frozenset(terms(one)) for one in _SENTENCE.split(goal)]
    for text in said:
        words = frozenset(terms(text))
        if runs.intersection(_runs(text)) or any(
            len(whole) > SHORT and len(whole & words) >= WHOLE * len(whole) for whole in wholes
        ):
            return f"said as its goal says: {text!r}"
    return ""


def stalled(acts: Sequence[Acted]) -> str:
    """Two turns on end in which somebody did nothing."""
    idle = [act.act == "none" and not (act.offer or act.agrees) for act in acts]
    return "did nothing twice on end" if any(map(all, pairwise(idle))) else ""


def late(events: Sequence[Event], who: str) -> str:
    """How long somebody went on after everybody had agreed."""
    scene = Scene(events[0])
    after = 0
    for event in events[1:]:
        after += scene.settled and event.actor == who and isinstance(event.body, Acted)
        scene.take(event)
    return f"took {after} turns after all was agreed" if after > LATE else ""


def lives(story: Iterable[Event]) -> list[frozenset[str]]:
    """The words of each earlier episode: its scenario, its goals, and what was said in it."""
    told: dict[int, list[str]] = {}
    for event in story:
        match event.body:
            case EpisodeOpened(scenario=text) | GoalGiven(goal=text) | Acted(text=text):
                told.setdefault(event.episode, []).append(text)
    return [frozenset(terms(" ".join(texts))) for texts in told.values()]


def foreign(opening: str, here: str, earlier: Sequence[frozenset[str]]) -> str:
    """Whether somebody begins with what an earlier episode was about rather than this one. A word
    counts the more the fewer episodes know it."""
    words, now = frozenset(terms(opening)), frozenset(terms(here))
    weight = {one: 1 / (1 + sum(one in life for life in earlier)) for one in words}
    mine = sum(weight[one] for one in words & now)
    theirs = max((sum(weight[one] for one in words & life) for life in earlier), default=0.0)
    shared = max((len(words & life) for life in earlier), default=0)
    return f"begins elsewhere: {opening!r}" if shared > 2 and theirs > FOREIGN * mine else ""


def untold(goal: str) -> str:
    """A goal without the lines that it gives its owner to say."""
    return _LINE.sub("", goal)


def _runs(text: str) -> Iterable[tuple[str, ...]]:
    words = [word.casefold() for word in _WORD.findall(text)]
    return (tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))
