"""What a judge lets pass: how often it takes answers of which it is known what they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from msgspec import Struct

from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.planted import KINDS, kind_of
from whoknew.engine.playing.spent import Spent
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Called, Failed, JudgeAdded, Reviewed

Scores = dict[str, float]


class PlantedFigures(Struct, frozen=True, kw_only=True):
    """Of so many answers of one kind it judged `number`, and took `taken` of those: gave them half of its
    scale or more. Of `failed` it gave no verdict that could be understood."""

    number: int
    taken: int
    mean: float | None
    failed: int


class JudgeCard(Struct, frozen=True, kw_only=True):
    """One judge, by the first score that it gives, and by kind of planted answer; and what that took."""

    judge: str
    digest: str
    score: str
    kinds: dict[str, PlantedFigures]
    calls: int
    tokens: int
    money: float | None


class CardFold:
    """What judges said of planted answers, as the log of an exam has it."""

    def __init__(self) -> None:
        self._judges: dict[int, str] = {}
        self._heard: dict[str, dict[str, Scores | None]] = {}
        """By judge, under the key of the answer: nothing where that failed."""
        self._spent: dict[str, Spent] = {}

    def take(self, event: Event) -> None:
        body = event.body
        if isinstance(body, JudgeAdded):
            self._judges[event.seq] = body.digest
        digest = self._judges.get(event.cause or 0)
        if digest is None or event.key is None:
            return
        if isinstance(body, Called):
            self._spent.setdefault(digest, Spent()).add(body)
        elif isinstance(body, Reviewed | Failed):
            scores = body.scores if isinstance(body, Reviewed) else None
            self._heard.setdefault(digest, {})[event.key.partition("!")[0]] = scores

    def cards(self, judges: Sequence[ExamJudge]) -> tuple[JudgeCard, ...]:
        """The cards of the judges who heard any."""
        return tuple(self._card(judge) for judge in judges if judge.digest in self._heard)

    def _card(self, judge: ExamJudge) -> JudgeCard:
        heard = self._heard[judge.digest]
        spent = self._spent.get(judge.digest, Spent())
        name = next((name for scores in heard.values() for name in scores or ()), "")
        by_kind = {
            kind: [scores for key, scores in heard.items() if kind_of(key) == kind]
            for kind in KINDS
        }
        return JudgeCard(
            judge=judge.name,
            digest=judge.digest,
            score=name,
            kinds={kind: _figures(judge, name, some) for kind, some in by_kind.items() if some},
            calls=spent.calls,
            tokens=spent.tokens,
            money=None if spent.unpriced else round(spent.money, 6),
        )


def _figures(judge: ExamJudge, name: str, heard: Sequence[Scores | None]) -> PlantedFigures:
    given = [scores[name] for scores in heard if scores and name in scores]
    return PlantedFigures(
        number=len(given),
        taken=sum(map(judge.takes, given)),
        mean=mean(given) if given else None,
        failed=heard.count(None),
    )
