"""Worlds keep the rules of play that they began with: they go on as they were, and their prompts come
out as they were given."""

from __future__ import annotations

from pathlib import Path

from whoknew.engine.plan.plan import Judging, Plan, Seat
from whoknew.engine.plan.planned import VERSION, planned, written
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.engine.travel.prompt import Call, prompts
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Log, import_log, open_log
from whoknew.eventlog.kinds import Called, Described, Planned
from whoknew.eventlog.story import story_digest
from whoknew.worlds.shelf import load

STORED = Path(__file__).parents[2] / "stored"
WORLD = "lighthouse"
WHOLE = "da633f9ba9b6db32826777353ba2efffb387ecee3d57f3e0e34dec3dbf28ef85"
"""The story as the version that began it went on with it to its end."""

QUARRY = "quarry"
SEARCHED = "8eba378bdb8f48bfc21ccbbf648c642a3fd5e8edd73f506a00271db8ce46a8a7"
"""The same of a world that began before searches had a ranking of their own."""


async def stored(path: Path) -> Path:
    """Half of a story in which people are named whom nobody has met, and turns are not witnessed."""
    async with open_log(path) as log:
        await import_log(log, STORED / "told-of.jsonl")
    return path


async def go_on(path: Path) -> None:
    setting = load(STORED / "told-of.toml")
    async with open_run(Program.of(Plan("told-of.toml"), setting, str(path))) as run:
        await run.survey()
        assert (await run.play()).finished


async def search_on(path: Path) -> None:
    """Go on with a story whose people search their past, and whose judge asks what came to mind."""
    seat = Seat(memory="recall", settings={"recall": {"k": 3}})
    judges = {"came-to-mind": Judging("evidence")}
    plan = Plan("searched.toml", agents={"everyone": seat}, judges=judges)
    async with open_run(Program.of(plan, load(STORED / "searched.toml"), str(path))) as run:
        await run.survey()
        assert (await run.play()).finished


async def called(log: Log, world: str = WORLD) -> list[Call]:
    """All that models were asked, made again."""
    events = [event async for event in log.read(world)]
    turns = {(one.episode, one.turn): None for one in events if isinstance(one.body, Called)}
    return [
        call
        for episode, turn in turns
        for decision in await prompts(log, world, f"E{episode}.T{turn}")
        for call in decision.calls
    ]


async def test_prompts_of_a_world_come_out_as_the_version_that_began_it_gave_them(
    tmp_path: Path,
) -> None:
    async with open_log(await stored(tmp_path / "log.db"), read_only=True) as log:
        calls = await called(log)
        assert len(calls) == 18
        assert all(call.agrees for call in calls)
        assert (await rerun(log, WORLD)).agrees


async def test_a_world_that_an_earlier_version_began_goes_on_as_it_was(tmp_path: Path) -> None:
    path = await stored(tmp_path / "log.db")
    await go_on(path)
    async with open_log(path, read_only=True) as log:
        events = [event async for event in log.read(WORLD)]
        assert story_digest(events) == WHOLE
        assert all(call.agrees for call in await called(log))
        assert (await rerun(log, WORLD)).agrees
    versions = {event.body.version for event in events if isinstance(event.body, Planned)}
    assert versions == {0}


async def test_a_world_searches_the_past_as_when_it_began(tmp_path: Path) -> None:
    """Its prompts, and what a judge finds to have come to mind: as the version before wrote them."""
    path = tmp_path / "log.db"
    async with open_log(path) as log:
        await import_log(log, STORED / "searched.jsonl")
        calls = await called(log, QUARRY)
        assert len(calls) == 24
        assert all(call.agrees for call in calls)
        assert (await rerun(log, QUARRY)).agrees
    await search_on(path)
    async with open_log(path, read_only=True) as log:
        events = [event async for event in log.read(QUARRY)]
        assert story_digest(events) == SEARCHED
        assert all(call.agrees for call in await called(log, QUARRY))
        assert (await rerun(log, QUARRY)).agrees


async def test_a_world_that_begins_now_searches_as_is_best_now(tmp_path: Path) -> None:
    await search_on(tmp_path / "new.db")
    async with open_log(tmp_path / "new.db", read_only=True) as log:
        events = [event async for event in log.read(QUARRY)]
        assert story_digest(events) != SEARCHED
        assert all(call.agrees for call in await called(log, QUARRY))
        assert (await rerun(log, QUARRY)).agrees


async def test_a_world_that_begins_now_has_the_rules_of_now(tmp_path: Path) -> None:
    await go_on(tmp_path / "new.db")
    async with open_log(tmp_path / "new.db") as log:
        events = [event async for event in log.read(WORLD)]
        told = [
            (event.episode, event.turn, event.body.name, event.witnesses)
            for event in events
            if isinstance(event.body, Described) and event.episode
        ]
        assert (1, 0, "Kit Moss", ("Oda Berg", "Bram")) in told, "as their goals have it"
        (of_ines,) = await prompts(log, WORLD, "E2.T6")
        assert "Turns left: 11 at most." in of_ines.calls[0].messages[-1].text
        assert all(call.agrees for call in await called(log))
        assert (await rerun(log, WORLD)).agrees
    versions = {event.body.version for event in events if isinstance(event.body, Planned)}
    assert versions == {VERSION}


def test_what_gave_vectors_to_a_memory_was_called_its_model() -> None:
    seat = Seat(memory="recall", settings={"recall": {"k": 3, "model": "offline:"}})
    plan = Plan("searched.toml", agents={"everyone": seat})
    found = written(planned(plan, load(STORED / "searched.toml"), 1), "it").plan.seat("Anyone")
    assert found.settings == {"recall": {"k": 3, "embedder": "offline:"}}
    assert found.embedder == "offline:"
