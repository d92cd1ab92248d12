"""Logs that released versions wrote are still read, whole and as they were."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from stored.make import AFTER, ANA, BO, EPISODE, FIRST, FORKED, NIGHT

from whoknew.eventlog import Draft, Kind, Log, import_log, open_log, verify
from whoknew.eventlog.kinds import (
    Amended,
    Became,
    Described,
    Doubted,
    EpisodeResumed,
    Imported,
    Planned,
    Printed,
    QuestionDecided,
    QuestionsWritten,
    Seen,
    TellingFound,
    TellingsSought,
    WorldForked,
)
from whoknew.eventlog.machinery import (
    ArmAdded,
    CallStarted,
    JudgeAdded,
    LeakRead,
    LineRefused,
    MemoryAdded,
    MemoryDerived,
    NothingDerived,
    ScenePlayed,
    WriterAdded,
)

STORED = Path(__file__).parent / "stored"

HEADS = {
    "elsinore": (27, "a31caa0bfa6a1356342318ce1e1e64ed5a2e41045165e3955240ccd91578ad7b"),
    "what if: 若し": (13, "2a27cc06378d44b5eb8a11a10abeacb926ef06b2085962536af5d2d1f91f8cbc"),
    "again": (14, "77c36b961babd399b4b010b53621c4991a3af11ce8455d5610f135d201e78447"),
}

FORK, AGAIN = "what if: 若し", "again"


@pytest.fixture(params=["v1.db", "v1.jsonl", "v2.db"])
async def log(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Log]:
    """A stored log: opened as it is, or imported."""
    stored = STORED / request.param
    if stored.suffix == ".db":
        async with open_log(shutil.copy(stored, tmp_path)) as log:
            yield log
    else:
        async with open_log(":memory:") as log:
            await import_log(log, stored)
            yield log


def dated(drafts: list[Draft]) -> list[Draft]:
    """Each with the time that it happened at."""
    now, found = NIGHT, []
    for draft in drafts:
        now = draft.at or now
        found.append(replace(draft, at=now))
    return found


async def test_a_stored_log_decodes_to_what_was_written(log: Log) -> None:
    whole = dated([*FIRST, *EPISODE, *AFTER])
    assert [event.draft async for event in log.read("elsinore")] == whole
    shared = [*FIRST, *EPISODE][:11]
    forked = dated([*shared, Draft(WorldForked("elsinore", 11)), *FORKED])
    assert [event.draft async for event in log.read(FORK)] == forked
    again = dated([*shared, *forked[11:], Draft(WorldForked(FORK, 13))])
    assert [event.draft async for event in log.read(AGAIN)] == again


async def test_a_stored_log_keeps_its_hashes(log: Log) -> None:
    for world, (seq, digest) in HEADS.items():
        head = await log.head(world)
        assert (head.seq, head.hash.hex()) == (seq, digest)
    checked = await verify(log)
    assert checked.faults == ()
    assert checked.events == 30


async def test_a_stored_log_holds_every_kind_of_its_version() -> None:
    """Kinds that came later are in the stored logs of their own versions."""
    later: set[type[Kind]] = {
        Amended,
        ArmAdded,
        Became,
        CallStarted,
        Described,
        Doubted,
        EpisodeResumed,
        Imported,
        JudgeAdded,
        LeakRead,
        LineRefused,
        MemoryAdded,
        MemoryDerived,
        NothingDerived,
        Planned,
        Printed,
        QuestionDecided,
        QuestionsWritten,
        ScenePlayed,
        Seen,
        TellingFound,
        TellingsSought,
        WriterAdded,
    }
    stored = {type(draft.body) for draft in [*FIRST, *EPISODE, *AFTER, *FORKED]}
    assert stored | {WorldForked} | later == set(Kind.__subclasses__())


async def test_the_keys_of_a_stored_log_still_hold(log: Log) -> None:
    first = await log.append("elsinore", FIRST, key="opening")
    assert (first.first, first.last) == (1, 6)
    assert (await log.append(FORK, FORKED, key="opening")).first == 13
    assert (await log.append("elsinore", EPISODE, key="épisode 1")).last == 16


async def test_a_stored_log_is_looked_into_as_any_other(log: Log) -> None:
    assert (await log.cursor("elsinore", "Christmas, year 1")).seq == 6
    assert (await log.cursor("elsinore", "E1.T4")).seq == 13
    view = await log.view("elsinore", ANA, "E1")
    assert list(view.seqs()) == [8, 9, 11, 12, 13, 14, 15]
    assert (await log.knowledge("elsinore")).of(10, ANA).by == BO


async def test_a_stored_log_can_be_gone_on_with(log: Log) -> None:
    appended = await log.append(AGAIN, FORKED)
    assert appended.first == 15
    assert (await verify(log)).faults == ()
