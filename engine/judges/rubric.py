"""A mark that a model gives an answer by a rubric, with its reason: by one of ours, or one's own."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from whoknew.agents.errors import BadAnswer, BadPart
from whoknew.agents.prompts.text import filled, prompt
from whoknew.engine.judges.dimensions import Score
from whoknew.engine.judges.model_judge import ModelJudge, Read, Rubric, answer
from whoknew.engine.playing.judge import Bench, Judged, JudgeEntry, Needed
from whoknew.eventlog.nearest import nearest

MARK = "mark"

OURS = ("lifestate",)
"""The rubrics that are there, each a text `judge.rubric.NAME`."""

FILE = ".toml"
"""What a rubric of one's own in a file ends with."""

Marks = answer("Marks", {MARK: Score})


class RubricText(Struct, frozen=True, forbid_unknown_fields=True):
    """A rubric of one's own: what a model goes by, the worst and the best mark, whether it gives whole
    marks alone, and what of a question it has to be shown."""

    text: Annotated[str, Meta(min_length=1)]
    scale: tuple[float, float] = (0.0, 10.0)
    whole: bool = False
    needs: tuple[Needed, ...] = ("reference",)

    def __post_init__(self) -> None:
        least, most = self.scale
        if not least < most:
            raise ValueError(
                f"scale is {least:g} to {most:g}: give the worst mark first, and then the best"
            )

    def sheet(self) -> Rubric:
        """What a model is given to fill in."""
        least, most = self.scale
        marks = f"{'a whole number, ' if self.whole else ''}{least:g} to {most:g}"
        form = filled("judge.rubric.mark", marks=marks)
        return Rubric("judge.rubric", Marks, self.read, text=f"{self.text.strip()}\n\n{form}")

    def read(self, found: Any) -> Read:
        """The mark that a model's reply gives, as a score: one out of range, off the scale, is refused."""
        given: Score = getattr(found, MARK)
        least, most = self.scale
        if not least <= given.score <= most:
            raise BadAnswer(f'"{MARK}" is {given.score:g}, but should be {least:g} to {most:g}.')
        if self.whole and given.score != int(given.score):
            raise BadAnswer(f'"{MARK}" is {given.score:g}, but should be a whole number.')
        return {MARK: float(given.score)}, {MARK: given.reason}


class RubricEntry(JudgeEntry, frozen=True):
    """a model, a mark by a rubric: 0 to 10 beside a reference, or your own"""

    judges: ClassVar[tuple[Judged, ...]] = ("answer",)
    asks: ClassVar[bool] = True

    rubric: str | RubricText = OURS[0]
    """One that is there (lifestate), or your own: a file NAME.toml beside the plan of an exam."""

    def __post_init__(self) -> None:
        if (
            isinstance(self.rubric, str)
            and not self.rubric.endswith(FILE)
            and self.rubric not in OURS
        ):
            raise ValueError(
                f"there is no rubric {self.rubric!r}: {nearest(self.rubric, OURS)}; one of your own "
                f"stands in a file, NAME{FILE}"
            )

    @property
    def written(self) -> RubricText:
        """The rubric itself."""
        if isinstance(self.rubric, RubricText):
            return self.rubric
        if self.rubric.endswith(FILE):
            raise BadPart(f"{self.rubric} is a file: only the plan of an exam has files beside it")
        return RubricText(prompt(f"judge.rubric.{self.rubric}"))

    def needed(self) -> tuple[Needed, ...]:
        return self.written.needs

    def marks(self) -> tuple[float, float]:
        return self.written.scale

    def prompts(self) -> tuple[str, ...]:
        ours = (f"judge.rubric.{self.rubric}",) if isinstance(self.rubric, str) else ()
        return ("judge.rubric", "judge.rubric.mark", *ours)

    def make(self, bench: Bench) -> ModelJudge:
        return ModelJudge(
            self.written.sheet(),
            bench.model,
            bench.sampling,
            bench.reasks,
            scale=self.marks(),
            shows=self.needed(),
        )
