"""Actions as people and scripts write them."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, cast

import pytest
from msgspec.structs import replace
from store_places import VolatilePlace, log_at

from whoknew.agents.actiontext import parse
from whoknew.agents.agent import Action, Agent, Moment
from whoknew.agents.errors import BadAction
from whoknew.agents.human import Human
from whoknew.agents.scripted import Scripted
from whoknew.engine.playing import chain
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, Failed
from whoknew.testing.small_chain import SETTING, events_of, run_of
from whoknew.worlds.setting import Character, Place, Scenario, Setting

HERE = Moment(
    who="Oda", view=cast(Any, None), present=("Bram", "Kit"), exits=("the quay",), asleep=("Kit",)
)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("Good evening.", Action(text="Good evening.")),
        ("She paid. [12] [#3]", Action(text="She paid.", refers_to=(12, 3))),
        ("/whisper bram: psst", Action(text="psst", to=("Bram",))),
        ("/whisper Bram, KIT: a: b", Action(text="a: b", to=("Bram", "Kit"))),
        ("/do ties a knot", Action(act="action", text="ties a knot")),
        ("/gesture shrugs", Action(act="non-verbal", text="shrugs")),
        ("/think She knows.", Action(act="none", text="She knows.")),
        ("/pass", Action(act="none")),
        ("/leave", Action(act="leave")),
        ("/leave Good night.", Action(act="leave", text="Good night.")),
        ("/leave The Quay: Good night.", Action(act="leave", text="Good night.", goes="the quay")),
        (
            "/offer Oda: 2 book, 1 hat; bram: nothing | So?",
            Action(text="So?", offer={"Oda": {"book": 2, "hat": 1}, "Bram": {}}),
        ),
        (
            "/offer Bram: 2 book; bram: 1 book, 1 hat",
            Action(offer={"Bram": {"book": 3, "hat": 1}}),
        ),
        ("/agree", Action(text="Agreed.", agrees=True)),
        ("/sleep", Action(act="action", text="goes to sleep", sleeps=True)),
        ("/sleep lies down", Action(act="action", text="lies down", sleeps=True)),
        ("/wake kit", Action(act="action", text="wakes Kit", wakes=("Kit",))),
    ],
)
def test_a_line_is_an_action(line: str, action: Action) -> None:
    assert parse(line, HERE) == action


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("/wisper Bram: x", "'wisper' is no command: did you mean 'whisper'?"),
        ("/whisper Brm: x", "'Brm' is no person here: did you mean 'Bram'?"),
        ("/whisper psst", "Write it as /whisper NAME: what you say"),
        ("/wake Bram", "'Bram' is no sleeper here: there are: 'Kit'"),
        ("/do", "Write it as /do ties up the boat"),
        ("/leave the quai", "'the quai' is no place to go to: did you mean 'the quay'?"),
        ("[12]", "nothing is said: write words, or /pass to do nothing"),
        ("/offer Bram 2 book", "is no share: write NAME: 2 book, 1 hat"),
        ("/offer Bram: two books", "is no number of things"),
        ("/offer", "who gets what?"),
    ],
)
def test_what_is_wrong_with_a_line_is_told(line: str, why: str) -> None:
    with pytest.raises(BadAction) as caught:
        parse(line, HERE)
    assert why in str(caught.value)


TALK = Setting(
    "talk",
    "T",
    SETTING.begins,
    (Character("Oda"), Character("Bram")),
    tuple(
        Scenario(name, "A room.", ("Oda", "Bram"), order="round-robin", turns=6, stale=9)
        for name in ("one", "two")
    ),
)


async def test_a_script_says_its_lines_of_each_scenario_and_then_nothing() -> None:
    async with log_at(VolatilePlace()) as log:
        lines = {"one": ["First.", "/whisper Oda: Second."], "*": ["Other."]}
        agents = {"Oda": Scripted("Oda", {}), "Bram": Scripted("Bram", lines)}
        run = await run_of(log, "talk", TALK, lambda _: agents)
        await chain.play(run, TALK, TALK.scenarios)
        acted = [
            (one.episode, one.body.text, one.body.to)
            for one in await events_of(log, "talk")
            if isinstance(one.body, Acted) and one.actor == "Bram"
        ]
    assert acted == [
        (1, "First.", ()),
        (1, "Second.", ("Oda",)),
        (1, "", ()),
        (2, "Other.", ()),
        (2, "", ()),
        (2, "", ()),
    ]


class Typed:
    """A person of whom it is known what it types; then it does nothing."""

    def __init__(self, *lines: str) -> None:
        self.shown: list[str] = []
        self._lines = iter(lines)

    def expect(self, who: str) -> None:
        pass

    def sitting(self, who: str) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    def release(self, reason: str) -> None:
        pass

    async def read(self, prompt: str) -> str:
        return next(self._lines, "/pass")

    def write(self, text: str) -> None:
        self.shown.append(text)


async def test_a_person_is_shown_what_the_character_perceives_and_asked_again_until_it_can_be_done() -> (
    None
):
    typed = Typed(
        "/pass", "/who", "/help", "", "/whisper Kit: x", "/memory cellar", "Fine. [99]", "Fine."
    )
    places = (Place("kitchen"), Place("cellar"))
    scenario = replace(
        TALK.scenarios[0],
        place="kitchen",
        where={"Oda": "kitchen", "Kim": "cellar"},
        cast=("Kim", "Oda", "Bram"),
    )
    setting = replace(
        TALK, places=places, characters=(*TALK.characters, Character("Kim")), scenarios=(scenario,)
    )
    async with log_at(VolatilePlace()) as log:
        oda = Scripted("Oda", {"*": ["How is the cellar?", "/think Poor Bram."]})
        bram = Human("Bram", typed)
        agents = {"Oda": oda, "Bram": bram, "Kim": Scripted("Kim", {})}
        run = await run_of(log, "talk", setting, lambda _: agents)
        await chain.play(run, setting, setting.scenarios)
        said = [one.body.words for one in await events_of(log, "talk") if one.actor == "Bram"]
    told = "\n".join(typed.shown)
    assert next(words for words in said if words) == "Fine."
    assert told.count("You are Bram") == 1
    assert told.count('Oda says: "How is the cellar?"') == 1
    around = "You are at: kitchen. With you: Oda. You can go to: cellar. Turns left: "
    assert told.count(around) == 2, "as the episode begins, and by /who"
    assert told.endswith("--- The episode is over.")
    assert "'Kit' is no person here" in told
    assert "[99], which Bram has neither witnessed nor been told of" in told
    assert "Oda: How is the cellar?" in told
    assert "Poor Bram" not in told


async def _played(
    typed: Typed,
    scenario: Scenario,
    *places: str,
    characters: tuple[Character, ...] = TALK.characters,
) -> list[Event]:
    """What Bram does, whom a person plays, in a world of these places."""
    setting = replace(
        TALK, places=tuple(map(Place, places)), scenarios=(scenario,), characters=characters
    )
    async with log_at(VolatilePlace()) as log:
        agents = {"Oda": Scripted("Oda", {}), "Bram": Human("Bram", typed)}
        run = await run_of(log, "talk", setting, lambda _: agents)
        await chain.play(run, setting, setting.scenarios)
        return [one for one in await events_of(log, "talk") if one.actor == "Bram"]


async def test_who_sits_down_in_a_later_episode_is_shown_that_one_alone() -> None:
    typed = Typed()
    async with log_at(VolatilePlace()) as log:
        agents: dict[str, Agent] = {
            "Oda": Scripted("Oda", {"one": ["Long ago."], "two": ["Now."]}),
            "Bram": Scripted("Bram", {}),
        }
        run = await run_of(log, "talk", TALK, lambda _: agents)
        await chain.play(run, TALK, TALK.scenarios[:1])
        agents["Bram"] = Human("Bram", typed)
        await chain.play(run, TALK, TALK.scenarios)
    told = "\n".join(typed.shown)
    assert 'Oda says: "Now."' in told and "Long ago" not in told


async def test_one_can_look_around() -> None:
    typed = Typed("/WHO", "/memory", "/memory zebra", "/memory room")
    people = (replace(TALK.characters[0], looks="A tall woman."), TALK.characters[1])
    scene = replace(TALK.scenarios[0], place="deck", asleep=("Oda",))
    await _played(typed, scene, "deck", characters=people)
    told = [text.strip() for text in typed.shown]
    around = "You are at: deck. With you: Oda. Asleep: Oda. Turns left: 6 at most."
    assert told.count(around) == 1 and '- Oda: "A tall woman."' in told
    nothing = "(nothing comes to mind: write /memory and a word or two of it)"
    assert told.count(nothing) == 2


async def test_a_place_to_which_nobody_can_go_is_not_taken_for_last_words() -> None:
    typed = Typed("/leave the hold", "/leave The Hodl", "/leave Good night.")
    scene = replace(TALK.scenarios[0], place="the deck", where={"Oda": "the cabin"})
    done = await _played(typed, scene, "the deck", "the cabin", "the hold")
    assert [one.body.words for one in done if isinstance(one.body, Acted)] == ["Good night."]
    why = (
        "  That cannot be done: nobody can go to 'the hold' from here: one can go to the cabin; or "
        "write /leave, with or without last words"
    )
    assert typed.shown.count(why) == 2

    typed = Typed("/leave the hold", "/leave")
    scene = replace(TALK.scenarios[0], place="the deck")
    done = await _played(typed, scene, "the deck", "the hold")
    assert [one.body.words for one in done if isinstance(one.body, Acted)] == [""]
    assert typed.shown.count(why.replace("one can go to the cabin; or ", "")) == 1


async def test_an_offer_that_is_void_costs_a_person_no_turn() -> None:
    typed = Typed(
        "/agree",
        "/offer Oda: 2 book",
        "/offer Oda: 2 book, 1 zebra; Bram: 1 hat",
        "/offer Oda: 2 book; Bram: 1 hat | What about it?",
    )
    scene = replace(TALK.scenarios[0], pool={"book": 2, "hat": 1})
    done = await _played(typed, scene)
    assert next(one.body.text for one in done if isinstance(one.body, Acted)) == "What about it?"
    assert not any(isinstance(one.body, Failed) for one in done)
    why = [text for text in typed.shown if "cannot be done" in text]
    assert "there is no offer to agree to" in why[0]
    assert "gives away 0 of hat, but there are 1" in why[1]
    assert "gives away 1 of zebra, but there are 0" in why[2]
    typed = Typed("/offer Oda: 1 book", "/pass")
    await _played(typed, TALK.scenarios[0])
    assert any("there is nothing to divide here" in text for text in typed.shown)


async def test_help_and_quit_are_said_aloud_only_when_they_are_written_twice() -> None:
    typed = Typed("help", "Quit", "quit", "pass", "help", "/who", "help", "Help me!")
    done = await _played(typed, replace(TALK.scenarios[0], turns=8))
    said = [one.body.words for one in done if isinstance(one.body, Acted) and one.body.text]
    assert said == ["quit", "help", "Help me!"]
    asked = [text for text in typed.shown if "Bram would say that aloud" in text]
    assert len(asked) == 4
    assert "/help says what you can do" in asked[0]
