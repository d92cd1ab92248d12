"""What came of the scenes of an exam: one fold of its log, and of the worlds that they were played in."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import mean

from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.results import CellResult, EpisodeResult, ExamResults
from whoknew.engine.exams.scenes.scene import SceneCell, chain_of, scene_cells
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.exams.scenes.sitters import Sitters
from whoknew.engine.playing.panel import REVIEW
from whoknew.engine.playing.tally import Tally
from whoknew.engine.running.fitting import parted
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import (
    Acted,
    Called,
    EpisodeClosed,
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
    assert isinstance(exam.kind, SceneKind)
    fold = SceneFold(exam, scene_cells(exam, units))
    async for event in log.read():
        fold.take(event)
    there = {world.name for world in await log.log.worlds()}
    remarks = [
        f"{one.cell.world} was played by another plan, and does not count: {how}"
        for one in fold.cells.values()
        if one.cell.world in there and (how := await _look(one, log.log, exam))
    ]
    cells = [one.result() for one in fold.cells.values()]
    findings = await exam.kind.findings(log.log, cells)
    return ExamResults(cells, fold.others, findings=findings, remarks=_few(remarks))


FEW = 3
"""So many worlds that do not count are told of one by one."""


def _few(remarks: Sequence[str]) -> tuple[str, ...]:
    left = len(remarks) - FEW
    more = [f"{left} more worlds were played by another plan, and do not count"] if left > 0 else []
    return (*remarks[:FEW], *more)


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


async def _look(one: SceneTally, log: Log, exam: LoadedExam) -> str:
    """Take in the world of a scene. One that is named by its arm alone, not by all that decides it,
    may have been played by another plan: then it is none of this exam, and what differs is said."""
    if not one.cell.heard and (how := await parted(log, chain_of(exam, one.cell))):
        return "; ".join(how)
    events = await (await log.director(one.cell.world)).events()
    await asyncio.to_thread(one.look, events)
    return ""


class SceneTally:
    """All that one scene came to, event by event."""

    def __init__(self, cell: SceneCell, exam: LoadedExam) -> None:
        assert isinstance(exam.kind, SceneKind)
        self.cell, self.tally, self._kind, self._judges = cell, Tally(), exam.kind, exam.judges
        self.found = CellResult(cell=cell)
        self._played, self._sitters = False, Sitters(exam.judges)
        self._scores: dict[str, list[float]] = {}
        self._episodes: dict[int, EpisodeResult] = {}
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
            case Reviewed(_, scores, reason, _, episode):
                for name, score in scores.items():
                    side, _, what = name.partition(".")
                    who = self.cell.unit.sides.get(side, side)
                    self._score(f"{judge}.{what}", who, score, episode)
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
            self._sitters.take(event)
            match event.body:
                case EpisodeOpened(pool=given):
                    pool, worth = given, {}
                    self._episode(event.episode).name = event.body.name
                case EpisodeClosed():
                    self._episode(event.episode).cursor = event.seq
                case GoalGiven(owner, _, values) if values:
                    worth[owner] = values
                case Acted() if event.actor:
                    self._acted.add(event.actor)
                case Failed("turn") if event.actor:
                    self._failed[event.actor] += 1
                case Failed(what, error) if what == REVIEW:
                    self._unheard(*error.split(": ", 1))
                case Reviewed(judge, scores) if judge == POINTS:
                    for who, score in scores.items():
                        if most := points(pool, worth.get(who, {})):
                            self._score(f"{POINTS}.{SHARE}", who, score / most, event.episode)
                case Reviewed(judge, scores) if event.actor and (ours := self._sat(judge)):
                    for name, score in scores.items():
                        self._score(f"{ours}.{name}", event.actor, score, event.episode)
        self.found.asked.join(self.tally.spent)

    def _sat(self, judge: str) -> str | None:
        """What a judge who sits in the episodes is called in the exam, if it is one of its own."""
        return None if self.cell.heard else self._sitters.now.get(judge)

    def _unheard(self, judge: str, why: str = "") -> None:
        """A judge that fails in one of many episodes has failed there alone: it is counted, and where
        it gave nothing at all it has no score."""
        if ours := self._sat(judge):
            self.found.unreviewed[ours] = why

    def result(self) -> CellResult:
        """The cell. Of somebody who was never heard, because each of its turns failed, nothing can be
        said, nor of whoever was with it."""
        found, tally = self.found, self.tally
        self._make()
        found.episodes = tuple(one for _, one in sorted(self._episodes.items()) if one.cursor)
        self._played |= tally.closed >= self.cell.unit.count
        silent = [who for who in self._failed if who not in self._acted]
        if self._played and silent:
            found.failure = f"each turn of {silent[0]} failed: {self._failed[silent[0]]} of them"
        elif self._played:
            found.answer = f"{tally.closed} episodes, {tally.turns} turns"
            found.scores = {name: mean(scores) for name, scores in self._scores.items()}
            for judge in {name.partition(".")[0] for name in found.scores}:
                found.unreviewed.pop(judge, None)
        return found

    def _make(self) -> None:
        """What the kind of the exam makes of all that each was given."""
        scenarios = {one.name: one for one in self.cell.unit.setting.scenarios}
        for number, episode in self._episodes.items():
            for who, scores in episode.scores.items():
                made = self._kind.made(scenarios.get(episode.name), scores, self._judges)
                for name, score in made.items():
                    self._score(name, who, score, number)

    def _score(self, name: str, who: str, score: float, episode: int) -> None:
        """For both sides together, and for each; and in an episode, where that is known."""
        for key in (name, f"{name}.{self.cell.unit.role(who)}"):
            self._scores.setdefault(key, []).append(score)
        if episode:
            self._episode(episode).scores.setdefault(who, {})[name] = score

    def _episode(self, number: int) -> EpisodeResult:
        return self._episodes.setdefault(number, EpisodeResult(number))


class SceneFold:
    """All scenes of an exam, by their keys."""

    def __init__(self, exam: LoadedExam, cells: Iterable[SceneCell]) -> None:
        self.cells = {cell.key: SceneTally(cell, exam) for cell in cells}
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
