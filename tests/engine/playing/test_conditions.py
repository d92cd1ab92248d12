"""The deaf, the blind, the sleeping, the invisible, and those who only look on: what they miss is
enforced wherever witnesses are worked out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from itertools import count, pairwise
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from small_scenes import EVENING
from store_places import Place, log_at

from whoknew.agents.memories.entire import Entire
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.offline import Offline
from whoknew.engine.plan.loading import Options, load
from whoknew.engine.plan.planned import VERSION
from whoknew.engine.plan.program import Program
from whoknew.engine.playing.moments import moment_of
from whoknew.engine.playing.state import ChainState
from whoknew.engine.running.chains import open_run
from whoknew.engine.travel.prompt import prompts
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import Acted, Became, Entered, EpisodeOpened, Left, Seen
from whoknew.worlds import beginning
from whoknew.worlds.drafting import Drafting
from whoknew.worlds.errors import OffStage
from whoknew.worlds.reach import Reach
from whoknew.worlds.setting import Character, Scenario, Setting
from whoknew.worlds.setting import Place as Room

PEOPLE = ("Oda", "Bram", "Kit", "Nell")
ROOMS = (
    Room("hall"),
    Room("pantry", hears=("hall",)),
    Room("gallery", sees=("hall",)),
)
SETTING = Setting(
    "house",
    "A house",
    EVENING,
    tuple(Character(name, looks=f"As {name} looks.") for name in PEOPLE),
    (Scenario("evening", "An evening.", PEOPLE, place="hall", turns=99),),
    places=ROOMS,
)
CONDITIONS = ("deaf", "blind", "invisible")
STATES = ("asleep", "awake", "deaf", "hearing", "blind", "seeing", "invisible", "visible")

people, words = st.sampled_from(PEOPLE), st.sampled_from(("Fire.", "The boat is mine.", "Hush."))
deeds = st.one_of(
    st.tuples(st.just("speak"), people, words),
    st.tuples(st.just("whisper"), people, words, people),
    st.tuples(st.sampled_from(("action", "non-verbal", "none")), people, words),
    st.tuples(st.just("go"), people, st.sampled_from([one.name for one in ROOMS])),
    st.tuples(st.just("become"), people, st.sampled_from(STATES)),
)
beginnings = st.fixed_dictionaries(
    {
        "conditions": st.dictionaries(people, st.sets(st.sampled_from(CONDITIONS)), max_size=4),
        "where": st.dictionaries(people, st.sampled_from([one.name for one in ROOMS])),
        "hidden": st.sets(people, max_size=1),
        "asleep": st.sets(people, max_size=2),
    }
)


def staged(begins: dict[str, Any], done: Sequence[tuple[str, ...]]) -> list[Draft]:
    """A story of these deeds; those that cannot be done are left out."""
    characters = tuple(
        replace(one, conditions=tuple(sorted(begins["conditions"].get(one.name, ()))))
        for one in SETTING.characters
    )
    scenario = replace(
        SETTING.scenarios[0],
        where=begins["where"],
        hidden=tuple(sorted(begins["hidden"])),
        asleep=tuple(sorted(begins["asleep"])),
    )
    state = ChainState(Reach.of(SETTING))
    drafts: list[Draft] = []

    def happen(more: list[Draft]) -> None:
        for draft in more:
            state.take(draft)
        drafts.extend(more)

    happen(beginning.world(replace(SETTING, characters=characters), 0, 1))
    happen(beginning.episode(scenario, 1, EVENING, state.reach, state.conditions))
    for number, deed in enumerate(done, start=1):
        assert state.scene is not None
        drafting = Drafting(state.scene, number, EVENING + timedelta(minutes=number))
        try:
            perform(drafting, deed)
        except OffStage:
            continue
        happen(drafting.drafts)
    return drafts


def perform(drafting: Drafting, deed: tuple[str, ...]) -> None:
    act, who, what, *to = deed
    if act == "become":
        drafting.become(who, what)  # type: ignore[arg-type]
    elif act == "go":
        drafting.act(who, Acted(act="leave"), goes=what)
    elif act in ("speak", "whisper"):
        drafting.act(who, Acted(what, to=tuple(to)))
    else:
        drafting.act(who, Acted(what, act))  # type: ignore[arg-type]


def told_to(drafts: Sequence[Draft], who: str) -> list[Any]:
    """What happened before somebody, without where it stands in the log."""
    return [(one.body, one.actor, one.at) for one in drafts if who in one.witnesses]


@settings(max_examples=150, deadline=None)
@given(beginnings, st.lists(deeds, max_size=15))
def test_nobody_witnesses_what_it_cannot_perceive(begins: Any, done: Any) -> None:
    conditions: dict[str, set[str]] = {name: set() for name in PEOPLE}
    ends = dict(zip(STATES[1::2], STATES[::2], strict=True))
    for draft in staged(begins, done):
        others = [name for name in draft.witnesses if name != draft.actor and draft.episode]
        body = draft.body
        if isinstance(body, EpisodeOpened):
            assert not begins["asleep"] & set(others)
        for name in others:
            own = conditions[name]
            if isinstance(body, Became) and body.state in ("visible", "awake"):
                assert "asleep" not in own
                continue
            alone = draft.witnesses == (name,) and not draft.actor  # what it is told as it wakes
            assert "asleep" not in own or alone
            match body:
                case Acted(act="speak"):
                    assert "deaf" not in own
                case Acted(act="action" | "non-verbal") | Seen():
                    assert "blind" not in own
                    assert "invisible" not in conditions[draft.actor or ""]
                case Entered() | Left():
                    assert "invisible" not in conditions[draft.actor or ""]
        if isinstance(body, Became) and draft.actor:
            ended = ends.get(body.state)
            mine = conditions[draft.actor]
            mine.discard(ended) if ended else mine.add(body.state)


@settings(max_examples=100, deadline=None)
@given(beginnings, st.lists(deeds, max_size=15))
def test_who_only_sees_is_told_right_behind_what_was_said(begins: Any, done: Any) -> None:
    drafts = staged(begins, done)
    for before, seen in pairwise(drafts):
        if isinstance(seen.body, Seen):
            assert isinstance(before.body, Acted)
            assert before.body.act == "speak"
            assert (before.actor, before.turn, before.place) == (
                seen.actor, seen.turn, seen.place,
            )  # fmt: skip
            assert not set(before.witnesses) & set(seen.witnesses)
            assert not seen.about


def test_laws_3_and_4_hold_for_those_who_do_not_hear(place: Place) -> None:
    """View, recall and prompt of a deaf onlooker are the same whatever words are said, whatever is
    whispered, and whatever comes after."""
    numbers = count()
    with asyncio.Runner() as runner:
        log = log_at(place)
        runner.run(log.__aenter__())

        @settings(max_examples=25, deadline=None)
        @given(
            st.lists(st.tuples(words, words, st.booleans()), min_size=1, max_size=5),
            st.sampled_from(("deaf", "gallery", "invisible and deaf")),
            st.lists(deeds, max_size=4),
        )
        def same(lines: Any, how: str, later: Any) -> None:
            begins: dict[str, Any] = {"conditions": {}, "where": {}, "hidden": set()}
            begins["asleep"] = set()
            if how == "gallery":
                begins["where"] = {"Kit": "gallery"}
            else:
                begins["conditions"] = {"Kit": set(how.split(" and "))}
            looks = []
            for which in (0, 1):
                name = f"w{next(numbers)}"
                done = [
                    deed
                    for line in lines
                    for deed in [
                        *([("whisper", "Oda", line[which], "Nell")] if line[2] and which else []),
                        ("speak", "Oda", line[which]),
                    ]
                ]
                first = staged(begins, done)
                runner.run(log.append(name, staged(begins, [*done, *later])))
                looks.append(runner.run(look(log, name, first)))
            assert looks[0] == looks[1]

        try:
            same()
        finally:
            runner.run(log.__aexit__(None, None, None))


async def look(log: Log, world: str, drafts: Sequence[Draft]) -> Any:
    """All that Kit gets at the end of these drafts, without the times of turns it has not seen."""
    state = ChainState(Reach.of(SETTING))
    for draft in drafts:
        state.take(draft)
    assert state.scene is not None
    view = await log.view(world, "Kit", f"#{len(drafts)}")
    moment = moment_of(state.scene, (), state.opened_seq, view, VERSION)
    prompt = (await Mind("Kit", Offline(), Entire(), Plain()).request(moment)).prompt.decode()
    recalled = [(one.place, one.score, one.text) for one in await view.recall("the boat", 5)]
    return [(one.body, one.actor) for one in await view.events()], recalled, prompt


async def test_a_prompt_says_what_keeps_one_from_perceiving() -> None:
    begins: dict[str, Any] = {
        "conditions": {"Kit": {"deaf"}},
        "where": {"Kit": "gallery"},
        "hidden": set(),
        "asleep": {"Bram"},
    }
    drafts = staged(begins, [("speak", "Oda", "Fire.")])
    async with open_log(":memory:") as log:
        await log.append("w", drafts)
        _, _, prompt = await look(log, "w", drafts)
    assert "In sight, at hall: Oda, Bram, Nell." in prompt
    assert "You are deaf: you see people speak, and hear no word of it." in prompt
    assert "Oda says something to Bram, Nell, unheard." in prompt
    assert "Fire." not in prompt


HOUSE = """
name = "house"
title = "A house"
begins = 2001-03-01T20:00:00
places = [{ name = "hall" }, { name = "gallery", sees = ["hall"] }]
characters = [
    { name = "Oda" }, { name = "Bram", conditions = ["deaf"] },
    { name = "Kit" }, { name = "Nell" },
]

