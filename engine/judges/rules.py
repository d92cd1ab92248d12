"""Checks that need no model: whoever repeats itself, recites its goal, idles, stays on, or begins
in another scenario is found by rule."""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from heapq import nsmallest
from itertools import pairwise
from math import ceil

from whoknew.engine.judges.scales import FAILED, PASSED
from whoknew.engine.playing.case import EpisodeCase
from whoknew.engine.playing.judge import Bench, Judge, JudgeEntry, Verdict
from whoknew.engine.playing.past import Past, Words, untold
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, EpisodeOpened, GoalGiven, Narrated
from whoknew.eventlog.words import sentences, terms
from whoknew.worlds.scene import Offer, Scene

SHORT = 3
"""A sentence of fewer words that count may come twice: yes, thank you, good night."""

LONG = 8
"""In a sentence of so many words in all, one fewer that counts will do."""

SAME = 0.6
"""Two sentences that share this part of their words say the same: of four, one may be another."""

RUN = 7
"""So many words of a goal on end are recited; six come about when one speaks of the same thing."""

WHOLE = 0.8
"""A sentence of a goal is recited where one sentence says so much of its words."""

LATE = 2
"""So many turns after all is settled one may still take."""

FEW = 4
"""An opening that shares fewer words with an earlier text has nothing to do with it."""

ELSEWHERE = 0.2
"""An opening belongs to an earlier text that holds this much more of it than this episode does."""

_WORD = re.compile(r"[^\W_]+")
_NUMBERS = (
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty "
    "fifty sixty seventy eighty ninety hundred thousand half quarter"
)
_PERSON = {
    **dict.fromkeys(("you", "me"), "i"),
    **dict.fromkeys(("your", "yours", "mine"), "my"),
    "yourself": "myself",
    **dict.fromkeys(("are", "am", "re", "m"), "be"),
    "were": "was",
}
"""A goal says `you` to whoever says `I` of it."""


class RulesJudge(Judge[EpisodeCase]):
    """Scores as the checklist has them, of those checks that can be decided here."""

    def __init__(self) -> None:
        self._pasts: dict[str, Past] = {}
        """Of each world, as far as it was judged."""

    async def review(self, case: EpisodeCase) -> list[Verdict]:
        opened = case.events[0]
        past = self._pasts.get(opened.world)
        if past is None or past.upto >= opened.seq:
            past = self._pasts[opened.world] = Past()
        past.take(await case.earlier(past.upto))
        return await asyncio.to_thread(lambda: [_reviewed(case, who, past) for who in case.people])


def _reviewed(case: EpisodeCase, who: str, past: Past) -> Verdict:
    acts = case.acts(who)
    spoken = [act for act in acts if act.act == "speak" and act.text]
    said = [act.text for act in spoken]
    bare = [act.text for act in spoken if not act.offer]
    found = {
        "repeats": repeated(bare, case.people),
        "reciting": recited(said, untold(case.goals.get(who, "")), case.episode.scenario),
        "stalling": stalled(acts),
    }
    if case.episode.pool:
        found["leaving"] = late(case.events, who)
    if said and past:
        found["beginning"] = foreign(said[0], here(case.events, who), past)
    scores = {name: FAILED if why else PASSED for name, why in found.items()}
    return Verdict(who, scores, "\n".join(f"{name} 0: {why}" for name, why in found.items() if why))


def repeated(said: Sequence[str], names: Iterable[str] = ()) -> str:
    """The sentence that somebody said twice, or its gist; whom it says it to makes no difference.
    With another number in it, it is another step of a bargain."""
    called = frozenset(terms(" ".join(names)))
    every = [one for text in said for one in sentences(text)]
    known = [(frozenset(terms(one)) - called, one) for one in every]
    long = [
        (words, one) for words, one in known if len(words) >= SHORT - (len(one.split()) >= LONG)
    ]
    again = _said_again([words for words, _ in long])
    return f"said again: {long[again][1]!r}" if again else ""


