"""Sotopia in and out, on records of our own in its formats."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.engine.plan.plan import Episodes, Judging, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.eventlog import Event, Log, open_log
from whoknew.eventlog.kinds import Acted, Called, Described, Failed, GoalGiven, Narrated, Reviewed
from whoknew.testing.small_chain import events_of
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers import sotopia
from whoknew.worlds.importers.sotopia import actiontext
from whoknew.worlds.importers.sotopia.background import write
from whoknew.worlds.importers.sotopia.profiles import background_of, setting_of, untagged
from whoknew.worlds.importers.sotopia.records import SotopiaRecord
from whoknew.worlds.relationship import RELATIONSHIPS

ANN, BEN, CY = "Ann Hill", "Ben O'Dea", "Cy Park"
SCORES = {"believability": 9.0, "goal": 7.0, "overall_score": 8.0}


def messages(
    turns: list[dict[str, str]], names: tuple[str, ...] = (ANN, BEN), *, blank: str = ""
) -> list[list[list[str]]]:
    """The raw messages of turns in which everything is public."""
    found = []
    for who in names:
        known = {
            one: f"{one} keeps bees. " + ("Secret: a debt" if one == who else "") for one in names
        }
        found.append(["Environment", who, write("A shed.", names, known, {who: f"Goal of {who}"})])
    whole = [found]
    for number, turn in enumerate(turns):
        acts = {who: f"{blank}{turn.get(who, 'did nothing')}" for who in names}
        whole[-1] += [[who, "Environment", text] for who, text in acts.items()]
        seen = [f"{who} {text}" for who, text in acts.items() if text.strip() != "did nothing"]
        shown = "Turn #{}: {}\n".format(number, "\n".join(seen))
        whole.append([["Environment", who, shown] for who in names])
    return whole


def episode(turns: list[dict[str, str]], **fields: Any) -> dict[str, Any]:
    return {
        "episode_id": "01EP",
        "environment_id": "01ENV",
        "agent_ids": ["01ANN", "01BEN"],
        "raw_messages": messages(turns),
        "raw_rewards": [[8.0, SCORES], [8.0, SCORES]],
        "reasoning": "Environment comments: over; \nAgent 1 comments:\nfine\n\nAgent 2 comments:\nwell\n",
        "tag": "ours",
        **fields,
    }


TURNS = [
    {ANN: 'said: "He said "no", twice.\nReally."'},
    {BEN: "[action] ties a knot"},
    {ANN: "[non-verbal communication] shrugs"},
    {BEN: "left the conversation"},
]


async def brought(log: Log, fields: dict[str, Any], kind: Any = "episode") -> list[Event]:
    form: Any = "database" if "pk" in fields else "jsonl"
    record = SotopiaRecord(
        kind, fields.get("pk") or fields.get("episode_id", "x"), fields, form, "it.jsonl"
    )
    (world,) = sotopia.worlds_of(sotopia.SotopiaRecords((record,), ()))
    await log.append(world.name, world.drafts)
    return await (await log.director(world.name)).events()


async def again(log: Log, fields: dict[str, Any]) -> dict[str, Any]:
    events = await brought(log, fields)
    (out,), _ = sotopia.episodes_of("x", events)
    return out


async def test_an_episode_goes_out_as_it_came_in_to_the_byte(log: Log) -> None:
    fields = episode(TURNS)
    events = await brought(log, fields)
    (out,), _ = sotopia.episodes_of("x", events)
    assert json.dumps(out) == json.dumps(fields)
    kept = next(one.body for one in events if hasattr(one.body, "rest"))
    assert "verbatim" not in kept.rest


async def test_the_database_form_goes_out_as_it_came_in(log: Log) -> None:
    fields = {
        "pk": "01EP",
        "environment": "01ENV",
        "agents": ["01ANN", "01BEN"],
        "models": ["a", "b", "c"],
        "messages": messages(TURNS),
        "reasoning": "",
        "rewards": [[8.0, SCORES], 0.0],
        "rewards_prompt": "",
    }
    assert json.dumps(await again(log, fields)) == json.dumps(fields)


async def test_newer_action_texts_go_out_as_they_came_in(log: Log) -> None:
    fields = episode([], raw_messages=messages(TURNS, blank=" "))
    assert json.dumps(await again(log, fields)) == json.dumps(fields)


async def test_each_knows_what_it_was_shown_and_no_more(log: Log) -> None:
    events = await brought(log, episode(TURNS))
    (of_ben,) = [one for one in events if isinstance(one.body, Described) and one.body.name == BEN]
    assert of_ben.witnesses == (ANN,)
    assert "Secret" not in of_ben.body.words
    goals = {one.body.owner: one.witnesses for one in events if isinstance(one.body, GoalGiven)}
    assert goals == {ANN: (ANN,), BEN: (BEN,)}


async def test_a_private_message_is_witnessed_by_sender_and_recipients(log: Log) -> None:
    names = (ANN, BEN, CY)
    whole = messages([{}], names)
    text = f" [private to ['{CY}']] said: \"psst\""
    whole[0][3][2] = text
    for message in whole[1]:
        seen = f"{ANN} {text}" if message[1] in (ANN, CY) else ""
        message[2] = f"Turn #0: {seen}\n"
    for message in whole[0][4:]:
        message[2] = " did nothing"
    fields = episode([], raw_messages=whole, raw_rewards=[], reasoning="")
    events = await brought(log, fields)
    (spoken,) = [one for one in events if one.body.words == "psst"]
    assert set(spoken.witnesses) == {ANN, CY}
    (out,), _ = sotopia.episodes_of("x", events)
    assert json.dumps(out) == json.dumps(fields)


async def test_a_bare_zero_is_a_failed_review_and_never_a_score(log: Log) -> None:
    events = await brought(log, episode(TURNS, raw_rewards=[0.0, [8.0, SCORES]]))
    assert [type(one.body) for one in events if isinstance(one.body, Failed | Reviewed)] == [
        Failed,
        Reviewed,
    ]


async def test_what_its_events_do_not_give_back_is_kept_as_it_is_and_told(log: Log) -> None:
    fields = episode(TURNS)
    fields["raw_messages"][1][0][2] = "Turn #0: something else\n"
    record = SotopiaRecord("episode", "01EP", fields, "jsonl", "it.jsonl")
    (world,) = sotopia.worlds_of(sotopia.SotopiaRecords((record,), ()))
    assert any("kept as they are" in one.what for one in world.remarks)
    await log.append("w", world.drafts)
    (out,), _ = sotopia.episodes_of("w", await (await log.director("w")).events())
    assert json.dumps(out) == json.dumps(fields)


SPEECH = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
ACTS = st.one_of(
    st.builds(lambda text: f'said: "{text}"', SPEECH),
    st.builds(lambda text: f"[action] {text}", SPEECH),
    st.builds(lambda text: f"[non-verbal communication] {text}", SPEECH),
    st.just("did nothing"),
    st.just("left the conversation"),
)


@given(st.lists(st.fixed_dictionaries({ANN: ACTS, BEN: ACTS}), max_size=5), st.booleans())
def test_any_episode_goes_out_as_it_came_in(turns: list[dict[str, str]], newer: bool) -> None:
    fields = episode([], raw_messages=messages(turns, blank=" " if newer and turns else ""))
    record = SotopiaRecord("episode", "01EP", fields, "jsonl", "it.jsonl")
    (world,) = sotopia.worlds_of(sotopia.SotopiaRecords((record,), ()))
    (out,), _ = sotopia.episodes_of("w", world.drafts)  # type: ignore[arg-type]
    assert json.dumps(out) == json.dumps(fields)


@given(SPEECH, st.sampled_from(["speak", "action", "non-verbal"]), st.booleans())
def test_an_action_is_written_as_it_is_read(text: str, act: Any, newer: bool) -> None:
    acted = Acted(text, act)
    assert actiontext.parse(actiontext.write(acted, newer=newer)) == acted


async def test_a_light_episode_comes_as_far_as_it_goes(log: Log) -> None:
    fields = {
        "episode_id": "01L",
        "scenario": "A shed.",
        "codename": "shed",
        "agents_background": {ANN: "Ann keeps bees.", BEN: "Ben does not."},
        "social_goals": {ANN: "Sell (<extra_info>Extra information: honey</extra_info>)"},
        "social_interactions": f'{ANN} said: "One.\n\nTwo."\n\n\n\n{BEN}: left the conversation',
        "reasoning": "",
        "rewards": [SCORES, SCORES],
    }
    events = await brought(log, fields, "light episode")
    acts = [(one.turn, one.actor, one.body.text) for one in events if isinstance(one.body, Acted)]
    assert acts == [(1, ANN, "One.\n\nTwo."), (3, BEN, "")]
    (goal,) = [one.body.goal for one in events if isinstance(one.body, GoalGiven)]
    assert goal == "Sell (Extra information: honey)"


def prompt(*turns: str) -> list[dict[str, str]]:
    told = "\n\n".join(turns)
    head = "Your (Ann)'s goal: x\n\nYour (Ann's) goal: Find out.\n\nConversation Starts:\n\n"
    return [{"role": "user", "content": f"{head}{told}\n\n\nYour available action type(s): [x]."}]


async def test_in_a_game_those_witness_whose_prompts_show_it(log: Log) -> None:
    def turn(number: int, who: str, said: str, *shown: str) -> dict[str, Any]:
        response = json.dumps({"action_type": "speak", "argument": said})
        return {
            "turn_number": number,
            "agent_name": who,
            "model_name": "m",
            "prompt": prompt(*shown),
            "response": response,
        }

    dusk = "Turn #0: [Game] Dusk."
    plot = 'Turn #1: Ann: said: "Plot."'
    game = {
        "pk": "01G",
        "tag": "t",
        "model_mapping": {"Ann": "m", "Ben": "m", "Cy": "m"},
        "rewards": [1.0, -1.0, 1.0],
        "turns": [
            turn(1, "Ann", "Plot.", dusk),
            turn(2, "Ben", "So.", dusk, plot),
            turn(3, "Cy", "Hm.", dusk, 'Turn #2: Ben: said: "So."'),
            turn(4, "Ann", "Ha.", dusk, plot, 'Turn #2: Ben: said: "So."'),
        ],
    }
    events = await brought(log, game, "game log")
    seen = {
        one.body.words: one.witnesses for one in events if isinstance(one.body, Acted | Narrated)
    }
    assert seen["Plot."] == ("Ann", "Ben")
    assert seen["So."] == ("Ann", "Ben", "Cy")
    assert seen["Hm."] == ("Cy",)
    assert seen["Dusk."] == ("Ann", "Ben", "Cy")
    assert all(one.witnesses == () for one in events if isinstance(one.body, Called))


def test_a_file_that_is_not_what_it_should_be_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"pk": 1, "name": "x"}\n{"half": \n')
    with pytest.raises(
        BadSource, match=r"a\.jsonl, line 2 is no record of Sotopia's: it is not JSON"
    ):
        sotopia.read(tmp_path)
    (tmp_path / "a.jsonl").write_text('{"pk": "1", "name": "x"}\n')
    found = sotopia.read(tmp_path)
    assert found.records == ()
    assert "is no record of Sotopia's" in str(found.remarks[0])
    with pytest.raises(BadSource, match="is not there"):
        sotopia.read(tmp_path / "nowhere")


def test_a_line_ends_with_a_line_feed_and_with_nothing_else(tmp_path: Path) -> None:
    """Other signs that end lines for Python may stand in a text."""
    told = {"pk": "1", "first_name": "Ann", "public_info": "swims\u2028dives\x85sinks"}
    text = json.dumps(told, ensure_ascii=False)
    (tmp_path / "a.jsonl").write_text(f"{text}\r\n\r\n{text}\r\n", "utf-8", newline="")
    assert [one.fields for one in sotopia.read(tmp_path).records] == [told, told]


async def test_what_whoknew_played_goes_out_and_comes_in_again(log: Log) -> None:
    from whoknew.engine.playing import chain
    from whoknew.testing.small_chain import SETTING as FERRY
    from whoknew.testing.small_chain import chain_of_minds, episodes, events_of
    from whoknew.testing.stub_models import ByDigest

    await chain.play(await chain_of_minds(log, ByDigest()), FERRY, episodes())
    out, remarks = sotopia.episodes_of("ferry", await events_of(log))
    assert len(out) == 3
    assert any("no review by `sotopia`" in one.what for one in remarks)
    assert all(reward is None for one in out for reward in one["raw_rewards"])
    for fields in out:
        assert (await again(log, fields))["raw_messages"] == fields["raw_messages"]


async def test_what_whoknew_played_of_sotopia_goes_out_with_its_keys_and_its_models(
    tmp_path: Path,
) -> None:
    profiles = [
        {"agent_id": f"01AG{name}", "first_name": name, "last_name": "Hill", "public_info": ""}
        for name in ("Ann", "Ben")
    ]
    scenario = {"env_id": "01ENV", "codename": "shed", "scenario": "A shed.", "agent_goals": "ab"}
    pair = {"combo_id": "01CO", "env_id": "01ENV", "agent_ids": ["01AGAnn", "01AGBen"]}
    lines = "".join(f"{json.dumps(one)}\n" for one in (*profiles, scenario, pair))
    (tmp_path / "all.jsonl").write_text(lines)
    setting, _ = setting_of(sotopia.read(tmp_path), "hills")
    plan = Plan(
        "hills",
        agents={
            "Ann Hill": Seat(model="offline:"),
            "Ben Hill": Seat("scripted", lines={"shed 01ENV 1": ("Hello.",)}),
        },
        judges={"sotopia": Judging("dimensions", "offline:")},
        episodes=Episodes(turns=2),
    )
    path = str(tmp_path / "hills.db")
    async with open_run(Program.of(plan, setting, path)) as run:
        await run.survey()
        assert (await run.play()).finished
    async with open_log(path, read_only=True) as played:
        events = await events_of(played, "hills")
    (out,), remarks = sotopia.episodes_of("hills", events)
    assert remarks == []
    assert (out["environment_id"], out["agent_ids"]) == ("01ENV", ["01AGAnn", "01AGBen"])
    assert out["experiment_model_name_pairs"] == ["offline:", "offline:", "none"]
    (out,), _ = sotopia.episodes_of("hills", events, "database")
    assert (out["environment"], out["agents"]) == ("01ENV", ["01AGAnn", "01AGBen"])
    assert out["models"] == ["offline:", "offline:", "none"]


def test_a_record_that_is_not_as_sotopia_writes_it_is_told() -> None:
    for told, why in (
        ([1], ""),
        ([], ".*what Environment tells"),
        ([[[ANN, BEN, "x"]]], ".*tells"),
    ):
        fields = episode(TURNS, raw_messages=told)
        record = SotopiaRecord("episode", "01EP", fields, "jsonl", "it.jsonl")
        match = rf"it\.jsonl: 01EP: is no episode as Sotopia writes it{why}"
        with pytest.raises(BadSource, match=match):
            list(sotopia.worlds_of(sotopia.SotopiaRecords((record,), ())))


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("character", {"first_name": "Ann", "public_info": "swims"}),
        ("game config", {"scenario": "A bar.", "agents": [1]}),
        ("combination", {"env_id": "e", "agent_ids": None}),
    ],
)
def test_a_setting_of_records_that_are_not_as_sotopia_writes_them_is_told(
    kind: Any, fields: dict[str, Any]
) -> None:
    """It ended in a traceback."""
    names = {"first_name": "Bo", "last_name": "Ek", "public_info": "sails"}
    records = (
        SotopiaRecord("character", "01BO", names, "jsonl", "people.jsonl"),
        SotopiaRecord("scenario", "e", {"scenario": "x", "agent_goals": []}, "jsonl", "s.jsonl"),
        SotopiaRecord(kind, "01X", fields, "jsonl", "it.jsonl"),
    )
    with pytest.raises(BadSource, match=rf"it\.jsonl: 01X: is no {kind} as Sotopia writes it"):
        list(sotopia.settings_of(sotopia.SotopiaRecords(records, ()), "x"))


def test_a_record_takes_a_time_that_grows_with_its_turns() -> None:
    """It grew with their square."""

    def took(kind: Any, fields: dict[str, Any]) -> float:
        begun = process_time()
        record = SotopiaRecord(kind, "x", fields, "jsonl", "it.jsonl")
        list(sotopia.worlds_of(sotopia.SotopiaRecords((record,), ())))
        return process_time() - begun

    acts = [{ANN: 'said: "Ho."'}, {BEN: 'said: "Hm."'}] * 4_000
    assert took("episode", episode(acts)) < 5
    prompted = {"agent_name": ANN, "model_name": "m", "prompt": prompt(), "response": "{}"}
    turns = [{**prompted, "turn_number": number} for number in range(12_000)]
    assert took("game log", {"model_mapping": {ANN: "m"}, "turns": turns, "rewards": [1]}) < 5


DATA = Path(__file__).parents[4] / "shared" / "data" / "sotopia"

there = pytest.mark.skipif(not DATA.is_dir(), reason="Sotopia's data is not beside the project")


@there
async def test_every_real_file_imports_and_its_episodes_go_out_to_the_byte(log: Log) -> None:
    found = sotopia.read(DATA)
    counts = {kind: len(found.of(kind)) for kind in ("character", "scenario", "relationship")}
    assert counts == {"character": 80, "scenario": 393, "relationship": 240}
    assert len(found.of("combination")) == 3210
    worlds = {world.name: world for world in sotopia.worlds_of(found)}
    assert len(worlds) == 20 + 30 + 6
    for world in worlds.values():
        await log.append(world.name, world.drafts)
        assert not any("form that is not known" in one.what for one in world.remarks)
        assert not any("kept as they are" in one.what for one in world.remarks)
    for record in found.of("episode"):
        events = await (await log.director(f"sotopia-{record.id}")).events()
        (out,), _ = sotopia.episodes_of("x", events)
        assert json.dumps(out) == json.dumps(record.fields)


@there
def test_what_a_friend_may_know_is_what_real_episodes_show_to_friends() -> None:
    """All but the secret: in each real episode of friends, of lovers, of family."""
    found = sotopia.read(DATA)
    people = {one.id: one.fields for one in found.of("character")}
    scenarios = {one.id: one.fields for one in found.of("scenario")}
    checked = 0
    for record in found.of("episode"):
        relation = RELATIONSHIPS[int(scenarios[record.fields["environment_id"]]["relationship"])]
        if relation not in ("friend", "romantic", "family"):
            continue
        (world,) = sotopia.worlds_of(sotopia.SotopiaRecords((record,), ()))
        for one in (draft.body for draft in world.drafts):
            if isinstance(one, Described):
                fields = next(
                    people[each]
                    for each in record.fields["agent_ids"]
                    if f"{people[each]['first_name']} {people[each]['last_name']}" == one.name
                )
                assert one.text.split() == background_of(fields).split()
                assert fields["secret"] not in one.text
                checked += 1
    assert checked >= 10


@there
def test_the_profiles_are_a_setting_that_is_sound() -> None:
    from whoknew.worlds.faults import faults

    setting, remarks = setting_of(sotopia.read(DATA), "sotopia")
    assert (len(setting.characters), len(setting.relations)) == (40, 118)
    assert len(setting.scenarios) > 3000
    assert list(faults(setting)) == []
    stories = next(one for one in remarks if "background_story" in one.what)
    assert stories.record == f"{len(setting.relations)} of them"


def test_hints_stay_and_their_marks_go() -> None:
    assert untagged("a (<extra_info>b <strategy_hint>c</strategy_hint></extra_info>)") == "a (b c)"
