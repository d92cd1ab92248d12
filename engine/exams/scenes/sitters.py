"""Judges who sit in the episodes of a life, and which of them sat in which: its world says so, by the
plans that it was played by."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress

from whoknew.engine.errors import BrokenPart, NoSuchPart
from whoknew.engine.exams.arms import ExamJudge, judge_of
from whoknew.engine.exams.scenes.scene import SceneCell
from whoknew.engine.exams.session import DueReview
from whoknew.engine.plan.plan import Plan
from whoknew.engine.plan.planned import written
from whoknew.engine.playing.panel import REVIEW
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import EpisodeClosed, Failed, Planned


class Sitters:
    """Of the judges of an exam those who sit `now`, event by event: what each was called, and is called
    in the exam. One that was another then, in its model or its settings, is none of them."""

    def __init__(self, judges: Sequence[ExamJudge]) -> None:
        self._names = {judge.digest: judge.name for judge in judges}
        self.now: dict[str, str] = {}

    def take(self, event: Event) -> None:
        if isinstance(event.body, Planned):
            found = written(event.body, f"{event.world!r} #{event.seq}")
            self.now = dict(self._known(found.plan))

    @property
    def absent(self) -> frozenset[str]:
        """Those who do not sit."""
        return frozenset(self._names.values()).difference(self.now.values())

    def _known(self, plan: Plan) -> Iterator[tuple[str, str]]:
        for name, judging in plan.judges.items():
            with suppress(NoSuchPart, BrokenPart):  # nobody brings it any more: it is none of them
                if ours := self._names.get(judge_of(name, judging).digest):
                    yield name, ours


Missed = Mapping[str, Mapping[int, frozenset[str]]]
"""Of judges who sat in a world, in which episodes they failed to say anything of whom."""


def due(
    cell: SceneCell, judges: Sequence[ExamJudge], absent: Container[str], missed: Missed
) -> Iterator[DueReview]:
    """What judges are to say of a scene when it is over: those who hear it then, those who were absent
    from some of it; and those who missed somebody, of these episodes anew."""
    for judge in judges:
        if cell.heard or judge.name in absent:
            yield DueReview(judge, cell.review(judge))
        for episode, people in missed.get(judge.name, {}).items():
            yield DueReview(judge, cell.review(judge, episode), episode, people)


async def missed(log: Log, world: str, judges: Sequence[ExamJudge]) -> Missed:
    """The reviews that failed in the episodes of a world so far."""
    sitters, found = Sitters(judges), dict[str, dict[int, frozenset[str]]]()
    if await log.store.find(world) is None:
        return found
    async for event in await log.director(world):
        sitters.take(event)
        match event.body:
            case Failed(what, error) if what == REVIEW and event.actor:
                if ours := sitters.now.get(error.partition(": ")[0]):
                    episodes = found.setdefault(ours, {})
                    before = episodes.get(event.episode, frozenset())
                    episodes[event.episode] = before | {event.actor}
    return found


async def absent(log: Log, world: str, judges: Sequence[ExamJudge]) -> frozenset[str]:
    """The judges who did not sit in each episode that a world has so far; nobody, where there is no
    such world: all of them will."""
    there = await log.store.find(world)
    if there is None or not await _ever(log, world, there.head, judges):
        return frozenset()
    return frozenset[str]().union(*(await absences(log, world, judges)).values())


async def absences(log: Log, world: str, judges: Sequence[ExamJudge]) -> dict[int, frozenset[str]]:
    """The judges who did not sit in them, by the episodes that are over in a world that is there."""
    sitters, found = Sitters(judges), dict[int, frozenset[str]]()
    async for event in await log.director(world):
        sitters.take(event)
        if isinstance(event.body, EpisodeClosed):
            found[event.episode] = sitters.absent
    return found


async def _ever(log: Log, world: str, head: int, judges: Sequence[ExamJudge]) -> bool:
    """Whether any of them was ever absent: told by the plans of the world alone."""
    sitters, found = Sitters(judges), frozenset[str]()
    for event in await log.landmarks(world, head):
        sitters.take(event)
        if isinstance(event.body, Planned):
            found |= sitters.absent
    return bool(found)
