"""What lives show beside their scores: secrets that got out, and what went wrong on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.curves import CurvePoint, ExamCurve
from whoknew.engine.exams.figures import mean_of_means
from whoknew.engine.exams.findings import Findings, FoundRow, FoundTable
from whoknew.engine.exams.lifelong.secrets import SecretTold, keepers, kept, secrets
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import Failed

MISSED = "reviews failed"

WRONG = {"turn": "turns skipped", "memory": "notes forgotten"}
"""What else fails in an episode without ending it, and what that is called."""

HEADS = ("what", "whose", "to", "episode", "how", "fact")


async def findings(log: Log, cells: Sequence[CellResult]) -> Findings:
    """Of the lives that have begun, as far as they were led."""
    led: dict[str, list[CellResult]] = {}
    for cell in cells:
        mine = led.setdefault(cell.cell.arm.name, [])
        if cell.episodes:
            mine.append(cell)
    found = [await _Arm(arm).read(log, lives) for arm, lives in led.items()]
    names = [
        "episodes",
        *(name for name in (MISSED, *WRONG.values()) if any(one.wrong[name] for one in found)),
    ]
    figures: dict[str, dict[str, float]] = {name: {} for name in names}
    for one in found:
        figures["episodes"][one.name] = one.episodes
        for name in names[1:]:
            figures[name][one.name] = one.wrong[name]
        if kept := one.kept:
            figures.setdefault(KEPT, {})[one.name] = kept[-1]
        if any(told.what == "goal" for each in found for told in each.told):
            goals = sum(told.what == "goal" for told in one.told)
            figures.setdefault("goals said aloud", {})[one.name] = goals
    rows = tuple(_row(told) for one in found for told in one.told)
    tables = {"secrets": FoundTable("Private facts that got out", HEADS, rows)}
    return Findings(figures=figures, curves=tuple(_curves(found)), tables=tables)


KEPT = "secrets kept"
"""The part of the characters' secrets that nobody else knows."""


class _Arm:
    """What the lives of one arm show."""

    def __init__(self, name: str) -> None:
        self.name, self.episodes = name, 0
        self.wrong, self.told = Counter[str](), list[SecretTold]()
        self.kept: tuple[float, ...] = ()
        self.holders: set[tuple[str, str]] = set()

    async def read(self, log: Log, lives: Sequence[CellResult]) -> _Arm:
        for life in lives:
            found = await _life(log, life.cell.subject.world, self.name)
            self.told += found.told
            self.holders |= {(life.cell.subject.world, who) for who in found.keepers}
            self.wrong.update(found.wrong)
            self.wrong[MISSED] += sum(len(one.missed) for one in life.episodes)
            self.episodes += len(life.episodes)
        last = min((len(life.episodes) for life in lives), default=0)
        self.kept = kept(last, self.told, self.holders)
        return self


class _Life(Struct, frozen=True):
    """What one life shows by itself."""

    told: tuple[SecretTold, ...]
    keepers: frozenset[str]
    wrong: Counter[str]


_LIVES: dict[tuple[str, str, bytes], _Life] = {}
"""Those that were looked at last, each known by what vouches for all of its events: who looks at an exam
again and again reads only what has changed."""

FEW = 1000
"""So many lives."""


async def _life(log: Log, world: str, arm: str) -> _Life:
    key = (world, arm, (await log.head(world)).hash)
    if (found := _LIVES.pop(key, None)) is None:
        events = await (await log.director(world)).events()
        failed = (event.body.what for event in events if isinstance(event.body, Failed))
        told = secrets(events, await log.knowledge(world), arm)
        wrong = Counter(WRONG[what] for what in failed if what in WRONG)
        found = _Life(tuple(told), frozenset(keepers(events)), wrong)
    _LIVES[key] = found
    if len(_LIVES) > FEW:
        del _LIVES[next(iter(_LIVES))]
    return found


def _curves(found: Sequence[_Arm]) -> Iterator[ExamCurve]:
    for one in found:
        if one.kept:
            points = [
                CurvePoint(episode, mean_of_means([[share]]))
                for episode, share in enumerate(one.kept, start=1)
            ]
            yield ExamCurve(KEPT, one.name, tuple(points), scale=(0.0, 1.0))


def _row(told: SecretTold) -> FoundRow:
    words = (told.what, told.owner, told.to, str(told.episode), told.by, told.fact)
    return FoundRow(told.arm, told.world, told.seq, words)
