"""What a judge lets pass: how often it takes answers of which it is known what they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from statistics import mean

from msgspec import Struct, field

from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.cells import Unit
from whoknew.engine.exams.exam_log import key_of
from whoknew.engine.exams.planted import KINDS, Planted, PlantedKind, planted_by_rule, spot_of
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

    @property
    def told(self) -> str:
        """How many it took, in words."""
        failed = f", {self.failed:,} failed" if self.failed else ""
        return f"{self.taken:,} of {self.number:,}{failed}"


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
    """What judges said of the answers that are planted in what is `asked`, as the log of an exam has it."""

    def __init__(self, asked: Sequence[Unit]) -> None:
        self._asked = asked
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

    def cards(self, judges: Sequence[ExamJudge]) -> tuple[JudgeCard, ...]:
        """The cards of the judges who heard any of these answers."""
        if not self._heard:
            return ()
        found = ((judge, self._standing(judge)) for judge in judges)
        return tuple(_card(judge, heard) for judge, heard in found if heard)

    @cached_property
    def _plants(self) -> list[Planted]:
        return planted_by_rule(self._asked)

    def _standing(self, judge: ExamJudge) -> list[tuple[PlantedKind, _Heard]]:
        """What a judge said of each answer that is planted. What an answer that leaks says hangs on the rest
        of its world: there it is the last that was heard."""
        heard = {key: one for key, one in self._heard.get(judge.digest, {}).items() if one.over}
        last = {key.rpartition(" ")[0]: one for key, one in heard.items()}
        found: list[tuple[PlantedKind, _Heard]] = []
        for plant in self._plants:
            if one := heard.get(plant.key(judge)):
                found.append((plant.kind, one))
            if plant.kind == "perfect" and (one := last.get(spot_of("leaking", plant.unit))):
                found.append(("leaking", one))
        return found


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
