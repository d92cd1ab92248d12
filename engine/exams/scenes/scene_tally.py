"""All that one scene came to, event by event: of the exam's log, and of the world that it was played in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from statistics import mean
from typing import NamedTuple

from whoknew.engine.exams.cell_result import CellResult, EpisodeResult
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.scenes.scene import SceneCell
from whoknew.engine.exams.scenes.sitters import Sitters
from whoknew.engine.playing.panel import REVIEW
from whoknew.engine.playing.spent import Spent
from whoknew.engine.playing.tally import Tally
from whoknew.eventlog import Event
from whoknew.eventlog.counted import counted
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


class _Given(NamedTuple):
    """A score, as JUDGE.SCORE, that somebody was given; in an episode, where that is known."""

    name: str
    who: str
    score: float
    episode: int


class SceneTally:
    """What there is of a scene so far. `upto` is how far its world was read."""

    def __init__(self, cell: SceneCell, exam: LoadedExam) -> None:
        assert isinstance(exam.kind, SceneKind)
        self.cell, self._exam, self._kind = cell, exam, exam.kind
        self._played = False
        self._seq, self._upto, self._hash = 0, 0, ""
        self._failure: str | None = None
        self._judged, self._reviewed = Spent(), list[_Given]()
        self._reasons, self._unreviewed = dict[str, str](), dict[str, str]()
        self.forget_world()

    def forget_world(self) -> None:
        """As if nothing of its world had been read."""
        self.upto, self.hash = 0, b""
        self._tally, self._sitters = Tally(), Sitters(self._exam.judges)
        self._names, self._closed = dict[int, str](), dict[int, int]()
        self._pool, self._worth = dict[str, int](), dict[str, dict[str, int]]()
        self._sat_in = list[_Given]()
        self._missed: dict[tuple[int, str, str], str] = {}
        """Reviews that failed in an episode, of a judge, of somebody: why."""
        self._failed, self._acted = Counter[str](), set[str]()

    def outcome(self, event: Event) -> None:
        """What the exam's log says of it."""
        match event.body:
            case ScenePlayed(upto=upto, hash=digest):
                self._played, self._seq, self._failure = True, event.seq, None
                self._upto, self._hash = upto, digest
            case Failed(_, error):
                self._failure = error

    def review(self, event: Event, judge: str) -> None:
        """What a judge says of it who was heard when it was over."""
        match event.body:
            case Called() as called:
                self._judged.add(called)
            case Reviewed(_, scores, reason, _, episode):
                for name, score in scores.items():
                    side, _, what = name.partition(".")
                    who = self.cell.unit.sides.get(side, side)
                    self._reviewed.append(_Given(f"{judge}.{what}", who, score, episode))
                said = (self._reasons.get(judge), reason)
                self._reasons[judge] = "\n".join(filter(None, said))
                self._unreviewed.pop(judge, None)
            case Failed(_, error):
                self._unreviewed[judge] = error.partition(": ")[2]

    def look(self, events: Iterable[Event]) -> None:
        """What the world says that it was played in; what comes later, with the next look."""
        for event in events:
            self.upto = event.seq
            self._tally.take(event)
            self._sitters.take(event)
            match event.body:
                case EpisodeOpened(pool=pool):
                    self._pool, self._worth = pool, {}
                    self._names[event.episode] = event.body.name
                case EpisodeClosed():
                    self._closed[event.episode] = event.seq
                case GoalGiven(owner, _, values) if values:
                    self._worth[owner] = values
                case Acted() if event.actor:
                    self._acted.add(event.actor)
                case Failed("turn") if event.actor:
                    self._failed[event.actor] += 1
                case Failed(what, error) if what == REVIEW and event.actor:
                    judge, why = error.split(": ", 1)
                    if ours := self._sat(judge):
                        self._missed[event.episode, ours, event.actor] = why
                case Reviewed(judge, scores) if judge == POINTS:
                    for who, score in scores.items():
                        if most := points(self._pool, self._worth.get(who, {})):
                            self._give(f"{POINTS}.{SHARE}", who, score / most, event)
                case Reviewed(judge, scores) if event.actor and (ours := self._sat(judge)):
                    for name, score in scores.items():
                        self._give(f"{ours}.{name}", event.actor, score, event)

    def _give(self, name: str, who: str, score: float, event: Event) -> None:
        self._sat_in.append(_Given(name, who, score, event.episode))

    def _sat(self, judge: str) -> str | None:
        """What a judge who sits in the episodes is called in the exam, if it is one of its own."""
        return None if self.cell.heard else self._sitters.now.get(judge)

    def result(self) -> CellResult:
        """The cell as it stands. Of somebody who was never heard, because each of its turns failed,
        nothing can be said, nor of whoever was with it."""
        asked, judged = Spent(), Spent()
        asked.join(self._tally.spent)
        judged.join(self._judged)
        given = [*self._reviewed, *self._sat_in]
        episodes = self._episodes(given)
        given += self._made(episodes)
        found = CellResult(
            cell=self.cell,
            seq=self._seq,
            upto=self._upto,
            hash=self._hash,
            failure=self._failure,
            reasons=dict(self._reasons),
            unreviewed={**self._unreviewed, **self._unheard(episodes)},
            episodes=tuple(one for _, one in sorted(episodes.items()) if one.cursor),
            asked=asked,
            judged=judged,
        )
        silent = [who for who in self._failed if who not in self._acted]
        if self._is_over and silent:
            found.failure = f"each turn of {silent[0]} failed: {self._failed[silent[0]]} of them"
        elif self._is_over:
            closed, turns = self._tally.closed, self._tally.turns
            found.answer = f"{counted(closed, 'episode')}, {counted(turns, 'turn')}"
            found.scores = self._scores(given)
            for judge in {name.partition(".")[0] for name in found.scores}:
                found.unreviewed.pop(judge, None)
        return found

    @property
    def _is_over(self) -> bool:
        return self._played or self._tally.closed >= self.cell.unit.count

    def _episodes(self, given: Iterable[_Given]) -> dict[int, EpisodeResult]:
        """All that is known of each: what each in it was given, and which reviews of it failed and
        were not had since."""
        found = {
            number: EpisodeResult(number, name, self._closed.get(number, 0))
            for number, name in self._names.items()
        }
        for one in given:
            if one.episode:
                episode = found.setdefault(one.episode, EpisodeResult(one.episode))
                episode.scores.setdefault(one.who, {})[one.name] = one.score
        for number, judge, who in self._missed:
            episode = found.setdefault(number, EpisodeResult(number))
            if not any(name.startswith(f"{judge}.") for name in episode.scores.get(who, ())):
                episode.missed += ((judge, who),)
        return found

    def _unheard(self, episodes: dict[int, EpisodeResult]) -> dict[str, str]:
        """A judge that fails in one of many episodes has failed there alone: it is counted, and where
        it gave nothing at all it has no score."""
        return {
            judge: why
            for (number, judge, who), why in self._missed.items()
            if (judge, who) in episodes[number].missed
        }

    def _made(self, episodes: dict[int, EpisodeResult]) -> list[_Given]:
        """What the kind of the exam makes of all that each was given."""
        scenarios = {one.name: one for one in self.cell.unit.setting.scenarios}
        found: list[_Given] = []
        for number, episode in episodes.items():
            for who, scores in episode.scores.items():
                made = self._kind.made(scenarios.get(episode.name), scores, self._exam.judges)
                found += [_Given(name, who, score, number) for name, score in made.items()]
        for one in found:
            episodes[one.episode].scores[one.who][one.name] = one.score
        return found

    def _scores(self, given: Iterable[_Given]) -> dict[str, float]:
        """For both sides together, and for each."""
        found: dict[str, list[float]] = {}
        for one in given:
            for key in (one.name, f"{one.name}.{self.cell.unit.role(one.who)}"):
                found.setdefault(key, []).append(one.score)
        return {name: mean(scores) for name, scores in found.items()}
