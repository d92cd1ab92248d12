"""The step by which bookmarks came to mind, as `whoknew exam show` has it: that of the action on the log."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_runner import answer, run
from rich.console import Console, Group

from whoknew.agents.memories.bookmarks.call_cost import CallCost
from whoknew.agents.memories.bookmarks.kept_bank import STRATEGY, read_record
from whoknew.agents.memories.bookmarks.record import StepCosts, StepRecord
from whoknew.engine.exams.bookmarks.step_seen import BookmarkSeen, StepSeen
from whoknew.engine.terminal.exam.step_seen import step_shown
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import MemoryDerived

ARMS = ("bookmarks", "no-reuse")


@pytest.fixture
def sat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("exam", "new", "bookmarks", "lamp.toml", "--from", "the-lamp-room")
    run("exam", "run", "lamp.toml", *(word for arm in ARMS for word in ("--only", arm)))


def shown(arm: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for line in range(1, 8):
        cell = answer("exam", "show", "lamp.toml", arm, str(line))
        assert all(one["digest"] == one["called"]["digest"] for one in cell["calls"])
        yield cell["question"]["character"], cell["step"]


async def kept() -> list[tuple[str, StepRecord]]:
    """All steps of all arms, with whose they are."""
    async with open_log("lamp.db", read_only=True) as log:
        events = await (await log.director("lamp")).events()
    return [
        (one.body.owner, record)
        for one in events
        if isinstance(one.body, MemoryDerived) and one.body.strategy == STRATEGY
        if (record := read_record(one.body.packed))
    ]


def proposed(seen: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in seen["bookmarks"] if one["origin"] != "near"]


@pytest.mark.usefixtures("sat")
def test_a_step_of_a_question_is_that_which_was_kept_before_the_action() -> None:
    """All but the last question of each have such a step behind them."""
    steps, origins = asyncio.run(kept()), {}
    for arm in ARMS:
        compared, some = 0, set[str]()
        for who, seen in shown(arm):
            fates = [one["origin"] for one in proposed(seen)]
            some.update(fates)
            for owner, record in steps:
                same = (owner, record.at) == (who, seen["lines"])
                if same and [one.fate for one in record.proposed] == fates:
                    assert (record.unseen, record.read) == (seen["new"], seen["read"])
                    assert record.scratch == seen["scratch"]
                    compared += 1
        assert compared >= 4
        origins[arm] = some
    assert origins["no-reuse"] == {"new"} and "reused" in origins["bookmarks"]
    run("exam", "run", "lamp.toml", "--only", "vanilla", "--limit", "1")
    assert answer("exam", "show", "lamp.toml", "vanilla", "1")["step"] is None


def test_on_a_narrow_terminal_all_of_it_is_read_and_no_sign_of_a_text_moves_the_screen() -> None:
    hostile = "Where\x1b[2J is\r \u202eKit [bold]now[/bold]?"
    one = BookmarkSeen(
        number=12,
        kind="behavioral",
        question=hostile,
        origin="derived",
        asked=hostile,
        derived_from=7,
        parent=hostile,
        answer=hostile * 9,
        rests_on=tuple(range(3, 40)),
        new=1234,
        read=99,
    )
    near = msgspec.structs.replace(one, origin="near", asked="", derived_from=0, new=0, read=0)
    step = StepSeen(
        who=hostile,
        lines=9000,
        passing=False,
        bookmarks=(one, near),
        new=1234,
        read=99,
        scratch=9000,
        costs=StepCosts(CallCost(3, 99), CallCost(30, 1234)),
    )
    console = Console(width=80, record=True, file=StringIO())
    console.print(Group(*step_shown(step)))
    said = console.export_text()
    assert max(map(len, said.splitlines())) <= 80
    assert not set(said) & {"\x1b", "\r", "\u202e"} and "[bold]now[/bold]" in said
    words = " ".join(said.split())
    assert "derived from 7" in words and "1,234 of 9,000 lines new, 99 read" in words
    assert "3 calls, 99 tokens; from the start: 30 calls, 1,234 tokens" in words
    assert "and 29 more" in words and "86% of reading each from the start was saved" in words
