"""TimeChara offline: what prompts give away, the paper's pattern, and as many instances as the authors have,
killed and gone on with."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from time import perf_counter

import msgspec
from figure import Figure, Reach
from moment_leaks import AskedPrompt, prompts, scans
from moment_sitter import SatInstances
from msgspec import Struct
from paper_pattern import EXPERTS, RAG, READ, claims
from peer import run
from session import ROOT, Session
from timechara_files import many

from whoknew.engine import load_exam, read_exam, sit_exam
from whoknew.engine.exams.cell_rows import CellRow
from whoknew.engine.exams.control import is_unsafe
from whoknew.engine.exams.new import NewSource, new
from whoknew.engine.exams.table import TabledCells
from whoknew.engine.exams.timechara.novels import READERS
from whoknew.engine.logs.exchange import import_worlds
from whoknew.engine.plan.plan import Plan
from whoknew.engine.running.run import play
from whoknew.eventlog import open_log
from whoknew.worlds import shelf

HERE = Path(__file__).parent
HAMLET = ROOT.parent / "shared" / "data" / "shakespeare" / "hamlet.xml"
LAMPS = "the-lamp-room"

WHOLE_STORY = f"""
[arms."{READ}"]
memory = "unsafe:full"

[arms."{EXPERTS}"]
memory = "unsafe:full"
method = "experts"
"""
"""Who has read the whole story, as the paper's models have read the novels."""

FROM_LATER = (RAG, READ, EXPERTS)
"""The arms that may tell what lies past the moment."""

INSTANCES = 10_895
"""So many have the authors."""


def figures(session: Session) -> Iterator[Figure]:
    folder = session.folder / "moments"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    asyncio.run(_material(folder / "worlds.db", session))
    each = session.size(100, 2)
    for mode, more in (("witness", ""), ("paper", READERS + WHOLE_STORY)):
        sat = asyncio.run(_sat(folder, mode, more, each))
        yield Figure(
            f"{sat.found.table.units} questions x {sat.arms} arms offline, as in `{mode}`, and their table",
            "s",
            [sat.seconds],
            reach=Reach(180, "most"),
        )
        yield from asyncio.run(_leaks(folder, mode))
        if mode == "paper":
            yield _pattern(sat.found.cells)
    yield from _instances(session, folder)


# questions by rule on what there is


async def _material(log: Path, session: Session) -> None:
    """The worlds that come with Whoknew, as they play themselves, and a play."""
    for world in shelf.bundled()[: session.size(9, 1)]:
        await play(Plan(world), str(log))
    await import_worlds("play", LAMPS, str(log))
    if HAMLET.exists() and not session.quick:
        await import_worlds("play", str(HAMLET), str(log))


class SatQuestions(Struct, frozen=True):
    """What was found in an exam of so many arms, and how long it took to sit it, with its table."""

    found: TabledCells
    arms: int
    seconds: float


async def _sat(folder: Path, mode: str, more: str, each: int) -> SatQuestions:
    plan = folder / f"{mode}.toml"
    wanted = NewSource(kind="timechara", plan=plan, source=str(folder / "worlds.db"))
    await new(wanted, tables=more)
    _said(
        plan,
        questions=None,
        each=str(each),
        mode=f'"{mode}"',
        log=f'"{folder}/{mode}.db"\nkeep_prompts = true',
    )
    begun = perf_counter()
    exam = load_exam(plan)
    sat = await sit_exam(exam)
    assert sat.reason is None and sat.progress.failed == 0, sat
    return SatQuestions(await read_exam(exam), len(exam.arms), perf_counter() - begun)


def _said(plan: Path, **keys: str | None) -> None:
    """Have a plan say so much otherwise; nothing of what is None."""
    text = plan.read_text("utf-8")
    for key, value in keys.items():
        found = re.search(rf"^(?:# )?{key} = .*$", text, re.MULTILINE)
        assert found, key
        line = "" if value is None else f"{key} = {value}"
        text = text[: found.start()] + line + text[found.end() :]
    plan.write_text(text, "utf-8")


