"""Memory in weights: LIFESTATE's table with all its rows, on a base that is trained here in minutes; what it
gains on what its character lived through and on what only others did; and what later episodes cost."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from time import process_time

from figure import Figure, Reach
from lives_in_weights import SCORE, cells, forgetting, gain, lives, table
from session import Session, require
from small_trainings import answers, learned
from tiny_models import Fact, every, made, right

from whoknew.agents.memories.grace import GraceEntry
from whoknew.engine.exams.cell_rows import CellRow
from whoknew.engine.exams.lifestate.paper import ALL, KINDS, PAPER
from whoknew.engine.registry import model

OURS = {"direct": "direct", "summary": "summary", "lora": "LoRA", "grace": "GRACE"}
"""Our arms, by the paper's names."""

EDITED = 10
"""So many at a time, as an episode would bring."""

VERBS = ("keeps", "hid", "left")
"""A hundred facts of each."""

PAPERS = "the paper's: synthetic, Llama-3.1-8B, {}"


def figures(session: Session) -> Iterator[Figure]:
    for name in ("torch", "transformers", "peft"):
        require(name, "train")
    begun = process_time()
    base = made(
        session.folder / "base",
        steps=session.size(500, 5),
        reads=session.size(6, 2),
        window=2048,
    )
    yield Figure(
        "a base of two layers, trained on other worlds: CPU", "s", [process_time() - begun]
    )
    plans = lives(
        session.folder,
        base,
        episodes=session.size(4, 2),
        each=session.size(8, 2),
        epochs=session.size(100, 2),
        editing=session.size(50, 1),
    )
    yield from _edits(session, base)
    yield from _table(plans["lifestate"])
    rows = cells(plans["lifestate"])
    for arm in ("lora", "grace", "direct"):
        found = forgetting(rows, arm)
        yield Figure(
            f"{arm}: gained on the facts of the first episode, after the last",
            "",
            [found[max(name for name in found if name.startswith("1 after"))]],
            notes={name: f"{one:+.2f}" for name, one in found.items()},
        )
    many = session.folder / "many"
    many.mkdir()
    plans = lives(
        many,
        base,
        episodes=1,
        each=session.size(12, 2),
        epochs=session.size(100, 2),
        editing=session.size(50, 1),
        worlds=session.size(12, 2),
    )
    yield _gain(plans["questions"], session)


def _edits(session: Session, base: Path) -> Iterator[Figure]:
    """One after another: each goes on from the edits before it."""
    count, beside = session.size(200, 2), session.size(100, 4)
    chance = random.Random(9)
    told = [(asked.replace("keeps", verb), at) for verb in VERBS for asked, at in every(chance)]
    facts = chance.sample(told, count + beside)
    grace = GraceEntry(steps=session.size(GraceEntry().steps, 1))
    work = _edited(session.folder / "edits", base, grace, facts[:count], facts[count:])
    held, same = asyncio.run(work)
    yield Figure(
        f"GRACE, {count} edits one after another: how many hold in the end",
        "share",
        [held],
        reach=None if session.quick else Reach(1, "least"),
    )
    yield Figure(
        f"GRACE, after {count} edits: of {beside} answers that were not edited, the same as before",
        "share",
        [same],
        reach=None if session.quick else Reach(0.95, "least"),
    )


async def _edited(
    folder: Path,
    base: Path,
    grace: GraceEntry,
    edited: Sequence[Fact],
    others: Sequence[Fact],
) -> tuple[float, float]:
    async with model(f"local:{base}").keeping_in(folder).open(600) as local:
        before, last = await answers(local, others), ""
        for start in range(0, len(edited), EDITED):
            last = (await learned(local, grace, edited[start : start + EDITED], last)).digest
        after = await answers(local, others, last)
        held = right(await answers(local, edited, last), edited)
    return held, fmean(one == other for one, other in zip(before, after, strict=True))


def _table(plan: Path) -> Iterator[Figure]:
    """A row an arm, the paper's beside it: a tiny model proves the machinery, and nothing about people."""
    found = table(plan)
    own = found["own"]
    words = {one["arm"]: one["micro"]["mean"] for one in found["figures"][SCORE]}
    for arm in ("base", *OURS):
        papers = PAPER.get(PAPERS.format(OURS.get(arm, "")), {})
        notes = {name: f"{own[name].get(arm, 0):.1f}" for name in (*KINDS, ALL) if name in own}
        notes["right"] = f"{words[arm]:.2f}" if words.get(arm) is not None else "none"
        notes |= {f"paper's {name}": f"{papers[name][0]}" for name in papers}
        yield Figure(
            f"LIFESTATE, {arm}, on a tiny base: {ALL}", "%", [own[ALL].get(arm, 0)], notes=notes
        )


def _gain(plan: Path, session: Session) -> Figure:
    """Of style alone both would gain alike. Each life has weights of its own, and is one cluster."""
    table(plan, "base", "lora")
    rows = cells(plan, "base", "lora")
    found = gain(rows, "lora")
    assert found.difference is not None and found.p is not None
    return Figure(
        "LoRA: gained on what was lived through, less on what only others lived through",
        "",
        [found.difference],
        reach=None if session.quick else Reach(0.3, "least"),
        notes={
            "p": f"{found.p:.4f}",
            "between": f"{found.low:+.2f} and {found.high:+.2f}",
            "lives": f"{found.clusters}",
            "facts of each sort": f"{found.cells}",
            **{
                f"{arm} knows of what was {kind}": f"{_known(rows, arm, kind):.2f}"
                for arm in ("base", "lora")
                for kind in ("lived", "unlived")
            },
        },
    )


def _known(rows: Sequence[CellRow], arm: str, kind: str) -> float:
    return fmean(one.scores.get(SCORE, 0.0) for one in rows if (one.arm, one.kind) == (arm, kind))
