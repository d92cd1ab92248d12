"""What came of one cell of an exam."""

from __future__ import annotations

from msgspec import Struct, field

from whoknew.engine.exams.cells import ExamCell
from whoknew.engine.playing.spent import Spent


class EpisodeResult(Struct, omit_defaults=True):
    """An episode of a scene, which closed at the seq `cursor` of its world: what each who was in it was
    given, as JUDGE.SCORE; and which judges `missed` whom: their review failed, and was not had since."""

    number: int
    name: str = ""
    cursor: int = 0
    scores: dict[str, dict[str, float]] = field(default_factory=dict)
    missed: tuple[tuple[str, str], ...] = ()


class CellResult(Struct, kw_only=True):
    """One cell: its answer, or why there is none; the scores of its judges as JUDGE.SCORE, and of
    those that failed why. `hint` is what experts said, where some were asked. `seq` is where its probe stands, or that it was played: up to `upto` of its
    world, whose hash there is `hash`. A scene has `episodes`, so far as it was played."""

    cell: ExamCell
    seq: int = 0
    upto: int = 0
    hash: str = ""
    answer: str | None = None
    hint: str | None = None
    failure: str | None = None
    scores: dict[str, float] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    unreviewed: dict[str, str] = field(default_factory=dict)
    episodes: tuple[EpisodeResult, ...] = ()
    asked: Spent = field(default_factory=Spent)
    prompts: int = 0
    """Those that it was asked by, also where another's answer did for it."""
    leaking: int = 0
    """So many of them told too much."""
    refused: int = 0
    """Answers that its guard refused."""
    cut_to: int | None = None
    """Where its model's window could not hold what came to mind: how many tokens of it were left."""
    left_out: int = 0
    """How many were cut."""
    judged: Spent = field(default_factory=Spent)

    @property
    def begun(self) -> bool:
        return self.answer is not None or self.failure is not None
