"""Exams of scenes: what is played and judged, by whom, and what its table says of that."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from duel_exams import DUEL, Kept, duel
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shared_data import data
from watch_exams import dying

from whoknew.engine.exams.document import offline
from whoknew.engine.exams.material import scenes_of
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.scenes.forecast import forecast_scenes
from whoknew.engine.exams.scenes.players import players
from whoknew.engine.exams.scenes.scene import chain_of, scene_cell, scene_cells
from whoknew.engine.exams.scenes.scene_tally import SceneTally
from whoknew.engine.exams.session import ExamSession
from whoknew.engine.exams.table import ExamTable
from whoknew.engine.plan.plan import Limit
from whoknew.engine.plan.program import Chain
from whoknew.engine.running import forecast as forecasting
from whoknew.engine.running.rehearsal import rehearse
from whoknew.engine.terminal.seat import TerminalSeat
from whoknew.eventlog import Event, Log, verify
from whoknew.eventlog.errors import StoreUnavailable
from whoknew.eventlog.kinds import Called, Failed, Reviewed, ScenePlayed
from whoknew.eventlog.stores.volatile import VolatileStore
from whoknew.worlds.errors import BadDocument


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Kept:
    """In a folder of its own: what is at work on a log is known by its path, to other processes, too."""
    monkeypatch.chdir(tmp_path)
    return Kept(monkeypatch)


async def events_of(store: VolatileStore) -> list[Event]:
    async with Log(store) as log:
        return [placed.event async for placed in log.read_all()]


def bodies(events: list[Event], kind: type) -> int:
    return sum(isinstance(event.body, kind) for event in events)


def test_each_arm_plays_the_same_scenes_and_swapped_is_one_arm_more() -> None:
    exam = duel()
    assert [arm.name for arm in exam.arms] == ["duel", "duel-swapped"]
    first, swapped = (arm.sides for arm in exam.arms)
    assert first["first"] == swapped["second"] and first["second"] == swapped["first"]
    assert (first["first"].agent, first["second"].agent) == ("mind", "bargainer")
    units = scenes_of(exam)
    cells = list(scene_cells(exam, units))
    assert len({cell.world for cell in cells}) == len(cells) == 2 * len(units)
    here, there = (chain_of(exam, cell) for cell in cells[:2])
    assert here.setting == there.setting and here.seed == there.seed
    one, other = (person.name for person in here.setting.characters)
    assert here.plan.seat(one) == there.plan.seat(other) != here.plan.seat(other)


def test_a_cell_is_known_by_all_that_decides_it_and_by_nothing_else() -> None:
    def key(plan: str) -> str:
        exam = duel(plan)
        return scene_cell(exam, scenes_of(exam)[0], exam.arms[0], 1).key

    same = (
        DUEL.replace("at_once = 4", "at_once = 9\nmay_fail = 0.1\nkeep_prompts = true"),
        DUEL.replace("[arms.duel]", "[arms.other]"),
        DUEL.replace('by = "rules"', 'by = "evidence"'),
        DUEL.replace("swapped = true", ""),
        DUEL + '[models."offline:"]\nattempts = 2\n',
    )
    assert {key(plan) for plan in same} == {key(DUEL)}
    others = (
        DUEL.replace('memory = "none" }', 'memory = "recall" }'),
        DUEL.replace('memory = "none", agent', 'memory = "none", reasks = 1, agent'),
        DUEL.replace("turns = 4", "turns = 5"),
        DUEL.replace("pairs = 1", "seed = 2"),
        DUEL.replace("[arms.duel]", "[agents.second]\nmax_tokens = 9\n[arms.duel]"),
        DUEL + "[limits.episode]\ncalls = 3\n",
    )
    assert len({key(plan) for plan in (DUEL, *others)}) == 1 + len(others)


async def test_each_scene_is_played_and_judged_once_and_names_its_world(kept: Kept) -> None:
    exam, store = duel(), VolatileStore()
    sat = await kept.sat(exam, store)
    assert (sat.progress.cells, sat.progress.answered, sat.progress.reviewed) == (6, 6, 6)
    events = await events_of(store)
    played = [event.body for event in events if isinstance(event.body, ScenePlayed)]
    async with Log(store) as log:
        assert (await verify(log)).faults == ()
        for one in played:
            assert (await log.head(one.played)).hash.hex() == one.hash
    reviews = [one for one in events if isinstance(one.body, Reviewed) and one.world == "duel"]
    assert len(reviews) == 2 * len(played) == 12
    assert all(one.cause and not one.witnesses for one in reviews)
    again = await kept.sat(exam, store)
    assert again.progress.before == 6 and len(await events_of(store)) == len(events)


async def test_a_new_judge_hears_old_scenes_and_nothing_is_played_again(kept: Kept) -> None:
    store = VolatileStore()
    await kept.sat(duel(), store)
    before = await events_of(store)
    more = duel(DUEL + '[judges.seven]\nby = "dimensions"\nmodel = "offline:"\n')
    sat = await kept.sat(more, store, work="judge")
    assert (sat.progress.answered, sat.progress.reviewed) == (0, 6)
    added = (await events_of(store))[len(before) :]
    assert {event.world for event in added} == {"duel"}
    assert bodies(added, Called) == 12  # one for each who was in it
    table = await kept.table(more, store)
    assert {"rules.stalling", "seven.goal", "seven.goal.first"} <= set(table.figures)
    changed = duel(DUEL.replace('by = "rules"', 'by = "checklist"\nmodel = "offline:"'))
    alone = await kept.table(changed, store)
    assert not alone.figures, "no judge inherits what another gave"
    assert any("was another one before" in remark for remark in alone.remarks)


async def test_sides_and_players_come_to_what_is_counted_by_hand(kept: Kept) -> None:
    exam, store = duel(), VolatileStore()
    await kept.sat(exam, store)
    table = await kept.table(exam, store)
    scores: dict[tuple[str, str], list[float]] = {}
    arms = {arm.digest: arm for arm in exam.arms}
    played = {}
    for event in await events_of(store):
        match event.body:
            case ScenePlayed(arm=digest):
                played[event.seq] = arms[digest]
            case Reviewed(scores=given) if event.world == "duel":
                for name, score in given.items():
                    side, _, what = name.partition(".")
                    if what == "stalling":
                        arm = played[event.cause or 0]
                        scores.setdefault((arm.name, side), []).append(score)
                        scores.setdefault(("", arm.sides[side].agent), []).append(score)
    for arm in exam.arms:
        for side in ("first", "second"):
            figures = {one.arm: one.micro.mean for one in table.figures[f"rules.stalling.{side}"]}
            assert figures[arm.name] == pytest.approx(mean(scores[arm.name, side]))
    both = {one.arm: one.micro.mean for one in table.players["rules.stalling"]}
    assert both == {who: pytest.approx(mean(scores["", who])) for who in ("mind", "bargainer")}
    (pair,) = table.player_comparisons["rules.stalling"]
    every = [*table.comparisons.values(), *table.player_comparisons.values()]
    assert pair.comparisons == sum(one.p is not None for some in every for one in some)


async def test_where_the_sides_are_the_same_only_arms_are_compared(kept: Kept) -> None:
    plan = DUEL[: DUEL.index("[arms.duel]")] + '[grid]\nmemories = ["none", "entire"]\n'
    exam, store = duel(plan), VolatileStore()
    assert players(exam.arms) == {}
    await kept.sat(exam, store)
    table = await kept.table(exam, store)
    assert not table.players and all(name.count(".") == 1 for name in table.figures)
    assert [judge.name for judge in table.judges] == ["rules"], "the usual one"


@settings(max_examples=4)
@given(kills=st.lists(st.integers(0, 60), max_size=6))
async def test_killed_anywhere_and_gone_on_with_it_comes_to_the_same(kills: list[int]) -> None:
    exam = duel(DUEL + '[judges.seven]\nby = "dimensions"\nmodel = "offline:"\n')
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        kept, whole, store = Kept(patch), VolatileStore(), VolatileStore()
        await kept.sat(exam, whole)
        for commits in kills:
            with suppress(StoreUnavailable):
                await kept.sat(exam, dying(store, commits))
        await kept.sat(exam, store)
        assert await kept.table(exam, store) == await kept.table(exam, whole)
        assert told(await events_of(store)) == told(await events_of(whole))


def told(events: list[Event]) -> Counter[tuple[str, str]]:
    """The answers that were paid for, by world and digest."""
    calls = [(event.world, event.body) for event in events if isinstance(event.body, Called)]
    return Counter((world, body.digest) for world, body in calls if body.reply is not None)


async def test_at_a_limit_it_stops_and_goes_on_with_the_rest(kept: Kept) -> None:
    exam, store = duel(), VolatileStore()
    few = replace(exam, plan=replace(exam.plan, limits={"run": Limit(calls=10)}))
    sat = await kept.sat(few, store)
    assert sat.code == 3 and "10 of 10 calls" in (sat.reason or "")
    assert bodies(await events_of(store), Called) <= 10
    assert (await kept.sat(few, store)).progress.answered == 0
    await kept.sat(exam, store)
    whole = VolatileStore()
    await kept.sat(exam, whole)
    assert await kept.table(exam, store) == await kept.table(exam, whole)


async def test_a_limit_counts_what_other_arms_took_before(kept: Kept) -> None:
    exam, store = duel(), VolatileStore()
    await kept.sat(replace(exam, arms=exam.arms[1:]), store)
    made = bodies(await events_of(store), Called)
    limited = replace(exam.plan, limits={"run": Limit(calls=made + 2)})
    sat = await kept.sat(replace(exam, plan=limited, arms=exam.arms[:1]), store)
    assert sat.code == 3 and f"{made + 2} of {made + 2} calls" in (sat.reason or "")
    assert bodies(await events_of(store), Called) == made + 2


async def test_what_may_be_asked_is_told_from_scenes_from_all_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exam = duel(DUEL.replace('name = "duel"', f'name = "duel"\nlog = "{tmp_path / "duel.db"}"'))
    places = {cell.world: cell.unit for cell in scene_cells(exam, scenes_of(exam))}
    units, tried = list(dict.fromkeys(one.id for one in places.values())), list[str]()

    async def seen(chain: Chain) -> list[tuple[str, Event]]:
        tried.append(chain.world)
        return await rehearse(chain)

    monkeypatch.setattr(forecasting, "rehearse", seen)
    found = await forecast_scenes(exam)
    assert found.rehearsed == len(tried) == 8 and found.models[0].known_by
    numbers = Counter(units.index(places[world].id) for world in tried)
    assert numbers == {0: 2, 5: 2, 10: 2, 15: 2}  # of 21, by both arms


def test_who_was_never_heard_because_each_of_its_turns_failed_makes_it_a_failure() -> None:
    exam = duel()
    cell = scene_cell(exam, scenes_of(exam)[0], exam.arms[0], 1)
    first, _ = cell.unit.sides.values()
    tally = SceneTally(cell, exam)
    played = ScenePlayed("u", "a", 1, cell.world, 5, "")
    tally.outcome(event(played))
    tally.review(event(Reviewed("rules", {"first.repeats": 1.0})), "rules")
    tally.look([event(Failed("turn", "no sense"), first)] * 3)
    found = tally.result()
    assert found.answer is None and not found.scores
    assert found.failure == f"each turn of {first} failed: 3 of them"


def event(body: object, actor: str | None = None) -> Event:
    from datetime import datetime

    at = datetime(2000, 1, 1)
    return Event("w", 1, at, at, body, actor=actor)  # type: ignore[arg-type]


async def test_a_whole_world_is_a_scene_too(kept: Kept) -> None:
    plan = DUEL.replace('banks = ["stranger"]\npairs = 1', 'worlds = ["flatmates"]')
    exam, store = duel(plan.replace("turns = 4", "turns = 2")), VolatileStore()
    (unit,) = scenes_of(exam)
    assert list(unit.sides.values()) == [one.name for one in unit.setting.characters[:2]]
    sat = await kept.sat(exam, store)
    assert sat.progress.answered == 2
    table = await kept.table(exam, store)
    assert table.kinds == {"flatmates": 1} and table.rows[0].answered == 1


def test_offline_takes_the_offline_model_for_both_sides() -> None:
    plan = DUEL.replace('memory = "none" }', 'memory = "none", model = "openai:x" }')
    exam = offline(duel(plan))
    assert {seat.model for arm in exam.arms for seat in arm.sides.values()} == {"offline:"}


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("swapped = true", "swaped = true", "did you mean 'swapped'?"),
        ('agent = "bargainer"', 'agent = "bargin"', "arms.duel.second.agent: there is no agent"),
        ('memory = "none" }', 'model = "gpt" }', "arms.duel.first.model: 'gpt' is no address"),
        ('by = "rules"', 'by = "exact"', "'exact' judges answers, not episodes"),
        ('"stranger"', '"strange"', "did you mean 'stranger'?"),
        ("pairs = 1", "pairs = 0", "pairs: is 0, but should be 1 at least"),
        ("pairs = 1", 'worlds = ["harbour"]', "give one of the two"),
        (', agent = "bargainer"', "", "'duel-swapped' is the same as 'duel'"),
        ("[arms.duel]", "[agents.third]\n[arms.duel]", "agents.third: is no seat here"),
    ],
)
def test_what_makes_no_exam_of_scenes_is_told(before: str, after: str, said: str) -> None:
    with pytest.raises(BadDocument) as found:
        duel(DUEL.replace(before, after, 1))
    assert said in str(found.value)


async def test_a_person_cannot_be_in_many_scenes_at_once(kept: Kept) -> None:
    exam = duel(DUEL.replace('agent = "bargainer"', 'agent = "human"'))
    with pytest.raises(BadDocument, match="a person cannot be in 6 scenes at once"):
        await kept.sat(exam, VolatileStore())


def test_a_side_is_nothing_for_questions() -> None:
    plan = 'exam = "questions"\nname = "x"\nmaterial = "m.db"\nquestions = "q.jsonl"\n'
    with pytest.raises(BadDocument, match=r"arms\.a\.swapped: is for who acts"):
        duel(f'{plan}[arms.a]\nmemory = "none"\nswapped = true\n')


async def test_sotopias_combinations_are_scenes(kept: Kept) -> None:
    plan = DUEL.replace('banks = ["stranger"]\npairs = 1', f'people = "{data("sotopia")}"')
    exam, store = duel(plan), VolatileStore()
    units = scenes_of(exam)
    assert len(units) == len({unit.id for unit in units}) == 450
    assert len({unit.cluster for unit in units}) == 90
    assert sum(bool(unit.setting.scenarios[0].pool) for unit in units) > 0
    await kept.sat(exam, store)
    table: ExamTable = await kept.table(exam, store)
    assert [row.answered for row in table.rows] == [3, 3]
    friends = duel(plan.replace("at_once", 'banks = ["friend"]\nat_once'))
    assert {unit.kind for unit in scenes_of(friends)} == {"friend"}


def test_the_folder_of_a_plan_is_where_its_files_are_looked_for(tmp_path: Path) -> None:
    with pytest.raises(BadDocument, match=r"no\.toml: there is no such file"):
        duel(DUEL.replace("banks", 'people = "no.toml"\nbanks'), tmp_path)


async def test_cells_are_counted_off_the_loop(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    """There may be a million of them: whoever waits for this process, as for its leases, would wait."""
    threads, survey = list[threading.Thread](), ExamSession.survey

    def seen(self: ExamSession[Any]) -> None:
        threads.append(threading.current_thread())
        survey(self)

    monkeypatch.setattr(ExamSession, "survey", seen)
    await kept.sat(duel(), VolatileStore())
    assert threads and threading.main_thread() not in threads


async def test_a_person_who_leaves_fails_no_scene(kept: Kept, tmp_path: Path) -> None:
    plan = DUEL.replace("swapped = true", "").replace(
        'first = { memory = "none" }', 'first = { agent = "human" }'
    )
    exam, store, one = duel(plan), VolatileStore(), ExamOptions(limit=1)
    for typed, done in (("Good evening.\n", 0), ("/leave\n", 1)):
        (tmp_path / "typed").write_text(typed)
        with (tmp_path / "typed").open() as file:
            sat = await kept.sat(exam, store, options=one, console=TerminalSeat(file.fileno()))
        assert (sat.progress.answered, sat.progress.failed) == (done, 0)
        assert ("nobody is at the terminal any more" in (sat.reason or "")) == (not done)
    assert not bodies(await events_of(store), Failed)
