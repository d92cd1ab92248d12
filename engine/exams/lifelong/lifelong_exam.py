"""The exam of lives: pairs through many episodes, and then through hard ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, ClassVar

from msgspec import Meta

from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.findings import Findings
from whoknew.engine.exams.kind import Published, SceneKind, Scores
from whoknew.engine.exams.lifelong.findings import findings
from whoknew.engine.exams.lifelong.lives import life_units
from whoknew.engine.exams.lifelong.measures import measured
from whoknew.engine.exams.lifelong.paper import PAPER
from whoknew.engine.exams.plan import ExamPlan
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.plan.plan import Judging
from whoknew.eventlog import Log
from whoknew.worlds import shelf
from whoknew.worlds.bank import Bank
from whoknew.worlds.beginning import POINTS
from whoknew.worlds.document import Fault
from whoknew.worlds.errors import BadDocument, BadSource
from whoknew.worlds.importers.sotopia.bank import sotopia_bank
from whoknew.worlds.people import People
from whoknew.worlds.setting import Scenario

ORDINARY, HARD = "ordinary", "hard"

JUDGES = {
    "dimensions": Judging("dimensions"),
    "checklist": Judging("checklist"),
    "rules": Judging("rules"),
    "evidence": Judging("evidence"),
}


class LifelongExam(SceneKind, frozen=True):
    """lives: pairs through many episodes, and then through hard ones

    `chains` lives are led in each arm, the same ones: the same pairs through the same `episodes`, and
    then through the `hard` ones, of a `bank` that is for two who stand so to each other."""

    people: str = shelf.PEOPLE
    bank: str = "friend"
    chains: Annotated[int, Meta(ge=1)] = 12
    episodes: Annotated[int, Meta(ge=0)] = 40
    hard: Annotated[int, Meta(ge=0)] = 5
    turns: Annotated[int, Meta(ge=1)] | None = None

    within: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = (ORDINARY, HARD)
    scored: ClassVar[tuple[str, ...]] = (ORDINARY, HARD, POINTS)
    published: ClassVar[Mapping[str, Published]] = PAPER
    usual: ClassVar[Mapping[str, Judging]] = JUDGES
    template: ClassVar = (
        files("whoknew.engine.exams.lifelong").joinpath("lifelong.template.toml").read_text("utf-8")
    )

    def faults(self, plan: ExamPlan, beside: Path) -> Iterator[Fault]:
        if self.episodes + self.hard == 0:
            yield "episodes", "is 0, and so is hard: nothing would be played"
        try:
            people, bank = self.people_and_bank(beside)
        except (BadDocument, BadSource) as error:
            yield "bank", str(error)
            return
        if not people.pairs(bank.relationship):
            what = f"is of {bank.relationship!r}, but no two of the people are related so"
            yield "bank", f"{what}: take another bank"

    def people_and_bank(self, beside: Path) -> tuple[People, Bank]:
        """Who plays, and what: ours, a file, or a folder of Sotopia's."""
        folder = beside / self.people
        if folder.is_dir():
            return sotopia_bank(folder, self.bank)
        return shelf.find_people(self.people, beside), shelf.find_bank(self.bank, beside)

    def scenes(self, plan: ExamPlan, beside: Path) -> Sequence[SceneUnit]:
        people, bank = self.people_and_bank(beside)
        return life_units(
            people,
            bank,
            seed=plan.seed,
            chains=self.chains,
            episodes=self.episodes,
            hard=self.hard,
            turns=self.turns,
        )

    def made(
        self, scenario: Scenario | None, scores: Scores, judges: Sequence[ExamJudge]
    ) -> Scores:
        part = HARD if scenario is not None and scenario.needs else ORDINARY
        return {f"{part}.{name}": score for name, score in measured(scores, judges).items()}

    async def findings(self, log: Log, cells: Sequence[CellResult]) -> Findings:
        return await findings(log, cells)

    def world(self, name: str, unit: SceneUnit, arm: str, repeat: int, key: str) -> str:
        """By arm and number: so a plan that changed in what decides a life meets the one that was led."""
        again = f"-{repeat}" if repeat > 1 else ""
        return f"{name}-{arm}-{unit.number}{again}"
