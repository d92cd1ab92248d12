"""Strangers get to know how somebody looks when they first meet, once, and nobody else does."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from whoknew.engine.plan.plan import Plan
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.engine.travel.prompt import prompts
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called, Described
from whoknew.worlds.setting import Character, Cue, Relation, Scenario, Setting

PEOPLE = tuple(Character(name, looks=f"{name} is tall.") for name in ("Oda", "Bram", "Kit", "Nell"))
FERRY = Setting(
    "ferry",
    "The Ferry",
    datetime(2000, 1, 1, 20),
    PEOPLE,
    (
        Scenario(
            "deck",
            "On deck.",
            ("Oda", "Bram"),
            turns=4,
            stale=9,
            turnings=(Cue(3, who="Kit", enters="hidden"),),
        ),
        Scenario(
            "cabin",
            "Below.",
            ("Bram", "Oda"),
            turns=4,
            stale=9,
            turnings=(Cue(2, who="Kit", enters="openly"),),
        ),
    ),
    relations=(Relation("friend", of="Oda", to="Bram"),),
)


async def played(folder: Path, setting: Setting = FERRY) -> Path:
    log = folder / "log.db"
    async with open_run(Program.of(Plan(setting.name), setting, str(log))) as run:
        await run.survey()
        report = await run.play()
    assert report.finished, report
    return log


async def described(log: Path) -> list[tuple[int, int, str, tuple[str, ...]]]:
    async with open_log(log, read_only=True) as opened:
        return [
            (event.episode, event.turn, event.body.name, event.witnesses)
            async for event in opened.read("ferry")
            if isinstance(event.body, Described)
        ]


async def test_strangers_are_described_when_they_first_meet(tmp_path: Path) -> None:
    found = await described(await played(tmp_path))
    assert found == [
        (0, 0, "Bram", ("Oda",)),  # her friend
        (1, 0, "Oda", ("Bram",)),
        (1, 3, "Oda", ("Kit",)),  # who hides, and sees without being seen
        (1, 3, "Bram", ("Kit",)),
        (2, 2, "Kit", ("Bram", "Oda")),
    ]


async def test_a_prompt_tells_of_whom_one_has_met_and_of_nobody_else(tmp_path: Path) -> None:
    async with open_log(await played(tmp_path), read_only=True) as log:
        for at, known in (
            ("E1.T1", ["Bram"]),
            ("E2.T1", ["Oda"]),
            ("E2.T2", ["Bram", "Kit"]),
            ("E2.T3", ["Bram", "Oda"]),
        ):
            (found,) = await prompts(log, "ferry", at)
            (call,) = found.calls
            assert call.agrees
            asked = call.messages[-1].text
            met = [one.name for one in PEOPLE if f"{one.name} is tall." in asked]
            assert set(met) - {found.character} == set(known)
        assert (await rerun(log, "ferry")).agrees


async def test_ten_thousand_people_of_whom_two_meet_are_a_small_log(tmp_path: Path) -> None:
    crowd = tuple(Character(f"Person {number}", looks="Tall.") for number in range(10_000))
    deck = Scenario("deck", "On deck.", ("Person 1", "Person 2"), turns=2)
    log = await played(tmp_path, Setting("ferry", "A crowd", FERRY.begins, crowd, (deck,)))
    assert await described(log) == [
        (1, 0, "Person 1", ("Person 2",)),
        (1, 0, "Person 2", ("Person 1",)),
    ]
    async with open_log(log, read_only=True) as opened:
        events = [event async for event in opened.read("ferry")]
    assert sum(len(event.witnesses) for event in events) < 10_100, "each is named once or so"
    assert sum(isinstance(event.body, Called) for event in events) > 1