[[scenarios]]
name = "evening"
text = "An evening."
cast = ["Oda", "Bram", "Kit", "Nell"]
place = "hall"
where = { Kit = "gallery" }
asleep = ["Nell"]
turns = 14
stale = 9
turnings = [
    { turn = 5, who = "Kit", becomes = "blind" },
    { turn = 7, who = "Oda", becomes = "invisible" },
]
"""
PLAN = """
world = "house.toml"
[agents.Oda]
agent = "scripted"
[agents.Oda.lines]
"*" = ["Fire.", "/wake Nell", "/do closes the door"]
[agents.Nell]
agent = "scripted"
[agents.Nell.lines]
"*" = ["Who is there?", "/sleep lies down again"]
"""


async def test_a_world_of_all_of_these_plays_and_comes_out_the_same_again(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(HOUSE)
    (tmp_path / "plan.toml").write_text(PLAN)
    found = await asyncio.to_thread(load, str(tmp_path / "plan.toml"), None, Options())
    program = Program.of(found.plan, found.setting, str(tmp_path / "h.db"))
    async with open_run(program) as run:
        await run.survey()
        await run.play()
        events = await (await run.log.director("house")).events()
        again = await rerun(run.log, "house")
        decisions = [
            one for turn in (2, 3) for one in await prompts(run.log, "house", f"E1.T{turn}")
        ]
    said = {one.body.words: set(one.witnesses) for one in events if one.episode}
    assert said["Fire."] == {"Oda"}
    assert said["says something to Bram, Nell"] == {"Bram", "Kit"}
    assert said["is woken by Oda"] == {"Oda", "Bram", "Kit", "Nell"}
    assert said["lies down again"] == {"Oda", "Bram", "Nell"}
    assert again.agrees, again.difference
    assert decisions
    assert all(call.agrees for one in decisions for call in one.calls)
