"""The exam of scenes: scenarios with their pairs, or whole worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, ClassVar

from msgspec import Meta

from whoknew.engine.exams.kind import SceneKind
from whoknew.engine.exams.plan import ExamPlan
from whoknew.engine.exams.scenes.scene import scene_of, world_of
from whoknew.engine.exams.scenes.scene_unit import SceneUnit
from whoknew.engine.plan.plan import Episodes, Judging
from whoknew.eventlog.nearest import nearest
from whoknew.worlds import shelf
from whoknew.worlds.document import Fault
from whoknew.worlds.errors import BadDocument, BadSource
from whoknew.worlds.importers.sotopia.bank import sotopia_scenes
from whoknew.worlds.pairing import PairedScene, paired
from whoknew.worlds.people import People
from whoknew.worlds.relationship import RELATIONSHIPS


class SceneExam(SceneKind, frozen=True):
    """scenes, each played by two seats

    Of `people` (ours, a file, or a folder of Sotopia's) each of the scenarios of `banks`, with so many
    `pairs` of them at most; of Sotopia's each of its combinations, those of the relationships that
    `banks` names. Or `worlds`, each from its beginning to its end."""

    people: str = shelf.PEOPLE
    banks: tuple[str, ...] = ()
    pairs: Annotated[int, Meta(ge=1)] = 5
    worlds: tuple[str, ...] = ()
    episodes: Episodes = Episodes()

    template: ClassVar = (
        files("whoknew.engine.exams.scenes").joinpath("scenes.template.toml").read_text("utf-8")
    )
    usual: ClassVar[Mapping[str, Judging]] = {"rules": Judging("rules")}

    def faults(self, plan: ExamPlan, beside: Path) -> Iterator[Fault]:
        if self.worlds and self.banks:
            yield "worlds", "are given, and so are `banks`: give one of the two"
        if self.episodes.play and not self.worlds:
            yield "episodes.play", "names scenarios of a world, and no worlds are given"
        yield from (missing := list(self._missing(beside)))
        if missing:
            return
        try:
            if not self.scenes(plan, beside):
                yield "banks", "give no scene that any two of the people can play"
        except (BadDocument, BadSource) as error:
            yield "worlds" if self.worlds else "people", str(error)

    def _missing(self, beside: Path) -> Iterator[Fault]:
        """Each name behind which nothing is found that can be played, or nobody."""
        if self.worlds:
            yield from _unfound("worlds", self.worlds, shelf.find, beside)
        elif (beside / self.people).is_dir():
            for place, name in enumerate(self.banks):
                if name not in RELATIONSHIPS:
                    what = f"{name!r} is no relationship: {nearest(name, RELATIONSHIPS)}"
                    yield f"banks[{place}]", what
        else:
            try:
                shelf.find_people(self.people, beside)
            except BadDocument as error:
                yield "people", str(error)
            yield from _unfound("banks", self.banks, shelf.find_bank, beside)

    def scenes(self, plan: ExamPlan, beside: Path) -> Sequence[SceneUnit]:
        if self.worlds:
            return [world_of(shelf.find(name, beside), self.episodes) for name in self.worlds]
        people, scenes = self._paired(plan, beside)
        return [scene_of(one, people.begins, self.episodes) for one in scenes]

    def _paired(self, plan: ExamPlan, beside: Path) -> tuple[People, list[PairedScene]]:
        folder = beside / self.people
        if folder.is_dir():
            people, scenes = sotopia_scenes(folder)
            wanted = self.banks or RELATIONSHIPS
            return people, [one for one in scenes if one.relationship in wanted]
        people = shelf.find_people(self.people, beside)
        banks = [shelf.find_bank(name, beside) for name in self.banks or shelf.bundled_banks()]
        return people, [
            scene for bank in banks for scene in paired(people, bank, self.pairs, plan.seed)
        ]


def _unfound(
    key: str, names: Sequence[str], find: Callable[[str, Path], object], beside: Path
) -> Iterator[Fault]:
    for place, name in enumerate(names):
        try:
            find(name, beside)
        except BadDocument as error:
            yield f"{key}[{place}]", str(error)
