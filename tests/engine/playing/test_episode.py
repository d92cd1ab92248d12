"""An episode, played turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import pytest
from store_places import VolatilePlace, log_at

from whoknew.agents.agent import Action, Agent, Moment, Note
from whoknew.agents.errors import BadAnswer, ServerUnavailable
from whoknew.engine.errors import Suspended
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.engine.playing import chain
from whoknew.eventlog import Event, Log
from whoknew.eventlog.kinds import (
    Acted,
    Entered,
    EpisodeClosed,
    EpisodeOpened,
    Failed,
    GoalGiven,
    Narrated,
    Remembered,
    Reviewed,
)
from whoknew.testing.small_chain import run_of
from whoknew.worlds.setting import Character, Cue, Place, Scenario, Setting

Deed = Action | Exception


class Doing(Agent):
    """Does what it is told, one a turn, then nothing; and keeps the moments that it was given."""

    def __init__(self, deeds: Sequence[Deed] = (), note: str = "") -> None:
        self._deeds, self._note = list(deeds), note
        self.moments: list[Moment] = []

    async def act(self, moment: Moment) -> Action:
        self.moments.append(moment)
        deed = self._deeds.pop(0) if self._deeds else Action(act="none")
        if isinstance(deed, Exception):
            raise deed
        return deed

    async def remember(self, moment: Moment) -> tuple[Note, ...]:
        return (Note("diary", self._note, (len(moment.view),)),) if self._note else ()


def setting(*scenarios: Scenario, places: Sequence[Place] = ()) -> Setting:
    people = tuple(Character(name) for name in ("Oda", "Bram", "Kit"))
    return Setting("s", "S", datetime(2000, 1, 1), people, scenarios, places=tuple(places))


def scenario(**changes: object) -> Scenario:
    given: dict[str, object] = {
        "name": "one",
        "text": "A room.",
        "cast": ("Oda", "Bram"),
        "order": "round-robin",
        "turns": 6,
        "stale": 2,
    }
    return Scenario(**{**given, **changes})  # type: ignore[arg-type]


async def played(
    log: Log, world: Setting, agents: Mapping[str, Doing], rules: PlayRules | None = None
) -> list[Event]:
    doing = {one.name: agents.get(one.name, Doing()) for one in world.characters}
    run = await run_of(log, "w", world, lambda _: doing, rules=rules)
    await chain.play(run, world, world.scenarios)
    return await (await log.director("w")).events()


@pytest.fixture
def memory() -> Callable[[], Log]:
    return lambda: log_at(VolatilePlace())


def bodies(events: Sequence[Event], kind: type) -> list[Event]:
    return [event for event in events if type(event.body) is kind]


async def test_an_episode_opens_acts_and_closes_with_its_reason(log: Log) -> None:
    events = await played(log, setting(scenario()), {"Oda": Doing([Action(text="Hello.")])})
    story = [type(event.body) for event in events if event.episode]
    assert story == [EpisodeOpened, Acted, Acted, Acted, EpisodeClosed]
    assert events[-1].body == EpisodeClosed("nothing happened for 2 turns")


async def test_a_goal_is_witnessed_by_its_owner_alone(log: Log) -> None:
    events = await played(log, setting(scenario(goals={"Oda": "Keep it quiet."})), {})
    (given,) = bodies(events, GoalGiven)
    assert given.witnesses == ("Oda",)


async def test_a_moment_shows_whom_the_character_perceives(log: Log) -> None:
    world = setting(scenario(cast=("Oda", "Bram", "Kit"), hidden=("Kit",)))
    agents = {name: Doing() for name in ("Oda", "Bram", "Kit")}
    await played(log, world, agents)
    assert agents["Oda"].moments[0].present == ("Bram",)
    assert agents["Bram"].moments[0].present == ("Oda",)
    assert not agents["Kit"].moments


async def test_one_who_is_hidden_perceives_and_acts_unperceived(log: Log) -> None:
    kit = Doing([Action(act="action", text="eats the cake")])
    world = setting(scenario(cast=("Oda", "Bram", "Kit"), hidden=("Kit",), stale=5))
    events = await played(log, world, {"Oda": Doing([Action(text="Where is it?")]), "Kit": kit})
    assert kit.moments[0].hidden
    assert kit.moments[0].present == ("Oda", "Bram")
    spoken, eaten = (event for event in bodies(events, Acted) if event.body.words)
    assert set(spoken.witnesses) == {"Oda", "Bram", "Kit"}
    assert eaten.witnesses == ("Kit",)


async def test_guests_come_and_go_in_mid_scene(log: Log) -> None:
    turnings = (Cue(2, who="Kit", enters="openly"), Cue(4, who="Bram", leaves=True))
    world = setting(scenario(turnings=turnings, stale=9, turns=6))
    oda = Doing([Action(text="One."), Action(text="Two."), Action(text="Three.")])
    events = await played(log, world, {"Oda": oda})
    said = {
        event.body.words: event.witnesses for event in bodies(events, Acted) if event.body.words
    }
    assert said["One."] == ("Oda", "Bram")
    assert said["Two."] == ("Oda", "Kit")


async def test_an_episode_goes_on_alone_for_as_long_as_somebody_is_expected(log: Log) -> None:
    world = setting(scenario(turnings=(Cue(5, who="Kit", enters="openly"),), stale=9))
    events = await played(log, world, {"Oda": Doing([Action(act="leave", text="goes home")])})
    assert events[-1].body == EpisodeClosed("6 turns")
    assert {event.actor for event in bodies(events, Acted)} == {"Oda", "Bram", "Kit"}


async def test_what_is_still_to_come_comes_before_nothing_happens_for_too_long(log: Log) -> None:
    turnings = (Cue(6, narrates="A bell."), Cue(8, who="Kit", enters="openly"))
    world = setting(scenario(turnings=turnings, stale=2, turns=20))
    kit = Doing([Action(text="Here I am.")])
    events = await played(log, world, {"Kit": kit})
    happened = [one for one in events if isinstance(one.body, Narrated | Entered)]
    assert [one.turn for one in happened] == [6, 8, 8]
    assert [one.turn for one in bodies(events, Acted)] == [1, 2, 6, 7, 8, 9, 10]
    assert events[-1].body == EpisodeClosed("nothing happened for 2 turns")


async def test_what_an_action_refers_to_is_written_as_what_it_is_about(log: Log) -> None:
    bram = Doing([Action(text="She paid for it.", refers_to=(3,))])
    events = await played(
        log,
        setting(scenario(goals={"Bram": "Tell."})),
        {"Oda": Doing([Action(text="I paid.")]), "Bram": bram},
    )
    told = next(event for event in events if event.body.words == "She paid for it.")
    view = await log.view("w", "Bram", f"#{told.seq - 1}")
    assert told.about == (view.seqs(2)[0],)


async def test_nobody_refers_to_what_it_has_not_seen(log: Log) -> None:
    oda = Doing([Action(text="I know all.", refers_to=(99,))])
    events = await played(log, setting(scenario()), {"Oda": oda})
    (failed,) = bodies(events, Failed)
    assert failed.actor == "Oda"
    assert "neither witnessed nor been told of" in failed.body.error  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "deed",
    [
        BadAnswer("no JSON in it"),
        Action(text="Psst.", to=("Nobody",)),
        Action(act="leave", goes="the moon"),
        Action(act="speak", text=""),
        Action(text="Yes.", agrees=True),
    ],
)
async def test_what_cannot_be_used_is_a_failed_turn_and_never_an_empty_action(
    log: Log, deed: Deed
) -> None:
    events = await played(log, setting(scenario()), {"Oda": Doing([deed])})
    first = next(event for event in events if event.turn == 1)
    assert isinstance(first.body, Failed)
    assert (first.actor, first.witnesses) == ("Oda", ())


async def test_a_plan_can_ask_to_stop_at_what_cannot_be_used() -> None:
    async with log_at(VolatilePlace()) as log:
        oda = Doing([BadAnswer("no JSON in it")])
        with pytest.raises(Suspended, match="Oda gave no action that can be used: no JSON"):
            await played(log, setting(scenario()), {"Oda": oda}, PlayRules(when_bad="suspend"))
        (tried,) = bodies(await (await log.director("w")).events(), Failed)
        assert tried.body == Failed("attempt", "no JSON in it")


async def test_a_dead_endpoint_is_no_turn_at_all() -> None:
    async with log_at(VolatilePlace()) as log:
        with pytest.raises(ServerUnavailable):
            await played(log, setting(scenario()), {"Oda": Doing([ServerUnavailable("gone")])})
        assert not bodies(await (await log.director("w")).events(), Acted)


async def test_all_at_once_act_on_the_same_cursor_and_stand_in_the_order_of_seats(log: Log) -> None:
    agents = {name: Doing([Action(text=f"{name} here.")]) for name in ("Bram", "Oda")}
    events = await played(log, setting(scenario(order="simultaneous", turns=1)), agents)
    assert [event.actor for event in bodies(events, Acted)] == ["Oda", "Bram"]
    assert len({agent.moments[0].view.cursor.seq for agent in agents.values()}) == 1


async def test_one_whom_another_waits_to_whisper_to_may_be_gone_by_then(log: Log) -> None:
    agents = {
        "Oda": Doing([Action(act="leave")]),
        "Bram": Doing([Action(text="Psst.", to=("Oda",))]),
    }
    events = await played(log, setting(scenario(order="simultaneous")), agents)
    (failed,) = bodies(events, Failed)
    assert "Oda is not here" in failed.body.error  # type: ignore[attr-defined]


async def test_what_is_remembered_rests_on_the_owners_view(log: Log) -> None:
    events = await played(log, setting(scenario()), {"Oda": Doing(note="A dull evening.")})
    (kept,) = bodies(events, Remembered)
    assert kept.witnesses == ("Oda",)
    body = kept.body
    assert isinstance(body, Remembered)
    assert set(body.sources) <= set((await log.view("w", "Oda", f"#{body.upto}")).seqs())
    assert events[-1].seq == kept.seq + 1


async def test_a_deal_ends_a_dividing_scenario_and_is_worth_exact_points(log: Log) -> None:
    world = setting(
        scenario(
            pool={"book": 2, "hat": 1},
            worth={"Oda": {"book": 1, "hat": 6}, "Bram": {"book": 4, "hat": 1}},
        )
    )
    offer = {"Oda": {"hat": 1}, "Bram": {"book": 2}}
    agents = {
        "Oda": Doing([Action(text="So?", offer=offer)]),
        "Bram": Doing([Action(text="Yes.", agrees=True)]),
    }
    *_, closed, review = await played(log, world, agents)
    assert closed.body == EpisodeClosed("agreed")
    assert review.body == Reviewed("points", {"Oda": 6.0, "Bram": 8.0}, "agreed")
    assert review.cause == closed.seq


async def test_whoever_is_named_twice_is_whispered_to_once(log: Log) -> None:
    whispers = Action(text="psst", to=("Bram", "Bram"))
    events = await played(log, setting(scenario()), {"Oda": Doing([whispers])})
    acts = [event.body for event in events if isinstance(event.body, Acted)]
    assert [act.to for act in acts if act.to] == [("Bram",)]


async def test_without_a_deal_nobody_has_anything(log: Log) -> None:
    world = setting(scenario(pool={"book": 1}, worth={"Oda": {"book": 1}, "Bram": {"book": 4}}))
    *_, review = await played(
        log, world, {"Oda": Doing([Action(text="Mine.", offer={"Oda": {"book": 1}})])}
    )
    assert isinstance(review.body, Reviewed)
    assert review.body.scores == {"Oda": 0.0, "Bram": 0.0}


async def test_story_time_goes_on_by_turns_and_by_episodes(log: Log) -> None:
    world = setting(scenario(), scenario(name="two"))
    events = await played(log, world, {})
    first, second = bodies(events, EpisodeOpened)
    assert (second.at - first.at).total_seconds() == 24 * 3600
    turns = [event.at for event in bodies(events, Acted) if event.episode == 1]
    assert [(at - first.at).total_seconds() for at in turns] == [20, 40]
