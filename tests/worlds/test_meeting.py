"""Strangers get to know how somebody looks when they first meet, or are told of each other: once, and
nobody else does."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from whoknew.engine.plan.plan import Plan
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.engine.travel.fork import Changes, fork
from whoknew.engine.travel.prompt import prompts
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.archive import copy_world
from whoknew.eventlog.kinds import Acted, Called, Described
from whoknew.eventlog.story import story_digest
from whoknew.worlds.meeting import Meetings
from whoknew.worlds.setting import Character, Cue, Place, Relation, Scenario, Setting

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
    await go_on(log, setting)
    return log


async def go_on(log: Path, setting: Setting, world: str | None = None) -> None:
    plan = Plan(setting.name, name=world)
    async with open_run(Program.of(plan, setting, str(log))) as run:
        await run.survey()
        report = await run.play()
    assert report.finished, report


def say(*lines: str) -> str:
    """A goal that gives the offline model its lines."""
    return "\n".join(f'Say: "{line}"' for line in lines)


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


async def test_two_thousand_people_of_whom_two_meet_are_a_small_log(tmp_path: Path) -> None:
    crowd = tuple(Character(f"Person {number}", looks="Tall.") for number in range(2_000))
    deck = Scenario("deck", "On deck.", ("Person 1", "Person 2"), turns=2)
    log = await played(tmp_path, Setting("ferry", "A crowd", FERRY.begins, crowd, (deck,)))
    assert await described(log) == [
        (1, 0, "Person 1", ("Person 2",)),
        (1, 0, "Person 2", ("Person 1",)),
    ]
    async with open_log(log, read_only=True) as opened:
        events = [event async for event in opened.read("ferry")]
    assert sum(len(event.witnesses) for event in events) < 2_100, "each is named once or so"
    assert sum(isinstance(event.body, Called) for event in events) > 1


QUAY = Setting(
    "ferry",
    "The Quay",
    FERRY.begins,
    tuple(
        Character(name, looks=f"{name} is tall.")
        for name in ("Oda", "Bram", "Nell", "Kit Moss", "Kit Hale", "Ida Lund")
    ),
    (
        Scenario(
            "deck",
            "On deck.",
            ("Oda", "Bram", "Nell"),
            place="deck",
            where={"Nell": "hold"},
            turns=7,
            stale=9,
            goals={
                "Oda": say("Ida owes me.", "As I said: Ida Lund owes me."),
                "Bram": 'Whisper to Oda: "Kit Moss is here."\nSay: "Where is Kit?"',
            },
        ),
        Scenario(
            "cabin",
            "Kit Hale has not come.",
            ("Oda", "Bram"),
            turns=4,
            stale=9,
            goals={"Bram": "Find Kit Moss."},
            turnings=(Cue(2, narrates="Nell calls from afar: Ida!"),),
        ),
    ),
    places=(Place("deck"), Place("hold", hears=("deck",))),
)


async def test_a_stranger_named_in_speech_is_described_to_those_who_heard(tmp_path: Path) -> None:
    assert await described(await played(tmp_path, QUAY)) == [
        (1, 0, "Oda", ("Bram",)),
        (1, 0, "Bram", ("Oda",)),
        (1, 0, "Ida Lund", ("Oda",)),  # as her goal has it
        (1, 0, "Kit Moss", ("Bram",)),
        (1, 1, "Ida Lund", ("Bram", "Nell")),  # who overhears it
        (1, 2, "Kit Moss", ("Oda",)),  # to whom alone it was whispered
        # "Kit" may be either, and Ida was named before
        (2, 0, "Kit Hale", ("Oda", "Bram")),  # as the scenario has it
        (2, 2, "Nell", ("Oda", "Bram")),
    ]


def test_whoever_names_somebody_is_told_nothing_by_that() -> None:
    said = Draft(Acted("Ida Lund!"), actor="Oda", witnesses=("Oda", "Bram"))
    thought = Draft(Acted("Ida Lund!", "none"), actor="Oda", witnesses=("Oda",))
    assert list(Meetings(QUAY).named([said, thought], {})) == [("Ida Lund", ("Bram",))]


def test_who_knows_everybody_is_told_of_nobody_anew() -> None:
    everybody = {one.name for one in QUAY.characters}
    said = Draft(Acted("Ida Lund!"), actor="Oda", witnesses=("Oda", "Bram", "Nell"))
    told = list(Meetings(QUAY).named([said], {"Bram": everybody, "Nell": everybody}))
    assert told == []
    heard = list(Meetings(QUAY).named([said], {"Bram": everybody, "Nell": {"Nell"}}))
    assert heard == [("Ida Lund", ("Bram", "Nell"))]


async def test_the_prompt_after_a_name_tells_who_that_is(tmp_path: Path) -> None:
    async with open_log(await played(tmp_path, QUAY), read_only=True) as log:
        for at, who, known in (
            ("E1.T1", "Oda", False),
            ("E1.T3", "Nell", False),  # who did not hear the whisper
            ("E1.T4", "Oda", True),
        ):
            (found,) = await prompts(log, "ferry", at)
            (call,) = found.calls
            assert (found.character, call.agrees) == (who, True)
            assert ('- Kit Moss: "Kit Moss is tall."' in call.messages[-1].text) is known, at
        assert (await rerun(log, "ferry")).agrees


async def test_a_what_if_that_names_somebody_describes_that_person(tmp_path: Path) -> None:
    path = await played(tmp_path, QUAY)
    async with open_log(path) as log:
        tell = Changes(tell=(("Oda", "They say that Kit Hale is ill."),))
        await fork(log, "ferry", "E1.T3", name="told", changes=tell)
    await go_on(path, QUAY, "told")
    async with open_log(path) as log:
        found = [
            event.witnesses
            async for event in log.read("told")
            if isinstance(event.body, Described) and event.body.name == "Kit Hale"
        ]
        assert found == [("Oda",), ("Bram",)]
        assert (await rerun(log, "told")).agrees


async def test_a_chain_stopped_between_a_name_and_its_description_goes_on_the_same(
    tmp_path: Path,
) -> None:
    async with open_log(await played(tmp_path, QUAY), read_only=True) as log:
        events = [event async for event in log.read("ferry")]
        whole = story_digest(events)
        cuts = [event.seq for event in events if isinstance(event.body, Acted)]
        for cut in cuts:
            await stopped(log, cut, tmp_path / f"{cut}.db")
    assert len(cuts) > 8
    for cut in cuts:
        await go_on(tmp_path / f"{cut}.db", QUAY)
        async with open_log(tmp_path / f"{cut}.db", read_only=True) as log:
            assert story_digest([event async for event in log.read("ferry")]) == whole, cut


async def stopped(log: Log, seq: int, path: Path) -> None:
    """The same log as if its writer had been killed there."""
    async with open_log(path) as part:
        await copy_world(log, "ferry", seq, part)


async def test_of_two_thousand_people_only_those_who_are_named_are_described(
    tmp_path: Path,
) -> None:
    crowd = tuple(
        Character(f"Ada{number} Lund", looks=f"In coat {number}.") for number in range(2_000)
    )
    lines = [f"I saw Ada{number} Lund, and Ada{number + 1}." for number in range(100, 110, 2)]
    one, other = crowd[0].name, crowd[1].name
    deck = Scenario("deck", "On deck.", (one, other), turns=20, stale=20, goals={one: say(*lines)})
    log = await played(tmp_path, Setting("ferry", "A crowd", FERRY.begins, crowd, (deck,)))
    found = [(name, witnesses) for _, _, name, witnesses in await described(log)]
    assert found[:2] == [(one, (other,)), (other, (one,))]
    told = {name for name, witnesses in found[2:] if witnesses == (other,)}
    assert {f"Ada{number} Lund" for number in range(100, 110)} <= told
    async with open_log(log, read_only=True) as opened:
        events = [event async for event in opened.read("ferry")]
    assert sum(len(event.witnesses) for event in events) < 2_200, "each is named once or so"
