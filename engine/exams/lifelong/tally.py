"""What the log says of each who was in each episode: the fold of a life from which tables come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from whoknew.engine.judges.scales import CHECKS, FAILED, OVERALL, believable
from whoknew.engine.plan.plan import Judging
from whoknew.engine.plan.program import Chain
from whoknew.engine.playing.tally import Tally
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened, Reviewed
from whoknew.worlds.beginning import POINTS
from whoknew.worlds.drafting import points
from whoknew.worlds.setting import Scenario

Metric = Literal["believability", "goal", "overall", "points", "recall"]
METRICS: tuple[Metric, ...] = ("believability", "goal", "overall", "points", "recall")
"""Believability and goal, 0 to 10, as the paper plots them (the first after the penalty); the mean
of the seven; the part of the most points that one could have; the part of the evidence that came
to mind."""


class CharacterEpisode(Struct, kw_only=True):
    """One character in one episode, with what its judges gave it."""

    arm: str
    life: int
    world: str
    episode: int
    scenario: str
    hard: bool
    character: str
    cursor: int
    """The seq at which the episode closed."""
    scores: dict[str, dict[str, float]] = msgspec.field(default_factory=dict)
    """By judge."""
    values: dict[str, float] = msgspec.field(default_factory=dict)
    """By metric: only those that there is a value of."""


class LifeTally(Struct):
    """All that one life came to, as far as it was played: in figures, and as its judges saw it."""

    arm: str
    life: int
    world: str
    seen: list[CharacterEpisode] = msgspec.field(default_factory=list)
    figures: Tally = msgspec.field(default_factory=Tally)


def tally(events: Iterable[Event], arm: str, life: int, chain: Chain) -> LifeTally:
    """The fold of one world."""
    world, judges = chain.world, chain.plan.judges
    scenarios = {one.name: one for one in chain.setting.scenarios}
    found = LifeTally(arm, life, world)
    opened: EpisodeOpened | None = None
    now: dict[str, CharacterEpisode] = {}
    for event in events:
        found.figures.take(event)
        match event.body:
            case EpisodeOpened() as opened:
                now = {}
            case EpisodeClosed() if opened is not None:
                hard = bool(opened.name in scenarios and scenarios[opened.name].needs)
                for who in opened.cast:
                    one = CharacterEpisode(
                        arm=arm,
                        life=life,
                        world=world,
                        episode=event.episode,
                        scenario=opened.name,
                        hard=hard,
                        character=who,
                        cursor=event.seq,
                    )
                    now[who] = one
                    found.seen.append(one)
            case Reviewed(judge, scores) if event.episode and opened is not None:
                _review(now, opened, judge, scores, event.actor, scenarios)
    for one in found.seen:
        _value(one, judges)
    return found


def _review(
    now: Mapping[str, CharacterEpisode],
    opened: EpisodeOpened,
    judge: str,
    scores: Mapping[str, float],
    who: str | None,
    scenarios: Mapping[str, Scenario],
) -> None:
    if judge == POINTS:
        worth = scenarios[opened.name].worth if opened.name in scenarios else {}
        for name, score in scores.items():
            most = points(opened.pool, worth.get(name, {}))
            if name in now and most:
                now[name].scores[POINTS] = {POINTS: score, "share": score / most}
    elif who is not None and who in now:
        now[who].scores[judge] = dict(scores)


def _value(one: CharacterEpisode, judges: Mapping[str, Judging]) -> None:
    """What the verdicts come to. Believability needs both its judges, where the plan names both."""
    by = {kind: _first(one, judges, kind) for kind in ("dimensions", "checklist", "evidence")}
    seven, checks, evidence = by["dimensions"], by["checklist"], by["evidence"]
    wanted = any(judge.by == "checklist" for judge in judges.values())
    if seven is not None:
        one.values["goal"], one.values["overall"] = seven["goal"], seven[OVERALL]
        if checks is not None or not wanted:
            failed = sum((checks or {}).get(name) == FAILED for name in CHECKS)
            one.values["believability"] = believable(seven["believability"], failed)
    if evidence is not None:
        one.values["recall"] = evidence["recall"]
    if POINTS in one.scores:
        one.values["points"] = one.scores[POINTS]["share"]


def _first(
    one: CharacterEpisode, judges: Mapping[str, Judging], kind: str
) -> dict[str, float] | None:
    """The verdict of the first judge of a kind."""
    names = [name for name, judge in judges.items() if judge.by == kind]
    return one.scores.get(names[0]) if names else None
