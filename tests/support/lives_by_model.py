"""A life by a model, step by step, as far as it came."""

from __future__ import annotations

from life_writers import LifeModel

from whoknew.engine.exams.clonemem.clonemem_exam import ClonememExam
from whoknew.engine.exams.clonemem.stages.life_size import FixedLife
from whoknew.engine.exams.clonemem.stages.life_stages import LifeStages
from whoknew.engine.exams.clonemem.stages.told_life import ToldLife
from whoknew.engine.exams.writing.source import WrittenDraft
from whoknew.engine.exams.writing.writer import WritingSettings
from whoknew.worlds.lives.life import LifeGraph
from whoknew.worlds.question import Question

SETTINGS = WritingSettings(model="openai:lives", source="trial:1", each=2)


class Lived:
    """A life by a model, as far as it came."""

    def __init__(self, model: LifeModel, seed: int = 1) -> None:
        self.model = model
        self.fixed = FixedLife.of("trial", seed)
        exam = ClonememExam(material="lives.worlds.db", writer=SETTINGS)
        self.stages = LifeStages(exam.question_writer(SETTINGS), [self.fixed], "lives.worlds.db")
        self.drafts: list[WrittenDraft] = []

    async def lives(self, steps: int = 1000) -> Lived:
        for place in self.stages.rows[0][:steps]:
            assert self.stages.ready(place)
            self.drafts.append(await self.stages.drafted(place, lambda who, address: self.model))
            self.stages.kept(place, self.drafts[-1])
        return self

    @property
    def told(self) -> ToldLife:
        return self.stages._lives[self.fixed.source]

    @property
    def graph(self) -> LifeGraph:
        return self.told.graph()

    @property
    def questions(self) -> list[Question]:
        return [one for draft in self.drafts for one in draft.questions]

    @property
    def refused(self) -> list[tuple[str, str]]:
        return [(one.check, one.why) for draft in self.drafts for one in draft.refused]
