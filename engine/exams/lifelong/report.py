"""What an exam came to: its table, its curves, its secrets; all of it folded from the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from whoknew.engine.exams.arms import ExamArm
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.figures import mean_of_means
from whoknew.engine.exams.lifelong.lifelong_exam import LifelongExam
from whoknew.engine.exams.lifelong.lives import led
from whoknew.engine.exams.lifelong.secrets import SecretTold, keepers, kept, secrets
from whoknew.engine.exams.lifelong.tally import METRICS, CharacterEpisode, LifeTally, Metric, tally
from whoknew.engine.opening import without_password
from whoknew.engine.playing.panel import REVIEW
from whoknew.engine.playing.tally import Tally
from whoknew.engine.running.fitting import check
from whoknew.eventlog import Log

PARTS = ("ordinary", "hard")


class Figure(Struct, frozen=True):
    """The mean over lives of a life's own mean; the sample deviation over lives; how many lives and
    how many values there are. None where there is nothing to take a mean of."""

    mean: float | None
    deviation: float | None
    lives: int
    values: int

    @property
    def error(self) -> float | None:
        """The standard error of the mean."""
        return None if self.deviation is None else self.deviation / self.lives**0.5


class ArmRow(Struct, frozen=True, kw_only=True):
    """One arm of the table."""

    arm: str
    model: str
    memory: str
    figures: dict[str, dict[str, Figure]]
    """By part (ordinary, hard), then by metric."""
    lives: int
    episodes: int
    planned: int
    failures: int
    skipped: int
    forgotten: int
    calls: int
    tokens: int
    money: float | None


class Point(Struct, frozen=True):
    """One episode of a curve; `behind` are the world and cursor of each life that it is made of."""

    episode: int
    hard: bool
    figure: Figure
    behind: tuple[tuple[str, int], ...]


class Curve(Struct, frozen=True):
    arm: str
    metric: Metric
    points: tuple[Point, ...]


class ExamReport(Struct, frozen=True, kw_only=True):
    name: str
    bank: str
    relationship: str
    log: str
    episodes: int
    hard: int
    judges: dict[str, str]
    rows: tuple[ArmRow, ...]
    curves: tuple[Curve, ...]
    secrets: tuple[SecretTold, ...]
    kept: dict[str, tuple[float, ...]]
    """By arm: the part of the characters' secrets that nobody else knows after each episode."""

    @property
    def finished(self) -> bool:
        return all(one.episodes == one.planned for one in self.rows)


async def report(log: Log, exam: LoadedExam, address: str) -> ExamReport:
    """The report of all that was played so far."""
    found = led(exam)
    await check(log, [one.chain for one in found])
    there = {one.name for one in await log.worlds()}
    tallies: list[LifeTally] = []
    told: list[SecretTold] = []
    holders: dict[str, set[tuple[str, str]]] = {arm.name: set() for arm in exam.arms}
    for one in found:
        arm, world = one.arm.name, one.chain.world
        events = await (await log.director(world)).events() if world in there else []
        tallies.append(tally(events, arm, one.number, one.chain))
        if events:
            told += secrets(events, await log.knowledge(world), arm)
        holders[arm] |= {(world, who) for who in keepers(events)}
    kind = exam.kind
    assert isinstance(kind, LifelongExam)
    _, bank = kind.people_and_bank(exam.beside)
    return ExamReport(
        name=exam.plan.name,
        bank=bank.name,
        relationship=bank.relationship,
        log=without_password(address),
        episodes=kind.episodes,
        hard=kind.hard,
        judges={
            one.name: one.judging.model if one.judging.asks else one.judging.by
            for one in exam.judges
        },
        rows=tuple(_row(arm, kind.episodes + kind.hard, tallies) for arm in exam.arms),
        curves=tuple(_curves(tallies)),
        secrets=tuple(told),
        kept={arm: kept(arm, tallies, told, some) for arm, some in holders.items()},
    )


def _row(arm: ExamArm, episodes: int, tallies: Sequence[LifeTally]) -> ArmRow:
    mine = [one for one in tallies if one.arm == arm.name]
    whole = Tally()
    for one in mine:
        whole.join(one.figures, one.world)
    return ArmRow(
        arm=arm.name,
        model=arm.told("model"),
        memory=arm.told("memory"),
        figures={part: _figures(mine, hard=part == "hard") for part in PARTS},
        lives=sum(bool(one.figures.closed) for one in mine),
        episodes=whole.closed,
        planned=len(mine) * episodes,
        failures=whole.failed[REVIEW],
        skipped=whole.failed["turn"],
        forgotten=whole.failed["memory"],
        calls=whole.spent.calls,
        tokens=whole.spent.tokens,
        money=None if whole.money is None else round(whole.money, 6),
    )


def _figures(tallies: Sequence[LifeTally], *, hard: bool) -> dict[str, Figure]:
    return {
        metric: figure(
            [one.values[metric] for one in life.seen if one.hard == hard and metric in one.values]
            for life in tallies
        )
        for metric in METRICS
    }


def figure(values: Iterable[Sequence[float]]) -> Figure:
    """The figure of several lives, each with its own values."""
    found = mean_of_means(values)
    return Figure(found.mean, found.deviation, found.clusters, found.number)


def _curves(tallies: Sequence[LifeTally]) -> Iterable[Curve]:
    arms = dict.fromkeys(one.arm for one in tallies)
    for arm in arms:
        mine = [_by_episode(one) for one in tallies if one.arm == arm]
        last = max((number for life in mine for number in life), default=0)
        for metric in METRICS:
            points = [_point(mine, metric, number) for number in range(1, last + 1)]
            found = tuple(one for one in points if one.figure.values)
            if found:
                yield Curve(arm, metric, found)


def _by_episode(life: LifeTally) -> dict[int, list[CharacterEpisode]]:
    found: dict[int, list[CharacterEpisode]] = {}
    for one in life.seen:
        found.setdefault(one.episode, []).append(one)
    return found


def _point(
    lives: Sequence[Mapping[int, list[CharacterEpisode]]], metric: Metric, number: int
) -> Point:
    seen = [[one for one in life.get(number, ()) if metric in one.values] for life in lives]
    return Point(
        number,
        any(one.hard for life in seen for one in life),
        figure([one.values[metric] for one in life] for life in seen),
        tuple((life[0].world, life[0].cursor) for life in seen if life),
    )


def read_report(text: bytes) -> ExamReport:
    """A report that was written as JSON."""
    return msgspec.json.decode(text, type=ExamReport)
