"""Episodes to plant failures into, out of what the bundled banks let people say; and how well the
rules find those that were planted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import chain, zip_longest
from random import Random
from typing import Literal, NamedTuple

from msgspec.structs import replace
from store_places import VolatilePlace, log_at

from whoknew.engine.judges.rules import RulesJudge
from whoknew.engine.judges.scales import FAILED
from whoknew.engine.plan.plan import Plan
from whoknew.engine.playing.case import Ending, EpisodeCase
from whoknew.engine.playing.judge import Verdict
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeClosed, WorldOpened
from whoknew.worlds import shelf
from whoknew.worlds.bank import Side, Sketch
from whoknew.worlds.beginning import episode
from whoknew.worlds.setting import Character, Scenario, Setting

Half = Literal["shown", "kept"]

BOTH = ("Oda", "Bram")
BEGINS = datetime(2001, 3, 1, 20, 0)
SETTING = Setting("s", "S", BEGINS, tuple(map(Character, BOTH)), ())
POOL = {"lamps": 2, "rugs": 1}
IDLE = Acted(act="none")
NOTHING = (IDLE, Acted("I had better wait and see.", "none"))


class Played(NamedTuple):
    """An episode: who does what, turn by turn."""

    scenario: Scenario
    turns: Sequence[tuple[str, Acted]]


class Trial(NamedTuple):
    """Episodes of one life, the last of which is judged; of whom, and whether it should fail."""

    who: str
    fails: bool
    life: Sequence[Played]


class Found(NamedTuple):
    precision: float
    recall: float


# what is there to plant into


def banks(half: Half) -> Iterator[tuple[Sequence[Sketch], Sketch, int, Random]]:
    """Each side of each sketch of a half, with its bank, and chance of its own."""
    for name in shelf.bundled_banks():
        sketches = _sketches(name)
        for one in sketches:
            if half == ("kept" if sha256(one.name.encode()).digest()[0] % 2 else "shown"):
                for side in range(len(BOTH)):
                    yield sketches, one, side, Random(f"{name}/{one.name}/{side}")


@cache
def _sketches(bank: str) -> Sequence[Sketch]:
    return shelf.find_bank(bank).sketches


def lines(sketch: Sketch, side: int) -> list[str]:
    said = sketch.lines[side]
    return [line.replace("{first}", BOTH[0]).replace("{second}", BOTH[1]) for line in said]


def spoken(texts: Sequence[str]) -> list[Acted]:
    return [Acted(text) for text in texts]


def cast(sketch: Sketch, speechless: Sequence[Side] = (), *, pool: bool = False) -> Scenario:
    scenario = sketch.cast(*BOTH, speechless)
    return replace(scenario, pool=scenario.pool or POOL) if pool else scenario


def played(sketch: Sketch, side: int, acts: Sequence[Acted], scenario: Scenario) -> Played:
    """One side does this, while the other says its own lines."""
    others = spoken(lines(sketch, 1 - side))
    return Played(scenario, in_turn(side, acts, others))


def in_turn(side: int, acts: Sequence[Acted], others: Sequence[Acted]) -> list[tuple[str, Acted]]:
    """One after the other, the first side first."""
    pairs = zip_longest(others, acts) if side else zip_longest(acts, others)
    return [(who, act) for pair in pairs for who, act in zip(BOTH, pair, strict=True) if act]


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", text)


# what it comes to


async def verdict(who: str, life: Sequence[Played]) -> Verdict:
    """On the last episode of a life."""
    async with log_at(VolatilePlace()) as log:
        opened = [Draft(WorldOpened("S"), BEGINS), *(Draft(CharacterAdded(n)) for n in BOTH)]
        *before, last = (drafts(part, number) for number, part in enumerate(life, start=1))
        put = await log.append("w", [*opened, *chain.from_iterable(before), *last])
        first, upto = put.last - len(last) + 1, put.last - 1
        case = await EpisodeCase.of(log, "w", Plan("s"), SETTING, first, upto, Ending("turn limit"))
        return next(one for one in await RulesJudge().review(case) if one.character == who)


async def fails(one: Trial, check: str) -> bool:
    scores = (await verdict(one.who, one.life)).scores
    assert scores is not None
    return scores[check] == FAILED


def drafts(part: Played, number: int) -> list[Draft]:
    at = BEGINS + timedelta(hours=number)
    return [
        *episode(part.scenario, number, at),
        *(
            Draft(act, at=at, episode=number, turn=turn, actor=who, place=None, witnesses=BOTH)
            for turn, (who, act) in enumerate(part.turns, start=1)
        ),
        Draft(EpisodeClosed("turn limit"), at=at, episode=number, turn=len(part.turns)),
    ]


async def found(trials: Sequence[Trial], check: str) -> Found:
    """How many of those that were found should have been, and how many that should have been were
    found: over a hundred that fail, and a hundred that do not."""
    outcomes = [(one.fails, await fails(one, check)) for one in trials]
    planted = sum(should for should, _ in outcomes)
    assert planted >= 100
    assert len(trials) - planted >= 100
    right = outcomes.count((True, True))
    return Found(right / max(1, sum(seen for _, seen in outcomes)), right / planted)
