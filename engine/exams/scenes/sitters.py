"""Judges who sit in the episodes of a life, and which of them sat in which: its world says so, by the
plans that it was played by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from whoknew.engine.errors import BrokenPart, NoSuchPart
from whoknew.engine.exams.arms import ExamJudge, judge_of
from whoknew.engine.plan.planned import written
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import EpisodeClosed, Planned


class Sitters:
    """Of the judges of an exam those who sit `now`, event by event: what each was called, and is called
    in the exam. One that was another then, in its model or its settings, is none of them."""

    def __init__(self, judges: Sequence[ExamJudge]) -> None:
        self._names = {judge.digest: judge.name for judge in judges}
        self.now: dict[str, str] = {}

    def take(self, event: Event) -> None:
        if isinstance(event.body, Planned):
            self.now = dict(self._known(event.body))

    @property
    def absent(self) -> frozenset[str]:
        """Those who do not sit."""
        return frozenset(self._names.values()).difference(self.now.values())

    def _known(self, planned: Planned) -> Iterator[tuple[str, str]]:
        for name, judging in written(planned).plan.judges.items():
            with suppress(NoSuchPart, BrokenPart):  # nobody brings it any more: it is none of them
                if ours := self._names.get(judge_of(name, judging).digest):
                    yield name, ours


async def absent(log: Log, world: str, judges: Sequence[ExamJudge]) -> frozenset[str]:
    """The judges who did not sit in each episode that a world has so far; nobody, where there is no
    such world: all of them will."""
    there = await log.store.find(world)
    if there is None or not await _ever(log, world, there.head, judges):
        return frozenset()
    sitters, found = Sitters(judges), frozenset[str]()
    async for event in await log.director(world):
        sitters.take(event)
        if isinstance(event.body, EpisodeClosed):
            found |= sitters.absent
    return found


async def _ever(log: Log, world: str, head: int, judges: Sequence[ExamJudge]) -> bool:
    """Whether any of them was ever absent: told by the plans of the world alone."""
    sitters, found = Sitters(judges), frozenset[str]()
    for event in await log.landmarks(world, head):
        sitters.take(event)
        if isinstance(event.body, Planned):
            found |= sitters.absent
    return bool(found)
