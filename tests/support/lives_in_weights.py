"""LIFESTATE's table with all its rows on a world of planted facts: direct, summary, LoRA and GRACE by one base,
from one plan. And what a training forgets, and gains on what only others lived through.

In every other episode Bo tells Ann facts, and Cid others that she does not hear; after each comes one in
which nothing is said, so that all that she can answer by stands in her memory.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy
from command_runner import run
from msgspec import Struct
from tiny_models import NAMES, PLACES, THINGS, Fact, as_row, fact

from whoknew.engine.exams.cell_rows import CellRow
from whoknew.engine.exams.comparing import ArmComparison, ScoreTable, compared
from whoknew.engine.exams.document import load
from whoknew.engine.exams.report import tabled
from whoknew.engine.exams.run import ExamOptions, chosen
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeOpened, WorldOpened

ABOUT = ("Ann", "Bo", *NAMES[2:])
"""Whom facts are about: in turn herself, him who tells her, and anybody else."""

SCORE = "words.overlap"
"""Of the judge `words`: which part of the reference stands in an answer."""

PLAN = """
exam = "EXAM"
name = "EXAM-weights"
material = "FOLDER/isle.db"
questions = "EXAM.jsonl"
log = "FOLDER/EXAM.db"
may_fail = 1.0
[agents.everyone]
model = "local:MODEL"
method = "bare"
max_tokens = 8
reasks = 0
[arms.base]
memory = "none"
[arms.direct]
memory = "entire"
[arms.summary]
memory = "running"
writer = "offline:"
[arms.lora]
memory = "lora"
lora = { epochs = EPOCHS, rate = 5e-3, rows = "statement" }
[arms.grace]
memory = "grace"
grace = { steps = EDITING, rows = "statement" }
[judges.words]
by = "reference"
[judges.grade]
by = "rubric"
rubric = "lifestate"
model = "offline:"
"""


class Told(Struct, frozen=True):
    """A fact that was told in an episode: to Ann, or to Cid alone."""

    fact: Fact
    kind: str
    lived: int
    heard: bool


def told(episodes: int, each: int) -> list[Told]:
    """So many of both sorts in each episode: no two are about the same."""
    chance = random.Random(3)
    pairs = {who: chance.sample(THINGS, len(THINGS)) for who in NAMES}
    found = []
    for episode in range(1, episodes + 1):
        for number in range(2 * each):
            kind, names = [("self", ("Ann",)), ("relation", ("Bo",)), ("fact", NAMES[2:])][
                number % 3
            ]
            left = [who for who in names if pairs[who]] or [who for who in NAMES if pairs[who]]
            who = chance.choice(left)
            one = as_row(fact(who, pairs[who].pop(), chance.choice(PLACES)))
            found.append(Told(one, kind, episode, heard=number < each))
    return found


def lives(
    folder: Path, model: Path, *, episodes: int, each: int, epochs: int, editing: int
) -> dict[str, Path]:
    """Two plans in a folder, by the kinds of their exams: `lifestate` of what Ann heard, at the end of
    each episode; `questions` of what she heard and what she did not, at the end of the last."""
    facts = told(episodes, each)
    asyncio.run(_written(folder / "isle.db", facts))
    asked = [
        _asked(one, 2 * now)
        for now in range(1, episodes + 1)
        for one in facts
        if one.heard and one.lived <= now
    ]
    both = [{**_asked(one, 2 * episodes), "kind": _sort(one)} for one in facts]
    plans = {}
    for exam, questions in (("lifestate", asked), ("questions", both)):
        lines = "".join(f"{json.dumps(one)}\n" for one in questions)
        (folder / f"{exam}.jsonl").write_text(lines, "utf-8")
        plan = (
            PLAN.replace("EXAM", exam).replace("MODEL", str(model)).replace("FOLDER", str(folder))
        )
        plans[exam] = folder / f"{exam}.toml"
        plan = plan.replace("EPOCHS", str(epochs)).replace("EDITING", str(editing))
        plans[exam].write_text(plan, "utf-8")
    return plans


async def _written(file: Path, facts: Sequence[Told]) -> None:
    drafts = [Draft(WorldOpened("Isle"), datetime(2000, 1, 1, 12))]
    drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in ("Ann", "Bo", "Cid")]
    here, number = ("Ann", "Bo"), 0
    for episode in range(1, max(one.lived for one in facts) + 1):
        number += 1
        drafts.append(Draft(EpisodeOpened("Rain.", here), episode=number, witnesses=here))
        for one in facts:
            if one.lived == episode:
                words = " ".join(one.fact).removeprefix("Bo: ")
                heard = ("Bo", "Ann" if one.heard else "Cid")
                drafts.append(Draft(Acted(words), episode=number, actor="Bo", witnesses=heard))
        number += 1
        drafts.append(Draft(EpisodeOpened("Night.", here), episode=number, witnesses=here))
    async with open_log(file) as log:
        await log.append("isle", drafts)


def _asked(one: Told, at: int) -> dict[str, Any]:
    return {
        "world": "isle",
        "character": "Ann",
        "kind": one.kind,
        "at": f"E{at}",
        "question": one.fact[0],
        "reference": one.fact[1],
        "cluster": " ".join(one.fact),
        "tags": [f"age {at // 2 - one.lived}", f"lived {one.lived}"],
    }


def _sort(one: Told) -> str:
    return "lived" if one.heard else "unlived"


def table(plan: Path, *only: str) -> dict[str, Any]:
    """Sit it by one command; its table."""
    arms = [word for arm in only for word in ("--only", arm)]
    found: dict[str, Any] = json.loads(run("exam", "run", plan, *arms, "--json").stdout)["table"]
    return found


def cells(plan: Path, *only: str) -> tuple[CellRow, ...]:
    """All cells of an exam that was sat."""
    options = ExamOptions(only=only)
    return asyncio.run(tabled(chosen(load(plan), options), options)).cells


def forgetting(rows: Sequence[CellRow], arm: str, base: str = "base") -> dict[str, float]:
    """What an arm gained over the base on facts of each episode, after it was trained to each: `1 after 3`."""
    gained: dict[str, list[float]] = {}
    for key, unit in _gains(rows, arm, base).items():
        row = next(one for one in rows if one.unit == key)
        age, lived = (int(tag.split()[1]) for tag in row.tags[:2])
        gained.setdefault(f"{lived} after {lived + age}", []).append(unit)
    return {name: fmean(some) for name, some in sorted(gained.items())}


def gain(rows: Sequence[CellRow], arm: str, base: str = "base") -> ArmComparison:
    """Whether an arm gained more over the base on what its character lived through than on what only others
    did: by the test that exams compare arms by, of as many facts of both sorts, each with one of the other."""
    kinds = {one.unit: one.kind for one in rows}
    sorts: dict[str, list[float]] = {"lived": [], "unlived": []}
    for unit, one in sorted(_gains(rows, arm, base).items()):
        sorts[kinds[unit]].append(one)
    scores = numpy.array(list(zip(*sorts.values(), strict=True)))
    table = ScoreTable(
        arms=tuple(sorts),
        clusters=numpy.arange(len(scores)),
        kinds={},
        tags={},
        scores=scores,
        failed=numpy.zeros(scores.shape, dtype=bool),
    )
    return compared([table], seed=1)[0][0]


def _gains(rows: Sequence[CellRow], arm: str, base: str) -> dict[str, float]:
    """By question; what failed is worth nothing."""
    found: dict[str, dict[str, float]] = {arm: {}, base: {}}
    for one in rows:
        if one.arm in found:
            found[one.arm][one.unit] = one.scores.get(SCORE, 0.0)
    return {unit: score - found[base][unit] for unit, score in found[arm].items()}
