"""What is found of who tells whom of what in four plays, held against what was read in them.

The weights were fitted on these plays and on the bundled worlds, near to what they were before. With each
play fitted on the others and put together, they found 16 of the 62 where 4 % of the pieces of speech are
taken, 22 at 8 %, 26 at 16 %. That was with more happenings looked at for a speech than now. With other
counts of these the figures move by up to four: so much of them is chance.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_runner import run
from msgspec import Struct
from shared_data import data

from whoknew.engine.finding.finder import Finder, Found
from whoknew.eventlog import Event, open_log
from whoknew.eventlog.kinds import Acted

PLAYS = ("hamlet", "macbeth", "dream", "r_and_j")


class Case(Struct, frozen=True):
    speech: frozenset[int]
    hearers: frozenset[str]
    of: frozenset[int]
    tells: bool


class Play(Struct, frozen=True):
    found: list[Found]
    cases: list[Case]
    pieces: int


@pytest.fixture(scope="module")
def plays(tmp_path_factory: pytest.TempPathFactory) -> list[Play]:
    return [_play(name, tmp_path_factory.mktemp(name)) for name in PLAYS]


def _play(name: str, folder: Path) -> Play:
    script, gold = data("shakespeare", f"{name}.xml"), data("knowing", f"tellings.{name}.jsonl")
    run("import", "play", script, "--log", folder / "log.db")
    story = asyncio.run(_events(folder / "log.db", name))
    pieces = [event for event in story if isinstance(event.body, Acted) and event.source]
    finder = Finder()
    return Play(
        found=[one for event in story for one in finder.hear(event)],
        cases=[_case(json.loads(line), pieces) for line in gold.read_text("utf-8").splitlines()],
        pieces=len(pieces),
    )


async def _events(file: Path, world: str) -> list[Event]:
    async with open_log(file, read_only=True) as log:
        return [event async for event in await log.director(world)]


def _case(line: dict[str, list[str]], pieces: list[Event]) -> Case:
    of = line["of"] or line.get("near", [])
    return Case(
        speech=frozenset(event.seq for event in pieces if event.source == line["speech"]),
        hearers=frozenset(line["hearers"]),
        of=frozenset(event.seq for event in pieces if event.source in of),
        tells=bool(line["of"]),
    )


def _bar(plays: list[Play], share: float) -> float:
    """The score that so many of the pieces of speech reach; fewer may reach any."""
    best: dict[tuple[int, int], float] = {}
    for number, play in enumerate(plays):
        for one in play.found:
            best[number, one.speech] = max(one.score, best.get((number, one.speech), 0.0))
    count = int(share * sum(play.pieces for play in plays))
    return sorted(best.values(), reverse=True)[:count][-1]


def _hit(plays: list[Play], bar: float) -> Iterator[Case]:
    """The cases of which some hearer is told at that speech, and not before, as surely as that."""
    for play in plays:
        first: dict[tuple[int, str], int] = {}
        for one in play.found:
            if one.score >= bar:
                for hearer in one.hearers:
                    first.setdefault((one.of, hearer), one.speech)
        for case in play.cases:
            if any(first.get((of, who)) in case.speech for of in case.of for who in case.hearers):
                yield case


@pytest.mark.parametrize(("share", "least"), [(0.04, 16), (0.08, 24), (0.16, 26)])
def test_of_what_is_told_so_much_is_found(plays: list[Play], share: float, least: int) -> None:
    found = sum(case.tells for case in _hit(plays, _bar(plays, share)))
    assert found >= least


def test_what_is_not_told_is_hardly_found(plays: list[Play]) -> None:
    assert sum(not case.tells for case in _hit(plays, _bar(plays, 0.04))) <= 3
