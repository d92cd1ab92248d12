"""LIFESTATE's table with all its rows on a world of planted facts: direct, summary, LoRA and GRACE by one base,
from one plan. And what a training forgets, and gains on what only others lived through.

In every other episode Bo tells Ann facts, and Cid as many others that she does not hear, the one after the
other; after each comes one in which nothing is said, so that all that she can answer by stands in her memory.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Mapping, Sequence
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

SORTS = (("self", ("Ann",)), ("relation", ("Bo",)), ("fact", NAMES[2:]))
"""Whom a fact is about: herself, him who tells her, or anybody else."""

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
lora = { epochs = EPOCHS, batch = 4, rate = 5e-3, rows = "statement" }
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


class Told(Struct, frozen=True, kw_only=True):
    """A fact that was told in an episode: to Ann, or to Cid alone. One of each makes a `pair`."""

    fact: Fact
    kind: str
    lived: int
    heard: bool
    pair: int


def told(episodes: int, each: int, seed: int = 3) -> list[Told]:
    """So many of both sorts in each episode: no two are about the same. Which of a pair Ann hears is drawn."""
    chance = random.Random(seed)
    things = {who: chance.sample(THINGS, len(THINGS)) for who in NAMES}
    found = []
    for pair in range(episodes * each):
        kind, names = SORTS[pair % len(SORTS)]
        for heard in chance.sample((True, False), 2):
            left = [who for who in names if things[who]] or [who for who in NAMES if things[who]]
            who = chance.choice(left)
            one = as_row(fact(who, things[who].pop(), chance.choice(PLACES)))
            found.append(Told(fact=one, kind=kind, lived=1 + pair // each, heard=heard, pair=pair))
    return found


def lives(
    folder: Path,
    model: Path,
    *,
    episodes: int,
    each: int,
    epochs: int,
    editing: int,
    worlds: int = 1,
) -> dict[str, Path]:
    """Two plans in a folder, by the kinds of their exams: `lifestate` of what Ann heard, at the end of
    each episode; `questions` of what she heard and what she did not, at the end of the last. In each
    world she lives another life: other facts, and weights of her own."""
    facts = {f"isle {seed}": told(episodes, each, seed) for seed in range(3, 3 + worlds)}
    asyncio.run(_written(folder / "isle.db", facts))
    every = [(world, one) for world, some in facts.items() for one in some]
    asked = [
        _asked(world, one, now)
        for now in range(1, episodes + 1)
        for world, one in every
        if one.heard and one.lived <= now
    ]
    both = [{**_asked(world, one, episodes), "kind": _sort(one)} for world, one in every]
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


async def _written(file: Path, worlds: Mapping[str, Sequence[Told]]) -> None:
    async with open_log(file) as log:
        for world, facts in worlds.items():
            await log.append(world, _life(facts))


def _life(facts: Sequence[Told]) -> list[Draft]:
    drafts = [Draft(WorldOpened("Isle"), datetime(2000, 1, 1, 12))]
    drafts += [Draft(CharacterAdded(name), witnesses=(name,)) for name in ("Ann", "Bo", "Cid")]
    here = ("Ann", "Bo")
    for episode in range(1, max(one.lived for one in facts) + 1):
        day, night = 2 * episode - 1, 2 * episode
        drafts.append(Draft(EpisodeOpened("Rain.", here), episode=day, witnesses=here))
        for one in facts:
            if one.lived == episode:
                words = " ".join(one.fact).removeprefix("Bo: ")
                heard = ("Bo", "Ann" if one.heard else "Cid")
                drafts.append(Draft(Acted(words), episode=day, actor="Bo", witnesses=heard))
        drafts.append(Draft(EpisodeOpened("Night.", here), episode=night, witnesses=here))
    return drafts


def _asked(world: str, one: Told, now: int) -> dict[str, Any]:
    """At the end of the night after an episode."""
    return {
        "world": world,
        "character": "Ann",
        "kind": one.kind,
        "at": f"E{2 * now}",
        "question": one.fact[0],
        "reference": one.fact[1],
        "cluster": f"{world} {' '.join(one.fact)}",
        "tags": [f"age {now - one.lived}", f"lived {one.lived}", f"pair {one.pair}"],
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
    did: by the test that exams compare arms by. Each fact that was heard stands beside the one of its pair
    that was not, and a life is a cluster: all of it hangs on one training. A single life has its pairs."""
    gains, pairs = _gains(rows, arm, base), dict[tuple[str, str], dict[str, float]]()
    for one in rows:
        if one.arm == arm:
            pairs.setdefault((one.world, one.tags[2]), {})[one.kind] = gains[one.unit]
    lives = sorted({world for world, _ in pairs})
    clusters = [lives.index(world) for world, _ in pairs]
    scores = numpy.array([[pair["lived"], pair["unlived"]] for pair in pairs.values()])
    table = ScoreTable(
        arms=("lived", "unlived"),
        clusters=numpy.array(clusters if len(lives) > 1 else range(len(pairs))),
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
