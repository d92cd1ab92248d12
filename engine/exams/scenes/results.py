"""What came of the scenes of an exam: one fold of its log, and of the worlds that they were played in."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from statistics import mean

from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.results import CellResult, ExamResults
from whoknew.engine.exams.scenes.scene import SceneCell, chain_of, scene_cells
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.playing.tally import Tally
from whoknew.engine.running.fitting import fits
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import (
    Acted,
    Called,
    EpisodeOpened,
    Failed,
    GoalGiven,
    Reviewed,
    ScenePlayed,
)
from whoknew.worlds.beginning import POINTS
from whoknew.worlds.drafting import points

SHARE = "share"
"""Of points: the part of the most that one could have had."""


async def scene_results(log: ExamLog, exam: LoadedExam, units: Sequence[SceneUnit]) -> ExamResults:
    """The cells of an exam as its log has them."""
    fold = SceneFold(exam, scene_cells(exam, units))
    async for event in log.read():
        fold.take(event)
    there = {world.name for world in await log.log.worlds()}
    for one in fold.cells.values():
        if one.cell.world in there:
            await _look(one, log.log, exam)
    return ExamResults([one.result() for one in fold.cells.values()], fold.others)


async def scene_result(log: ExamLog, exam: LoadedExam, cell: SceneCell) -> CellResult:
    """One of them."""
    fold = SceneFold(exam, [cell])
    for key in (cell.key, *(cell.review(judge) for judge in exam.judges)):
        for event in await log.all_of(key):
            fold.take(event)
    found = fold.cells[cell.key]
    if await log.log.store.find(cell.world) is not None:
        await _look(found, log.log, exam)
    return found.result()


async def _look(one: SceneTally, log: Log, exam: LoadedExam) -> None:
    """Take in the world of a scene. One that is named by its arm alone, not by all that decides it,
    may have been played by another plan: then it is none of this exam."""
    if one.cell.heard or await fits(log, chain_of(exam, one.cell)):
        events = await (await log.director(one.cell.world)).events()
        await asyncio.to_thread(one.look, events)


class SceneTally:
    """All that one scene came to, event by event."""

    def __init__(self, cell: SceneCell, judges: Container[str]) -> None:
        self.cell, self.tally, self._judges = cell, Tally(), judges
        self.found = CellResult(cell=cell)
        self._played = False
        self._scores: dict[str, list[float]] = {}
        self._failed, self._acted = Counter[str](), set[str]()

    def outcome(self, event: Event) -> None:
        """What the exam's log says of it."""
        match event.body:
            case ScenePlayed(upto=upto, hash=digest):
                self._played, self.found.seq, self.found.failure = True, event.seq, None
                self.found.upto, self.found.hash = upto, digest
            case Failed(_, error):
                self.found.failure = error

    def review(self, event: Event, judge: str) -> None:
        match event.body:
            case Called() as called:
                self.found.judged.add(called)
            case Reviewed(_, scores, reason):
                for name, score in scores.items():
                    side, _, what = name.partition(".")
                    self._score(f"{judge}.{what}", side, score)
                before = self.found.reasons.get(judge)
                self.found.reasons[judge] = f"{before}\n{reason}" if before else reason
                self.found.unreviewed.pop(judge, None)
            case Failed(_, error):
                self.found.unreviewed[judge] = error.partition(": ")[2]

    def look(self, events: Iterable[Event]) -> None:
        """What the world says that it was played in."""
        pool: dict[str, int] = {}
        worth: dict[str, dict[str, int]] = {}
        for event in events:
            self.tally.take(event)
            match event.body:
                case EpisodeOpened(pool=given):
                    pool, worth = given, {}
                case GoalGiven(owner, _, values) if values:
                    worth[owner] = values
                case Acted() if event.actor:
                    self._acted.add(event.actor)
                case Failed("turn") if event.actor:
                    self._failed[event.actor] += 1
                case Reviewed(judge, scores) if judge == POINTS:
                    for who, score in scores.items():
                        if most := points(pool, worth.get(who, {})):
                            name = f"{POINTS}.{SHARE}"
                            self._score(name, self.cell.unit.role(who), score / most)
                case Reviewed(judge, scores) if event.actor and self._sat(judge):
                    side = self.cell.unit.role(event.actor)
                    for name, score in scores.items():
                        self._score(f"{judge}.{name}", side, score)
        self.found.asked.join(self.tally.spent)

    def _sat(self, judge: str) -> bool:
        """Whether a judge of the exam sat in the episodes."""
        return not self.cell.heard and judge in self._judges

    def result(self) -> CellResult:
        """The cell. Of somebody who was never heard, because each of its turns failed, nothing can be
        said, nor of whoever was with it."""
        found, tally = self.found, self.tally
        self._played |= tally.closed >= self.cell.unit.count
        silent = [who for who in self._failed if who not in self._acted]
        if self._played and silent:
            found.failure = f"each turn of {silent[0]} failed: {self._failed[silent[0]]} of them"
        elif self._played:
            found.answer = f"{tally.closed} episodes, {tally.turns} turns"
            found.scores = {name: mean(scores) for name, scores in self._scores.items()}
        return found

    def _score(self, name: str, side: str, score: float) -> None:
        """For both sides together, and for each."""
        for key in (name, f"{name}.{side}"):
            self._scores.setdefault(key, []).append(score)


class SceneFold:
    """All scenes of an exam, by their keys."""

    def __init__(self, exam: LoadedExam, cells: Iterable[SceneCell]) -> None:
        judges = {judge.name for judge in exam.judges}
        self.cells = {cell.key: SceneTally(cell, judges) for cell in cells}
        self.others = Counter[str]()
        self._units = {one.cell.unit.id for one in self.cells.values()}
        self._arms = {arm.digest for arm in exam.arms}
        self._repeats = exam.plan.repeats
        self._reviews = {
            one.cell.review(judge): (one, judge.name)
            for one in self.cells.values()
            for judge in exam.judges
        }

    def take(self, event: Event) -> None:
        key = (event.key or "")[:32]
        if one := self.cells.get(key):
            one.outcome(event)
        elif found := self._reviews.get(key):
            found[0].review(event, found[1])
        elif isinstance(event.body, ScenePlayed):
            self.others[self._why(event.body)] += 1

    def _why(self, played: ScenePlayed) -> str:
        """What about a scene that was played is not of this exam as its plan now is."""
        if played.arm not in self._arms:
            return "arms"
        if played.unit not in self._units:
            return "scenes"
        return "repeats" if played.repeat > self._repeats else "seeds"
