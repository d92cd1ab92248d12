"""The exams of a log: `whoknew exam ls`. All of it is told by the log alone, without a plan."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from whoknew.engine.exams.exam_log import OPENED, key_of
from whoknew.engine.opening import file_of, is_there, reading
from whoknew.eventlog import Event, Log
from whoknew.eventlog.errors import BadAddress, LogError
from whoknew.eventlog.fork import FOREVER
from whoknew.eventlog.kinds import Answered, ArmAdded, Failed, JudgeAdded, Probed, ScenePlayed
from whoknew.eventlog.nearest import nearest
from whoknew.eventlog.shown_address import without_password


class ListedArm(Struct, frozen=True):
    """An arm that an exam ever had, and how many of its cells are answered, or failed."""

    name: str
    digest: str
    answered: int
    failed: int


class ListedExam(Struct, frozen=True, kw_only=True):
    """An exam: when it was begun, and when something was last written."""

    name: str
    log: str
    kind: str
    material: tuple[str, ...]
    arms: tuple[ListedArm, ...]
    judges: tuple[str, ...]
    answered: int
    failed: int
    begun: datetime
    last: datetime


async def exams(
    address: str | None, folder: Path, remark: Callable[[str], None]
) -> tuple[ListedExam, ...]:
    """Those of a log; without one, those of all log files in a folder. Of those that hold none, or
    cannot be read, that is remarked: nobody named them."""
    if address is not None:
        await asyncio.to_thread(_check_there, address)
        return await exams_of(address)
    found: list[ListedExam] = []
    for file in await asyncio.to_thread(lambda: sorted(folder.glob("*.db"))):
        try:
            some = await exams_of(str(file))
        except LogError as error:
            why = str(error)
            remark(why if why.startswith(str(file)) else f"{file}: {why}")
            continue
        if not some:
            remark(f"{file} holds no exam")
        found += some
    return tuple(found)


def _check_there(address: str) -> None:
    """Refuse a file that is not there, with those that are."""
    file = file_of(address)
    if file is None or is_there(file):
        return
    there = [str(one) for one in sorted(file.parent.glob("*.db"))] if file.parent.is_dir() else []
    hint = nearest(address, there) if there else "no log (*.db) is in its folder either"
    raise BadAddress(f"{file}: there is no such file: {hint}; `whoknew exam run PLAN` begins one")


async def exams_of(address: str) -> tuple[ListedExam, ...]:
    async with reading(address) as log:
        names = [one.name for one in await log.worlds()]
        return tuple([await _listed(log, one, address) for one in names if await is_exam(log, one)])


async def is_exam(log: Log, world: str) -> bool:
    """Whether a world is that of an exam: its first event says so."""
    first = await log.lineage.events(world, 0, FOREVER, 1)
    return bool(first) and first[0].key == OPENED


async def _listed(log: Log, world: str, address: str) -> ListedExam:
    fold = _Fold()
    async for event in log.read(world):
        fold.take(event)
    assert fold.first is not None and fold.last is not None
    arms = tuple(fold.arms())
    return ListedExam(
        name=world,
        log=without_password(address),
        kind=fold.kind,
        material=tuple(sorted(fold.material)),
        arms=arms,
        judges=tuple(fold.judges),
        answered=sum(arm.answered for arm in arms),
        failed=sum(arm.failed for arm in arms),
        begun=fold.first,
        last=fold.last,
    )


class _Fold:
    def __init__(self) -> None:
        self.first: datetime | None = None
        self.last: datetime | None = None
        self.material: set[str] = set()
        self.judges: dict[str, None] = {}
        self.asked: dict[str, tuple[str, bool]] = {}
        """By the key of a cell: the digest of its arm, and whether it is answered."""
        self.kind = ""
        self._names: dict[str, str] = {}

    def take(self, event: Event) -> None:
        self.first, self.last = self.first or event.recorded, event.recorded
        cell = key_of(event)
        match event.body:
            case ArmAdded(name, digest):
                self._names[digest] = name
            case JudgeAdded(name):
                self.judges[name] = None
            case Probed() as probed:
                self.kind = "questions"
                self.material.add(probed.material)
                self.asked[cell] = probed.arm, False
            case ScenePlayed(arm=arm):
                self.kind = "scenes"
                self.asked[cell] = arm, True
            case Answered():
                self.asked[cell] = self.asked[cell][0], True
            case Failed():
                pass

    def arms(self) -> list[ListedArm]:
        found: list[ListedArm] = []
        for digest, name in self._names.items():
            mine = [answered for arm, answered in self.asked.values() if arm == digest]
            found.append(ListedArm(name, digest, sum(mine), len(mine) - sum(mine)))
        return found
