"""How true: who was on stage, what recall finds, what leaks, what a kill or a replay loses."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import mean

from beliefs import believed
from figure import Figure, Missing, Reach
from leaks import Leaky, Scan, scan
from onstage import agreement, present
from recalled import conversations, tales
from session import ROOT, Session

from whoknew.agents.memories.entire import Entire
from whoknew.agents.memories.recall import Recall
from whoknew.engine.control import Control
from whoknew.engine.program import Chain, Program
from whoknew.engine.run import open_run
from whoknew.engine.travel.rerunning import rerun
from whoknew.eventlog import Log, open_log
from whoknew.eventlog.story import story_digest
from whoknew.worlds.importers.play import bundled, world_of
from whoknew.worlds.plan import Plan, Seat
from whoknew.worlds.shelf import find

DATA = ROOT.parent / "shared" / "data"
PLAYS = ("hamlet", "macbeth", "dream", "r_and_j")


def figures(session: Session) -> Iterator[Figure]:
    for part in (_stage, _recalls, _beliefs):
        try:
            yield from part()
        except Missing as missing:
            yield Figure(part.__doc__ or part.__name__, missing=str(missing))
    yield from _leaks(session)
    yield from asyncio.run(_stopped(session))


def _data(name: str) -> Path:
    if not (DATA / name).exists():
        raise Missing(f"the data of {name} is not beside the project")
    return DATA / name


def _stage() -> Iterator[Figure]:
    """who is on stage"""
    plays, reference = _data("shakespeare"), _data("shakespeare-onstage")
    found = [
        agreement(
            list(present(world_of(plays / f"{name}.xml").drafts)), reference / f"{name}.jsonl"
        )
        for name in PLAYS
    ]
    yield Figure("on stage, mean F1 of four plays", "", [mean(found)], reach=Reach(0.97, "least"))
    yield Figure("on stage, the least of four plays", "", [min(found)], reach=Reach(0.94, "least"))


def _recalls() -> Iterator[Figure]:
    """recall on data sets"""
    flat, questions = asyncio.run(conversations(_data("locomo")))
    yield Figure(
        f"LoCoMo, {questions:,} questions, flat@10", "", [flat], reach=Reach(0.75, "least")
    )
    both, sections = asyncio.run(tales(_data("fairytaleqa")))
    for k, least in ((5, 0.82), (10, 0.88)):
        name = f"FairytaleQA, {sections} sections, flat@{k}"
        yield Figure(name, "", [both[k]], reach=Reach(least, "least"))


def _beliefs() -> Iterator[Figure]:
    """BigToM"""

    async def wrong(file: Path) -> tuple[int, int]:
        found = [witnessed == held async for witnessed, held in believed(file)]
        return found.count(False), len(found)

    count, worlds = asyncio.run(wrong(_data("bigtom") / "bigtom.csv"))
    yield Figure(f"BigToM, wrong of {worlds} worlds", "", [float(count)], reach=Reach(0, "most"))


def _leaks(session: Session) -> Iterator[Figure]:
    folder = DATA / "shakespeare"
    files = [folder / f"{name}.xml" for name in PLAYS if folder.exists()]
    files = files[:1] if session.quick else files or [bundled()["the-lamp-room"]]
    sound, leaky = asyncio.run(_scanned(files or [bundled()["the-lamp-room"]], session))
    prompts = f"{sound.prompts:,} prompts"
    yield Figure(f"leaks in {prompts}", "", [float(sound.hits)], reach=Reach(0, "most"))
    yield Figure(
        "prompts of a leaky memory in which the leak is found",
        "%",
        [100 * leaky.hits / leaky.prompts],
        reach=Reach(10, "least"),
        notes={"what": "a memory that remembers what anybody said last: the scan must find it"},
    )


async def _scanned(files: list[Path], session: Session) -> tuple[Scan, Scan]:
    every = session.size(1, 50)
    found: list[Scan] = []
    async with open_log(":memory:") as log:
        worlds = [world_of(file) for file in files]
        for world in worlds:
            await log.append(world.name, world.drafts)
            found.append(await scan(log, world.name, lambda _: Recall(), every=every))
            found.append(await scan(log, world.name, lambda _: Entire(), every=97 * every))
        leaky = await scan(log, worlds[0].name, lambda _: Leaky(log), every=20 * every)
    return Scan(sum(one.prompts for one in found), sum(one.hits for one in found)), leaky


async def _stopped(session: Session) -> list[Figure]:
    """Chains that are stopped in mid-life and go on, and chains that are played again."""
    stops, chance = session.size(40, 3), Random(3)
    whole = await _digest(session, [])
    other = sum([await _digest(session, [chance.randint(1, 60)]) != whole for _ in range(stops)])
    async with open_log(session.folder / "stopped.db", read_only=True) as log:
        differs = not (await rerun(log, "diner")).agrees
    return [
        Figure(f"stories changed by {stops} stops", "", [float(other)], reach=Reach(0, "most")),
        Figure(
            "stories changed by playing them again", "", [float(differs)], reach=Reach(0, "most")
        ),
    ]


async def _digest(session: Session, stops: list[int]) -> str:
    """The story of a chain that is stopped after so many events, as often as is said."""
    file = session.file("stopped.db")
    setting = find("midnight-diner")
    plan = Plan("midnight-diner", agents={"everyone": Seat(memory="summary")})
    for after in [*stops, None]:
        async with open_run(Program([Chain("diner", plan, setting)], str(file))) as run:
            run.progress.heard = _stopping(run.control, after)
            await run.survey()
            await run.play()
    async with open_log(file, read_only=True) as log:
        return await _story(log)


def _stopping(control: Control, after: int | None):  # type: ignore[no-untyped-def]
    left = [after]

    def heard(world: str, event: object) -> None:
        if left[0] is not None:
            left[0] -= 1
            if left[0] == 0:
                control.stop("enough")

    return heard


async def _story(log: Log) -> str:
    return story_digest(await (await log.director("diner")).events())
