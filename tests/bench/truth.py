"""How true: who was on stage, what recall finds, what leaks, what a kill or a replay loses."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count
from logging import getLogger
from pathlib import Path
from random import Random
from statistics import mean

from bigtom_beliefs import believed
from figure import Figure, Missing, Reach
from hard_hearing import judged
from killed_runs import ORDERS, lives, story, whole
from leak_scan import Leaky, Scan, scan
from locomo_exam import came_to_mind
from model_servers import by_digest, serving
from recall_evidence import Shares, conversations, imported, mean_of, tales
from remembered_places import differing
from session import ROOT, Session
from stage_reference import agreement, present

from whoknew.agents.memories.entire import Entire
from whoknew.agents.memories.recall import Recall
from whoknew.engine.plan.plan import Plan, Seat
from whoknew.engine.plan.program import Chain, Program
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.run_report import RunReport
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Event, open_log
from whoknew.eventlog.kinds import Acted
from whoknew.eventlog.story import story_digest
from whoknew.worlds.importers.play import bundled, world_of
from whoknew.worlds.shelf import find

DATA = ROOT.parent / "shared" / "data"
PLAYS = ("hamlet", "macbeth", "dream", "r_and_j")

WORLD, ENOUGH = "diner", "enough"


def figures(session: Session) -> Iterator[Figure]:
    for part in (_stage, _hears, _recalls, _beliefs):
        try:
            yield from part()
        except Missing as missing:
            yield Figure(part.__doc__ or part.__name__, missing=str(missing))
    if (DATA / "locomo").exists():
        yield from _minds(session)
    yield from _leaks(session)
    yield _remembers(session)
    yield from asyncio.run(_stopped(session))
    yield from asyncio.run(_killed(session))


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
    yield Figure("on stage, mean F1 of four plays", "", [mean(found)], reach=Reach(0.98, "least"))
    yield Figure("on stage, the least of four plays", "", [min(found)], reach=Reach(0.97, "least"))


def _hears() -> Iterator[Figure]:
    """who hears what in hard cases"""
    plays, gold = _data("shakespeare"), _data("knowing")
    verdicts = [
        one.came
        for name in PLAYS
        for one in judged(plays / f"{name}.xml", gold / f"witnesses.{name}.jsonl")
    ]
    certain = [came == "right" for came in verdicts if came != "doubtful"]
    doubtful = 1 - len(certain) / len(verdicts)
    yield Figure(
        f"who hears, {len(verdicts)} hard cases: right where there is no doubt",
        "",
        [mean(certain)],
        reach=Reach(0.98, "least"),
    )
    yield Figure("the same: doubtful", "", [doubtful], reach=Reach(0.12, "most"))


def _recalls() -> Iterator[Figure]:
    """recall on data sets"""
    bare = asyncio.run(conversations(_data("locomo")))
    name = f"LoCoMo, {sum(map(len, bare.values())):,} questions, flat@10"
    yield Figure(name, "", [mean_of(bare)], reach=Reach(0.805, "least"), notes=_by_kind(bare))
    whole = asyncio.run(imported(_data("locomo")))
    yield Figure("the same in worlds as imported", "", [mean_of(whole)], notes=_by_kind(whole))
    both, sections = asyncio.run(tales(_data("fairytaleqa")))
    for k, least in ((5, 0.845), (10, 0.925)):
        name = f"FairytaleQA, {sections} sections, flat@{k}"
        yield Figure(name, "", [both[k]], reach=Reach(least, "least"))


def _minds(session: Session) -> Iterator[Figure]:
    """What of the evidence stands before who is asked, in an exam."""
    every, memories = session.size(1, 100), ("none", "recall", "entire", "summary")
    folder = session.folder / "talks"
    folder.mkdir(exist_ok=True)
    found = asyncio.run(came_to_mind(DATA / "locomo", folder, memories, every))
    for memory in memories:
        name = f"LoCoMo in an exam, evidence that came to mind: {memory}"
        yield Figure(name, "", [mean_of(found[memory])], notes=_by_kind(found[memory]))


def _by_kind(shares: Shares) -> dict[str, str]:
    return {kind: f"{mean(some):.3f}" for kind, some in sorted(shares.items())}


def _beliefs() -> Iterator[Figure]:
    """BigToM"""

    async def wrong(file: Path) -> tuple[int, int]:
        found = [witnessed == held async for witnessed, held in believed(file)]
        return found.count(False), len(found)

    mistaken, worlds = asyncio.run(wrong(_data("bigtom") / "bigtom.csv"))
    yield _none(f"BigToM, wrong of {worlds} worlds", mistaken)


def _leaks(session: Session) -> Iterator[Figure]:
    plays = [DATA / "shakespeare" / f"{name}.xml" for name in PLAYS]
    files = [play for play in plays if play.exists()] or [bundled()["the-lamp-room"]]
    files = files[: session.size(len(files), 1)]
    sound, leaky = asyncio.run(_scanned(files, session))
    assert sound.prompts, "nothing was scanned"
    assert leaky.prompts, "nothing was scanned of the leaky memory"
    yield Figure(
        f"leaks in {sound.prompts:,} prompts",
        "",
        [float(sound.hits)],
        reach=Reach(0, "most"),
        notes={"scanned": ", ".join(file.stem for file in files)},
    )
    yield Figure(
        "prompts of a leaky memory in which the leak is found",
        "%",
        [100 * leaky.hits / leaky.prompts],
        reach=Reach(10, "least"),
        notes={"what": "a memory that remembers what anybody said last: the scan must find it"},
    )


def _remembers(session: Session) -> Figure:
    """Memory of exams, of which a part is derived for them: whether anything that comes later shows."""
    files = [DATA / "shakespeare" / f"{name}.xml" for name in PLAYS]
    there = [file for file in files if file.exists()] or [bundled()["the-lamp-room"]]
    plays = [world_of(file).drafts for file in there[: session.size(len(there), 1)]]
    places = session.size(200, 16)
    found = asyncio.run(differing(session.file("exams"), places, plays))
    return _none(f"of {places} places, prompts or memories that change by what comes later", found)


async def _scanned(files: list[Path], session: Session) -> tuple[Scan, Scan]:
    every = session.size(1, 50)
    found: list[Scan] = []
    async with open_log(":memory:") as log:
        worlds = [world_of(file) for file in files]
        for world in worlds:
            await log.append(world.name, world.drafts)
            found.append(await scan(log, world.name, lambda _: Recall(10), every=every))
            found.append(await scan(log, world.name, lambda _: Entire(), every=97 * every))
        leaky = await scan(log, worlds[0].name, lambda _: Leaky(log), every=20 * every)
    return Scan(sum(one.prompts for one in found), sum(one.hits for one in found)), leaky


async def _stopped(session: Session) -> list[Figure]:
    """Chains that are stopped in mid-life and go on, and are then played again."""
    stops, chance = session.size(40, 3), Random(3)
    file = session.file("whole.db")
    assert (await _played(file)).finished
    whole = await _events(file)
    # What comes after the last act is not held up by anything.
    last = max(event.seq for event in whole if isinstance(event.body, Acted))
    changed = differing = 0
    for _ in range(stops):
        file = session.file("stopped.db")
        assert (await _played(file, stop=chance.randint(1, last))).reason == ENOUGH
        assert (await _played(file)).finished
        changed += story_digest(await _events(file)) != story_digest(whole)
        async with open_log(file, read_only=True) as log:
            differing += not (await rerun(log, WORLD)).agrees
    return [
        _none(f"stories changed by {stops} stops", changed),
        _none(f"stories of {stops} stopped chains changed by playing them again", differing),
    ]


async def _played(file: Path, stop: int | None = None) -> RunReport:
    """Play a chain from wherever it stands, to its end or until so many events have gone in."""
    plan = Plan("midnight-diner", agents={"everyone": Seat(memory="summary")})
    chain = Chain(WORLD, plan, find("midnight-diner"))
    async with open_run(Program([chain], str(file))) as run:
        numbers = count(1)

        def heard(world: str, event: object) -> None:
            if next(numbers) == stop:
                run.control.stop(ENOUGH)

        run.progress.heard = heard
        await run.survey()
        return await run.play()


async def _events(file: Path) -> list[Event]:
    async with open_log(file, read_only=True) as log:
        return await (await log.director(WORLD)).events()


async def _killed(session: Session) -> list[Figure]:
    """Chains that are killed at any moment, as in `tests/adversity`, half of them in each order."""
    kills = session.size(20, 2)
    changed = beyond = 0
    # Whoever asked and was killed takes no answer, which is no fault of the server's.
    getLogger("aiohttp.server").setLevel("CRITICAL")
    async with serving("openai", after=by_digest) as server:
        for order in ORDERS:
            file = session.file("whole.db")
            await whole(server, file, order)
            told = await story(file)
            chance, left = Random(order), kills // len(ORDERS)
            while left:
                file = session.file("killed.db")
                async for life in lives(server, file, order, chance, left):
                    left -= not life.over
                    beyond += max(0, life.beyond)
                changed += await story(file) != told
    return [
        _none(f"stories changed by {kills} kills -9 of a chain", changed),
        _none(f"calls made twice beyond those in flight, {kills} kills -9 of a chain", beyond),
    ]


def _none(name: str, count: int) -> Figure:
    """Of what there must be none."""
    return Figure(name, "", [float(count)], reach=Reach(0, "most"))
