"""What each part of the bank is worth, in worlds in which the right next action follows by rule from
planted habits and changing states."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from planted_habits import OTHER, WHO, Alternating, planted, predicted

from whoknew.agents.memories.bookmarks.bank import BookmarkBank
from whoknew.agents.memories.bookmarks.step import Stepping, StepWays
from whoknew.agents.memories.bookmarks.told_lines import ToldLines
from whoknew.engine.exams.comparing import ArmComparison, compared
from whoknew.engine.exams.figures import ScoredCell, ScoreTable
from whoknew.eventlog import open_log
from whoknew.eventlog.cursor import AtSeq

ARMS = {
    "bookmarks": StepWays(),
    "no derive": StepWays(derives=False),
    "no derive, no reuse": StepWays(derives=False, reuses=False),
    "no near": StepWays(near=False),
    "incremental": StepWays(verified=False),
}
LINES, TOPICS = 12, 30

Cells = list[ScoredCell]


async def line(seed: int, arm: str) -> tuple[Cells, Cells]:
    """Of each step of a line whether the prediction was right, and how much was saved."""
    drafts, rights = planted(seed, TOPICS)
    bank, happened = BookmarkBank(), ToldLines()
    right: Cells = []
    saved: Cells = []
    async with open_log(":memory:") as log:
        await log.append("w", drafts)
        for one in rights:
            view = await log.view("w", WHO, AtSeq(one.seq - 1))
            await happened.catch_up(view)
            stepping = Stepping(
                bank=bank, happened=happened, view=view, operators=Alternating(), ways=ARMS[arm]
            )
            taken = await stepping.step(WHO)
            bank.take(taken.record)
            if not one.hurried:
                score = float(predicted(one, taken.grounds) == one.words)
                right.append(cell(seed, one.seq, arm, score))
            share = 1 - taken.record.unseen / taken.record.scratch
            saved.append(cell(seed, one.seq, arm, share))
    return right, saved


def cell(seed: int, seq: int, arm: str, score: float) -> ScoredCell:
    return ScoredCell(
        unit=f"{seed}#{seq}", cluster=f"line {seed}", kind="action", arm=arm, score=score
    )


def means(table: ScoreTable) -> dict[str, float]:
    return {one.arm: one.micro.mean or 0.0 for one in table.figures()}


def against_whole(some: tuple[ArmComparison, ...]) -> Iterator[tuple[str, float, bool]]:
    for one in some:
        if one.first == "bookmarks":
            yield one.second, one.difference or 0.0, one.tells


async def test_quality_falls_without_near_ones_and_without_evidence_and_saving_without_reuse() -> (
    None
):
    found = [await line(seed, arm) for seed in range(LINES) for arm in ARMS]
    right, saved = (ScoreTable.of(one for some in found for one in some[n]) for n in (0, 1))
    quality, saving = compared([right, saved], seed=1)
    worse = {name: tells for name, by, tells in against_whole(quality) if by > 0.1}
    assert worse == {"no near": True, "incremental": True}, means(right)
    dearer = {name: tells for name, by, tells in against_whole(saving) if by > 0.1}
    assert dearer == {"no derive, no reuse": True}, means(saved)
    assert means(right)["no derive, no reuse"] == pytest.approx(means(right)["bookmarks"], abs=0.05)


def test_what_is_right_is_nowhere_in_the_last_lines_alone() -> None:
    """Else nothing would be measured: how something stands was told before Oda is asked about it."""
    drafts, rights = planted(1, TOPICS)
    told = [drafts[one.seq - 2] for one in rights]
    assert told and all(one.actor == OTHER for one in told)
    assert not any(r.state in t.body.words for r, t in zip(rights, told, strict=True))