async def _leaks(folder: Path, mode: str) -> list[Figure]:
    """What `witness` gives away of what was not witnessed, `paper` of what comes later; and a search in all,
    in which the scan has to find it."""
    async with open_log(folder / "worlds.db", read_only=True) as material:
        known = await scans(material)
    found = [one async for one in prompts(load_exam(folder / f"{mode}.toml"))]
    is_witness = mode == "witness"
    safe = [
        one for one in found if not (one.arm in FROM_LATER or (is_witness and is_unsafe(one.arm)))
    ]
    searched = [one for one in found if one.arm == RAG]
    what = "not witnessed" if is_witness else "past the moment"

    def tells(one: AskedPrompt) -> bool:
        scan = known[one.world]
        return scan.unseen(one) if is_witness else scan.later(one)

    return [
        _none(
            f"{len(safe):,} prompts as in `{mode}`, that tell what is {what}", sum(map(tells, safe))
        ),
        Figure(
            f"prompts of a search in all, as in `{mode}`, in which the scan finds it",
            "%",
            [100 * sum(map(tells, searched)) / len(searched)],
            reach=Reach(10, "least"),
        ),
        _none(
            f"of {len(found):,} questions as in `{mode}`, with more behind them than one of two hints",
            sum(one.hint is None for one in found),
        ),
    ]


def _none(name: str, count: int) -> Figure:
    """Of what there must be none."""
    return Figure(name, "", [float(count)], reach=Reach(0, "most"))


def _pattern(cells: Sequence[CellRow]) -> Figure:
    found = list(claims(cells))
    return Figure(
        f"of the paper's {len(found)} findings, not shown by more than chance",
        "",
        [float(sum(not one.shows for one in found))],
        reach=Reach(0, "most"),
        notes={one.claim: f"{'' if one.shows else 'not shown: '}{one.told}" for one in found},
    )


# as many instances as the authors have


def _instances(session: Session, folder: Path) -> Iterator[Figure]:
    count = session.size(INSTANCES, 120)
    file = many(folder / "novels.json", count)
    for name in ("whole", "killed"):
        (folder / name).mkdir()
    begun = perf_counter()
    plan = folder / "whole" / "novels.toml"
    asyncio.run(new(NewSource(kind="timechara", plan=plan, source=str(file))))
    yield Figure(
        f"{count:,} instances of TimeChara read into an exam", "s", [perf_counter() - begun]
    )
    for name in ("whole", "killed"):
        plan = folder / name / "novels.toml"
        if name == "killed":
            plan.write_bytes((folder / "whole" / "novels.toml").read_bytes())
            shutil.copy(folder / "whole" / "novels.jsonl", folder / name)
        _said(plan, log=f'"{folder}/{name}/novels.db"')
    whole = _sat_whole(folder / "whole")
    yield Figure(
        f"{whole.cells:,} cells of them asked offline and judged",
        "s",
        [whole.seconds],
        notes={"cells a second": f"{whole.cells / whole.seconds:,.0f}"},
    )
    yield Figure(
        "memory after the last tenth of them beside that after five tenths",
        "",
        [whole.memory[-1] / whole.memory[4]],
        reach=Reach(1.04, "most"),
        notes={
            "MB by tenths": ", ".join(f"{one:.0f}" for one in whole.memory),
            "what": "before that SQLite's cache fills, 64 MB",
        },
    )
    yield Figure("their table", "s", [whole.tabled])
    kills = session.size(5, 1)
    left = _killed(folder / "killed", kills, whole.seconds)
    gone_on = _sat_whole(folder / "killed")
    yield Figure(
        f"what {kills} kills -9 of that sitting change in its table",
        "",
        [float(gone_on.table != whole.table)],
        reach=Reach(0, "most"),
        notes={"cells asked after the last": f"{gone_on.cells:,}", "killed after": left},
    )


def _command(folder: Path) -> list[str]:
    return [sys.executable, str(HERE / "moment_sitter.py"), str(folder)]


def _sat_whole(folder: Path) -> SatInstances:
    return msgspec.json.decode(run(_command(folder), patience=3600), type=SatInstances)


def _killed(folder: Path, kills: int, whole: float) -> str:
    """Sit it so many times, each until it is killed: all together for about half of what it takes."""
    chance, after = Random(5), list[str]()
    for _ in range(kills):
        seconds = chance.uniform(0.5, 1.5) * whole / (2 * kills)
        sitting = subprocess.Popen(_command(folder), stdout=subprocess.DEVNULL)
        try:
            sitting.wait(seconds)
        except subprocess.TimeoutExpired:
            sitting.kill()
            sitting.wait()
        after.append(f"{seconds:.1f} s")
    return ", ".join(after)
