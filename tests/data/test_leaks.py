"""Leaks that are planted in four plays and the bundled worlds are found, and hardly anything else is.

Leaks of what had happened are put into mouths there; answers are asked of characters at moments, of what
they had not heard by then, or what comes later.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from command_runner import run
from msgspec import Struct
from planted_leaks import WAYS, planted, reworded, spoken, telling, unknown
from shared_data import data

from whoknew.engine.finding.leaks import Leak, LeakFinder, SpokenLine
from whoknew.engine.travel.audit import AuditReport, audit
from whoknew.engine.travel.tellings import look
from whoknew.eventlog import Event, open_log
from whoknew.eventlog.story import is_outside_story

PLAYS = ("hamlet", "macbeth", "dream", "r_and_j")
WORLDS = ("flatmates", "harbour", "midnight-diner")

SURE = 0.5


class World(Struct):
    name: str
    events: list[Event]
    told: dict[str, dict[int, int]]
    report: AuditReport

    def finder(self, events: list[Event]) -> LeakFinder:
        return LeakFinder([one for one in events if not is_outside_story(one)], self.told)


def _found(finder: LeakFinder, lines: list[SpokenLine]) -> list[Leak]:
    return [leak for leak in map(finder.look, lines) if leak is not None and leak.score >= SURE]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> list[World]:
    return [_world(name, tmp_path_factory.mktemp(name)) for name in (*PLAYS, *WORLDS)]


def _world(name: str, folder: Path) -> World:
    if name in PLAYS:
        run("import", "play", data("shakespeare", f"{name}.xml"), "--log", folder / "log.db")
    else:
        run("run", name, "--log", folder / "log.db")
    return asyncio.run(_read(folder / "log.db", name))


async def _read(file: Path, name: str) -> World:
    async with open_log(file) as log:
        await look(log, name)
        knowledge = await log.knowledge(name)
        told = {
            who: {seq: known.at or 0 for seq, known in knowledge.told(who).items()}
            for who in knowledge.characters
        }
        events = [event async for event in await log.director(name)]
        return World(name, events, told, await audit(log, name))


def test_as_they_are_there_is_no_leak_in_them_and_little_news(worlds: list[World]) -> None:
    """What there is was read: Capulet comes in and knows where Juliet is to be married."""
    reports = [world.report for world in worlds]
    assert sum(report.leaks for report in reports) == 0
    news = [(row.who, row.fact.actor) for report in reports for row in report.rows]
    assert news == [("CAPULET", "LADY CAPULET")]
    assert sum(report.lines for report in reports) > 3500
    assert all(report.looked for report in reports)


def test_of_planted_leaks_most_are_found_and_hardly_anything_besides(worlds: list[World]) -> None:
    right = found = all_planted = 0
    for world in worlds:
        for seed in (1, 2, 3):
            events, seqs = planted(world.events, world.told, Random(seed))
            leaks = {leak.line.seq for leak in _found(world.finder(events), spoken(events))}
            right += len(leaks & seqs)
            found += len(leaks)
            all_planted += len(seqs)
    assert all_planted > 600
    assert right >= 0.8 * all_planted
    assert right >= 0.9 * found


@pytest.mark.parametrize("later", [False, True])
def test_an_answer_that_its_character_cannot_know_is_found(
    worlds: list[World], later: bool
) -> None:
    chance, leaking, honest = Random(1), list[bool](), list[bool]()
    for world in worlds:
        lines, among = spoken(world.events), telling(world.events)
        finder = world.finder(world.events)
        asked = [
            SpokenLine(10**9, chance.choice(lines).who, "", chance.choice(lines).seq)
            for _ in range(60)
        ]
        for one in asked:
            of = unknown(one, among, world.told, later=later)
            mine = [
                event for event in among if one.who in event.witnesses and event.seq <= one.upto
            ]
            if of and mine:
                way = chance.choice(WAYS)
                leak = reworded(chance.choice(of).body.words, way)
                own = reworded(chance.choice(mine).body.words, way)
                leaking.append(bool(_answers(finder, one, leak)))
                honest.append(bool(_answers(finder, one, own)))
    assert len(leaking) > 200
    assert sum(leaking) >= 0.8 * len(leaking)
    assert sum(honest) <= len(honest) / 200


def _answers(finder: LeakFinder, asked: SpokenLine, text: str) -> list[Leak]:
    return _found(finder, [SpokenLine(asked.seq, asked.who, text, asked.upto)])