def _said_again(said: Sequence[Words]) -> int:
    """Where that is said again which was said first of all that is; 0 where nothing is. Two that share the
    part `SAME` of their words have one in common of the rarest of each: so most are held against few."""
    often = Counter(word for words in said for word in words)
    holding: dict[str, list[int]] = defaultdict(list)
    first, again = len(said), 0
    for at, words in enumerate(said):
        spare = len(words) - ceil(SAME * len(words))
        rarest = nsmallest(spare + 1, words, key=lambda word: (often[word], word))
        near = sorted({other for word in rarest for other in holding[word] if other < first})
        found = next((other for other in near if _is_same(said[other], words)), None)
        if found is not None:
            first, again = found, at
        if not again:
            for word in rarest:
                holding[word].append(at)
    return again


def _is_same(one: Words, other: Words) -> bool:
    return len(one & other) >= SAME * len(one | other) and not any(map(_is_number, one ^ other))


def recited(said: Sequence[str], goal: str, public: str = "") -> str:
    """What somebody said of the text of its goal, and is not public anyway."""
    runs = set(_runs(goal)) - set(_runs(public))
    wholes = [frozenset(terms(one)) for one in sentences(goal)]
    long = [whole for whole in wholes if len(whole) > SHORT]
    for text in said:
        spoken = [frozenset(terms(one)) for one in sentences(text)]
        if runs.intersection(_runs(text)) or any(
            len(whole & words) >= WHOLE * len(whole) for whole in long for words in spoken
        ):
            return f"said as its goal says: {text!r}"
    return ""


def stalled(acts: Sequence[Acted]) -> str:
    """Two turns on end in which somebody did nothing, whatever it thought."""
    idle = [act.act == "none" and not (act.offer or act.agrees) for act in acts]
    return "did nothing twice on end" if any(map(all, pairwise(idle))) else ""


def late(events: Sequence[Event], who: str) -> str:
    """How long somebody went on after everybody had agreed. Leaving is not going on; and after
    another offer than the one agreed on, there is something to stay for."""
    scene = Scene(events[0])
    settled: Offer = {}
    after = longest = 0
    for event in events[1:]:
        if isinstance(event.body, Acted):
            if event.body.offer not in ({}, settled):
                settled, after = {}, 0
            elif settled and event.actor == who and event.body.act != "leave":
                after += 1
                longest = max(longest, after)
        scene.take(event)
        settled = scene.offer if scene.settled else settled
    return f"took {longest} turns after all was agreed" if longest > LATE else ""


def foreign(opening: str, here: str, past: Past) -> str:
    """Whether somebody begins with what an earlier episode was about rather than this one: one of
    its texts holds more of the opening than all that belongs here."""
    words, now = frozenset(terms(opening)), frozenset(terms(here))

    def held(some: Words) -> float:
        return sum(map(past.weight, sorted(some)))

    nearest = past.nearest(words)
    if len(nearest) >= FEW and held(nearest) - held(words & now) > ELSEWHERE * held(words):
        return f"begins elsewhere: {opening!r}"
    return ""


def here(events: Sequence[Event], who: str) -> str:
    """All that an episode gives somebody to begin with, and what the others say to it."""
    return " ".join(
        event.body.words
        for event in events
        if isinstance(event.body, EpisodeOpened | GoalGiven | Narrated)
        or (isinstance(event.body, Acted) and event.actor != who)
    )


def _runs(text: str) -> Iterable[tuple[str, ...]]:
    found: list[str] = _WORD.findall(text.casefold())
    words = [_PERSON.get(word, word) for word in found]
    return (tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))


def _is_number(word: str) -> bool:
    return word.isdigit() or word in _numbers()


@cache
def _numbers() -> Words:
    return frozenset(terms(_NUMBERS))


class RulesEntry(JudgeEntry, frozen=True):
    """what can be checked without a model"""

    def make(self, bench: Bench) -> RulesJudge:
        return RulesJudge()
