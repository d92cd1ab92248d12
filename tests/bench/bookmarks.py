"""How many lines a bank of bookmarks reads at each step, in a world of 10,000 actions of a closed cast;
beside a profile, and beside reading all anew. And what the first answer to a question costs, by its kind."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory

import planted_exam
from figure import EXPONENT, Figure, Reach
from msgspec import Struct, field
from power import fit
from session import Session

from whoknew.agents.lines import Line
from whoknew.agents.memories.bookmarks.bank import BookmarkBank
from whoknew.agents.memories.bookmarks.bookmark import KeptAnswer
from whoknew.agents.memories.bookmarks.operators import Effect
from whoknew.agents.memories.bookmarks.record import StepRecord
from whoknew.agents.memories.bookmarks.rules import RuleOperators
from whoknew.agents.memories.bookmarks.step import Stepping
from whoknew.agents.memories.bookmarks.told_lines import ToldLines
from whoknew.agents.memories.profile import SCENE
from whoknew.engine.exams.bookmarks.figures import EM, PRICE
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Acted, CharacterAdded, WorldOpened

CAST = tuple(f"Person{letter}" for letter in "ABCDEFGHIJ")
WHO = CAST[0]
WORDS = tuple(f"{a}{b}{c}" for a in "bdgklmnprst" for b in "aeiou" for c in "lmnrst")

BEGINS = datetime(2000, 1, 1, 12)

FLAT = 0.2
"""The steepest that what is read may grow."""


class Unread(RuleOperators):
    """Its answers say nothing: what is counted is what it is given to read."""

    async def effect(self, question: str, answer: str, lines: Sequence[Line]) -> Effect:
        return "none"

    async def concept(self, question: str, lines: Sequence[Line]) -> KeptAnswer:
        return KeptAnswer()


class ReadLines(Struct):
    """What was read, by the size of the world: at a step, and for the first answer by kind."""

    at: list[int] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    scratch: list[int] = field(default_factory=list)
    first: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def take(self, record: StepRecord) -> None:
        self.at.append(record.at)
        self.steps.append(record.read)
        self.scratch.append(record.scratch)

    def mean(self, values: Sequence[int], start: float, end: float) -> float:
        """Of the steps in a part of the world."""
        last = self.at[-1]
        return fmean(v for at, v in zip(self.at, values, strict=True) if start < at / last <= end)


def figures(session: Session) -> Iterator[Figure]:
    actions = session.size(10_000, 500)
    found = [asyncio.run(_read(seed, actions)) for seed in range(3 if session.quick else 5)]
    sizes = [0.2, 0.4, 0.6, 0.8, 1.0]
    every = [[one.mean(one.steps, end - 0.2, end) for end in sizes] for one in found]
    middles = [fmean(values) for values in zip(*every, strict=True)]
    yield Figure(
        f"lines that a bank reads at a step, up to {actions:,} actions",
        EXPONENT,
        [fit([size - 0.1 for size in sizes], values).exponent for values in every],
        reach=Reach(FLAT, "most"),
        notes={
            **{
                f"{size * actions:,.0f}": f"{middle:.0f}"
                for size, middle in zip(sizes, middles, strict=True)
            },
            "a profile": f"{1 + SCENE}",
        },
        curve=[(size * actions, middle) for size, middle in zip(sizes, middles, strict=True)],
    )
    yield Figure(
        "share of reading saved beside all read anew, in the last fifth",
        "",
        [1 - one.mean(one.steps, 0.8, 1) / one.mean(one.scratch, 0.8, 1) for one in found],
        reach=Reach(0.9, "least"),
    )
    for kind in ("concept", "state", "behavioral"):
        firsts = [one.first[kind] for one in found]
        yield Figure(
            f"lines read for the first answer to a question, {kind}",
            EXPONENT,
            [fit([at for at, _ in some], [read for _, read in some]).exponent for some in firsts],
            notes={f"{at:,}": f"{read:,}" for at, read in firsts[0]},
            reach=Reach(FLAT, "most") if kind == "concept" else None,
        )

    yield _price(session)


def _price(session: Session) -> Figure:
    """By arm, in planted worlds, by a model that plays by their rules."""
    with TemporaryDirectory() as folder:
        worlds, topics = session.size(4, 2), session.size(60, 20)
        found = asyncio.run(planted_exam.findings(Path(folder), worlds, topics)).figures
    right, price = found[EM], found[PRICE]
    return Figure(
        "right predictions for 10,000 tokens, in planted worlds",
        "",
        [price["bookmarks"]],
        limit=[price["no-near"]],
        beside="without near bookmarks",
        notes={arm: f"{price[arm]:.2f} ({right[arm]:.0f} % right)" for arm in price},
        reach=Reach(1.2, "times"),
    )


async def _read(seed: int, actions: int) -> ReadLines:
    """A line: a step before each action of one of the cast; and apart from it what new questions cost."""
    draw, found = Random(seed), ReadLines()
    async with open_log(":memory:") as log:
        await _live(log, draw, actions)
        bank, happened = BookmarkBank(), ToldLines()
        seqs = [e.seq for e in await (await log.director("w")).events() if e.actor == WHO]
        marks = {seqs[int(len(seqs) * part)] for part in (0.25, 0.5, 0.75)} | {seqs[-1]}
        for seq in seqs:
            view = await log.view("w", WHO, AtSeq(seq - 1))
            await happened.catch_up(view)
            stepping = Stepping(bank=bank, happened=happened, view=view, operators=Unread())
            if happened and seq in marks:
                fresh = Stepping(
                    bank=BookmarkBank(), happened=happened, view=view, operators=Unread()
                )
                for change in (await fresh.step(WHO)).record.changes:
                    assert change.begun
                    some = found.first.setdefault(change.begun.kind, [])
                    if not some or some[-1][0] != len(happened):
                        some.append((len(happened), change.read))
            taken = await stepping.step(WHO)
            bank.take(taken.record)
            found.take(taken.record)
    return found


async def _live(log: Log, draw: Random, actions: int) -> None:
    await log.append(
        "w", [Draft(WorldOpened("w"), BEGINS), *(Draft(CharacterAdded(one)) for one in CAST)]
    )
    for start in range(0, actions, 1000):
        drafts = [
            Draft(
                Acted(" ".join([*draw.choices(WORDS, k=8), draw.choice(CAST)])),
                episode=1,
                actor=draw.choice(CAST),
                witnesses=CAST,
            )
            for _ in range(min(1000, actions - start))
        ]
        await log.append("w", drafts)
