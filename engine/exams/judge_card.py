"""What a judge lets pass: how often it takes answers of which it is known what they are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean

from msgspec import Struct, field

from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.cells import Unit
from whoknew.engine.exams.exam_log import key_of
from whoknew.engine.exams.planted import KINDS, PlantedKind, spot_of
from whoknew.engine.playing.spent import Spent
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Called, Failed, JudgeAdded, Reviewed

Scores = dict[str, float]


class PlantedFigures(Struct, frozen=True, kw_only=True):
    """Of so many answers of one kind it judged `number`, and took `taken` of those: gave them half of its
    scale or more. Of `failed` it gave no verdict that could be understood, or none that has this score."""

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


class _Heard(Struct):
    """What a judge said of one answer: no scores where that failed."""

    scores: Scores | None = None
    over: bool = False
    spent: Spent = field(default_factory=Spent)


class CardFold:
    """What judges said of planted answers, as the log of an exam has it."""

    def __init__(self) -> None:
        self._judges: dict[int, str] = {}
        self._heard: dict[str, dict[str, _Heard]] = {}
        """By judge, under the key of the answer."""

    def take(self, event: Event) -> None:
        body = event.body
        if isinstance(body, JudgeAdded):
            self._judges[event.seq] = body.digest
        digest = self._judges.get(event.cause or 0)
        if digest is None or event.key is None:
            return
        heard = self._heard.setdefault(digest, {}).setdefault(key_of(event), _Heard())
        if isinstance(body, Called):
            heard.spent.add(body)
        elif isinstance(body, Reviewed | Failed):
            heard.over, heard.scores = True, body.scores if isinstance(body, Reviewed) else None

    def cards(self, judges: Sequence[ExamJudge], asked: Sequence[Unit]) -> tuple[JudgeCard, ...]:
        """The cards of the judges who heard any that is planted in what is asked now."""
        if not self._heard:
            return ()
        spots: dict[str, PlantedKind] = {
            spot_of(kind, unit): kind for unit in asked for kind in KINDS
        }
        found = ((judge, self._standing(judge, spots)) for judge in judges)
        return tuple(_card(judge, heard) for judge, heard in found if heard)

    def _standing(
        self, judge: ExamJudge, spots: Mapping[str, PlantedKind]
    ) -> list[tuple[PlantedKind, _Heard]]:
        """What a judge said of each answer that is planted: of those at one spot, which changes with
        what stands around it, the last."""
        last = {
            spot: one
            for key, one in self._heard.get(judge.digest, {}).items()
            if one.over and (spot := key.rpartition(" ")[0]) in spots
        }
        return [(spots[spot], one) for spot, one in last.items()]


def _card(judge: ExamJudge, heard: Sequence[tuple[PlantedKind, _Heard]]) -> JudgeCard:
    spent = Spent()
    for _, one in heard:
        spent.join(one.spent)
    name = next((name for _, one in heard for name in one.scores or ()), "")
    by_kind = {kind: [one.scores for its, one in heard if its == kind] for kind in KINDS}
    return JudgeCard(
        judge=judge.name,
        digest=judge.digest,
        score=name,
        kinds={kind: _figures(judge, name, some) for kind, some in by_kind.items() if some},
        calls=spent.calls,
        tokens=spent.tokens,
        money=spent.dollars,
    )


def _figures(judge: ExamJudge, name: str, heard: Sequence[Scores | None]) -> PlantedFigures:
    given = [scores[name] for scores in heard if scores and name in scores]
    return PlantedFigures(
        number=len(given),
        taken=sum(map(judge.takes, given)),
        mean=mean(given) if given else None,
        failed=len(heard) - len(given),
    )
