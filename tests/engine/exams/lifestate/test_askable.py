"""What a character could be asked, in small worlds that are made to mislead."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from line_count import lines_run

from whoknew.engine.exams import roles
from whoknew.engine.exams.lifestate.drawing import questions
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, CharacterAdded, GoalGiven, Kind, Left, RelationSet
from whoknew.eventlog.words import words
from whoknew.worlds.question import Question

BOTH = ("Ann", "Bo")
OWN = ("roles", "askable", "oneself", "facts", "relations", "drawing", "random")


class SmallWorld:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def add(
        self,
        body: Kind,
        episode: int = 0,
        who: str | None = None,
        witnesses: Sequence[str] = BOTH,
        place: str | None = None,
    ) -> None:
        seq, now = len(self.events) + 1, datetime.now(UTC)
        happened = Event(
            world="w",
            seq=seq,
            at=now,
            recorded=now,
            body=body,
            episode=episode,
            turn=seq,
            actor=who,
            place=place,
            witnesses=tuple(witnesses),
        )
        self.events.append(happened)

    def say(
        self,
        episode: int,
        who: str,
        text: str,
        witnesses: Sequence[str] = BOTH,
        place: str = "here",
    ) -> None:
        self.add(Acted(text=text), episode, who, witnesses, place)

    def asked(self, sort: str | None = None, who: str | None = None) -> list[Question]:
        return [
            one
            for one in questions("w", self.events, each=20, speeches=0, seed=1)
            if sort in (None, one.tags[0]) and who in (None, one.character)
        ]


def test_nothing_is_asked_before_it_happened_be_it_between_two_episodes() -> None:
    world = SmallWorld()
    world.add(RelationSet("Ann", "Bo", "stranger"), witnesses=["Ann"])
    world.say(1, "Bo", "The ferry leaves at nine from the old pier.")
    world.add(RelationSet("Ann", "Bo", "friend"), witnesses=["Ann"])
    world.add(CharacterAdded("Ann", "keeper of the ferry"), witnesses=["Ann"])
    world.say(2, "Bo", "The ferry never came, and we walked back home.")
    keys = {(one.at, one.reference) for one in world.asked("standing", "Ann")}
    assert keys == {("E1", "Bo to me: stranger."), ("E2", "Bo to me: friend.")}
    assert [one.at for one in world.asked("identity", "Ann")] == ["E2"]
    assert [one.at for one in world.asked("change", "Ann")] == ["E2"]


def test_a_relation_that_changes_while_nobody_speaks_has_changed() -> None:
    world = SmallWorld()
    world.add(RelationSet("Ann", "Bo", "stranger"), witnesses=["Ann"])
    world.say(1, "Bo", "The ferry leaves at nine from the old pier.")
    world.add(RelationSet("Ann", "Bo", "enemy"), 2, witnesses=["Ann"])
    world.say(3, "Bo", "The ferry never came, and we walked back home.")
    last = [one for one in world.asked("standing", "Ann") if one.at == "E3"]
    assert [one.reference for one in last] == ["Bo to me: enemy."]
    assert "age 1" in last[0].tags


def test_what_one_wanted_is_asked_where_that_was_one_thing() -> None:
    world = SmallWorld()
    for goal in ("Buy the ferry.", "Sell the pier."):
        world.add(GoalGiven("Ann", goal), 1, witnesses=["Ann"])
    world.say(1, "Bo", "The ferry leaves at nine from the old pier.")
    for _ in range(2):
        world.add(GoalGiven("Ann", "Go home."), 2, witnesses=["Ann"])
    world.say(2, "Bo", "The ferry never came, and we walked back home.")
    assert [(one.at, one.reference) for one in world.asked("want", "Ann")] == [
        ("E2", 'This is what I wanted: "Go home."')
    ]


def test_a_relation_that_is_told_in_sentences_ends_as_one() -> None:
    world = SmallWorld()
    world.add(RelationSet("Ann", "Bo", "Her uncle."), witnesses=["Ann"])
    world.say(1, "Bo", "The ferry leaves at nine from the old pier.")
    world.add(RelationSet("Ann", "Bo", "Whom does she trust?"), 2, witnesses=["Ann"])
    world.say(2, "Bo", "The ferry never came, and we walked back home.")
    assert [one.reference for one in world.asked("standing", "Ann")] == [
        "Bo to me: Her uncle.",
        "Bo to me: Whom does she trust?",
    ]
    assert [one.reference for one in world.asked("change", "Ann")] == [
        "Bo to me was: Her uncle. Now: Whom does she trust?"
    ]


def test_a_name_that_is_an_ordinary_word_too_is_not_counted_as_a_name() -> None:
    people = ("Nurse", "Will", "All", "Bo")
    world = SmallWorld()
    world.say(1, "Bo", "O nurse, the boat is late again tonight.", people)
    world.say(1, "Bo", "Nurse? You must know where they have gone.", people)
    world.say(1, "Bo", "Will it rain before we are home, I wonder?", people)
    world.say(1, "Bo", "All is lost, and we are late for the boat.", people)
    world.say(1, "Bo", "We will see about that in the morning.", people)
    assert world.asked("by name") == []


def test_a_word_of_a_list_is_not_what_one_is_called() -> None:
    world = SmallWorld()
    world.say(1, "Ann", "Is father, mother, Tybalt, Romeo, Juliet, all slain, all dead.")
    world.say(1, "Ann", "I shall come home before the dark, mother.")
    found = {one.reference for one in world.asked("address", "Bo")}
    told = {one.question.partition("alone: ")[2] for one in world.asked("address", "Bo")}
    assert found == {"Ann called me mother."}
    assert told == {'"I shall come home before the dark, ___."'}


def test_what_stands_between_two_others_of_a_list_is_not_what_one_is_called() -> None:
    world = SmallWorld()
    world.say(1, "Ann", "It is a great story about sisterhood, love, and reaching for your dreams.")
    world.say(1, "Ann", "Would you rather have money in the bank, friend, or debts?")
    assert world.asked("address", "Bo") == []


def test_what_stands_in_words_of_another_is_not_what_one_is_called() -> None:
    world = SmallWorld()
    world.say(
        1, "Ann", "It might be a courtier's, who could say 'Good morrow, sweet lord! How are you?'"
    )
    world.say(1, "Ann", "And 'Come home before the dark, mother, or never,' he would say to her.")
    assert world.asked("address", "Bo") == []


def test_before_a_dead_body_nobody_knows_who_is_called_so() -> None:
    world = SmallWorld()
    world.say(1, "Ann", "I shall come home before the dark, mother.")
    world.add(Left(how="dies"), 1, "Cy", place="here")
    world.say(1, "Ann", "Come, sir, to draw toward an end with you.")
    assert [one.reference for one in world.asked("address", "Bo")] == ["Ann called me mother."]


def test_who_has_another_name_too_may_be_named_by_that() -> None:
    people = ("Ann", "Puck", "Oberon")
    world = SmallWorld()
    world.add(CharacterAdded("Puck", "or Robin Goodfellow"), witnesses=people)
    world.add(CharacterAdded("Oberon", "king of the fairies"), witnesses=people)
    world.say(1, "Ann", "Welcome, good Robin, you are late again tonight.", people)
    world.say(1, "Ann", "Now take this from off his head, gentle Puck.", people)
    world.say(1, "Ann", "The night is nearly over, Oberon, for all of us.", people)
    assert {one.character for one in world.asked("by name")} == {"Oberon"}


def test_who_is_also_called_by_a_shorter_name_was_not_named_once() -> None:
    people = ("Ann", "Helena", "Lysander")
    world = SmallWorld()
    world.say(1, "Ann", "Helen, to you our minds we will unfold tonight.", people)
    world.say(1, "Ann", "Helena, farewell, and think of both of us kindly.", people)
    world.say(1, "Ann", "The night is nearly over, Lysander, for all of us.", people)
    assert {one.character for one in world.asked("by name")} == {"Lysander"}


def test_a_word_that_begins_like_a_name_is_not_a_shorter_one() -> None:
    people = ("Ann", "Marcellus", "Marcella")
    world = SmallWorld()
    world.say(1, "Ann", "They march by night, whoever of us is asleep.", people)
    world.say(1, "Ann", "March is the month in which the ferry stops.", people)
    world.say(1, "Ann", "Marcella is not coming with us to the pier.", people)
    world.say(1, "Ann", "Stop it, Marcellus, before it is too late.", people)
    assert [one.reference for one in world.asked("by name", "Marcellus")] == [
        'Ann said: "Stop it, Marcellus, before it is too late."'
    ]


def test_a_card_that_says_whose_one_is_by_another_card_alone_tells_of_nobody() -> None:
    world = SmallWorld()
    world.add(CharacterAdded("Ann", "his daughter"), witnesses=["Ann"])
    world.add(CharacterAdded("Bo", "historian of the island"), witnesses=["Bo"])
    world.say(1, "Ann", "The ferry leaves at nine from the old pier.")
    assert [one.reference for one in world.asked("identity")] == [
        "I was Bo, historian of the island"
    ]


def test_who_stands_to_the_same_third_one_may_be_more_to_each_other_than_a_card_says() -> None:
    people = ("Ben", "Rolf", "Mercy", "Mont")
    world = SmallWorld()
    world.add(CharacterAdded("Ben", "nephew to Mont, and friend to Rolf"), witnesses=["Ben"])
    world.add(CharacterAdded("Rolf", "son to Mont"), witnesses=["Rolf"])
    world.add(CharacterAdded("Mercy", "friend to Rolf"), witnesses=["Mercy"])
    world.say(1, "Mont", "The ferry leaves at nine from the old pier.", people)
    assert {(one.character, one.reference) for one in world.asked("to others")} == {
        ("Ben", "I was nephew to Mont."),
        ("Rolf", "I was son to Mont."),
        ("Mercy", "I was friend to Rolf."),
    }


def test_a_name_that_several_have_is_asked_about_the_present_episode_alone() -> None:
    people = ("Ann", "Doctor")
    world = SmallWorld()
    world.add(CharacterAdded("Doctor", "An English Doctor; A Scotch Doctor"), witnesses=["Doctor"])
    world.add(CharacterAdded("Ann", "A keeper; of the Ferry"), witnesses=["Ann"])
    world.say(1, "Ann", "The ferry leaves at nine from the old pier.", people)
    world.say(2, "Ann", "I have been up for two nights with her.", people)
    assert all("age 0" in one.tags for one in world.asked(who="Doctor"))
    assert [one.at for one in world.asked("beginning", "Doctor")] == ["E1", "E2"]


def test_who_is_called_as_one_comes_may_have_been_heard_before() -> None:
    world = SmallWorld()
    world.say(1, "Ann", "I think I hear them. Stand! Who is there?", ["Ann", "Cy"])
    world.say(1, "Bo", "Friends to this ground, and we are late.", ["Ann", "Bo", "Cy"])
    world.say(1, "Ann", "Give you good night, whoever of us you are.", ["Ann", "Bo", "Cy"])
    assert world.asked("beginning", "Bo") == []
    world.say(2, "Cy", "There was a light upon the hill just now.", ["Ann", "Cy"])
    world.say(2, "Ann", "Good evening, and what has kept you so long?", ["Ann", "Bo", "Cy"])
    world.say(2, "Cy", "Nobody has come by here for an hour.", ["Ann", "Bo", "Cy"])
    assert [one.reference for one in world.asked("beginning", "Bo")] == [
        'Cy said: "Nobody has come by here for an hour."'
    ]


def test_words_that_name_another_hearer_may_be_meant_for_that_one() -> None:
    people = ("Ann", "Bo", "Cy")
    world = SmallWorld()
    first, second = "Good Cy, set some watch over him.", "This grave shall have a living stone."
    world.add(Acted(text=f"{first} {second}", to=("Bo",)), 1, "Ann", people)
    world.add(Acted(text="We shall see to the other matter at once.", to=("Bo",)), 1, "Ann", people)
    told = {one.question.partition("this: ")[2] for one in world.asked("to whom", "Cy")}
    assert told == {'"We shall see to the other matter at once."'}


def test_what_one_said_who_named_somebody_is_more_than_the_name() -> None:
    world = SmallWorld()
    world.say(1, "Bo", "Ann. You look like one who has sold something. And cheaply.")
    world.say(1, "Bo", "The ferry leaves at nine from the old pier.")
    [one] = world.asked("by name", "Ann")
    assert one.reference == 'Bo said: "Ann. You look like one who has sold something."'


@pytest.mark.parametrize(
    ("card", "told"),
    [
        ("Ann is a district attorney who dances.", "I was Ann, a district attorney who dances."),
        (
            "Ann is accomplished. She dances.",
            "I was Ann. I was described so: Ann is accomplished. She dances.",
        ),
        ("Ann. A small woman in black.", "I was Ann. A small woman in black."),
        ("Ann, keeper of the ferry.", "I was Ann, keeper of the ferry."),
        ("Anna's sister", "I was Ann, Anna's sister"),
        ("keeper of the ferry", "I was Ann, keeper of the ferry"),
        ("Keeps a ferry. Old.", "I was Ann. I was described so: Keeps a ferry. Old."),
        ("Duke of the isles", "I was Ann, Duke of the isles"),
    ],
)
def test_a_card_is_told_in_the_first_person_however_it_begins(card: str, told: str) -> None:
    world = SmallWorld()
    world.add(CharacterAdded("Ann", card), witnesses=["Ann"])
    world.say(1, "Bo", "The ferry leaves at nine from the old pier.")
    [one] = world.asked("identity", "Ann")
    assert one.reference == told


def test_where_one_was_is_not_asked_by_words_that_say_it() -> None:
    world = SmallWorld()
    world.say(1, "Ann", "Welcome to my lamp room, and mind the stairs.", place="The lamp room.")
    world.say(1, "Ann", "The wind has turned since we sat down here.", place="The lamp room.")
    world.say(2, "Ann", "It was a long way home through the snow.", place="The pier.")
    assert {"wind" in one.question for one in world.asked("where", "Bo")} == {True}


def test_what_it_costs_grows_as_the_story_does() -> None:
    def cost(episodes: int, turns: int) -> int:
        return lines_run(_story(episodes, turns).asked, OWN)

    assert cost(1, 300) < 4 * 1.2 * cost(1, 75)
    assert cost(32, 10) < 4 * 1.2 * cost(8, 10)


def test_what_it_costs_grows_as_a_speech_does(monkeypatch: pytest.MonkeyPatch) -> None:
    letters: list[int] = []

    def counted(text: str) -> list[str]:
        letters.append(len(text))
        return words(text)

    monkeypatch.setattr(roles, "words", counted)

    def read(signs: int) -> int:
        world = SmallWorld()
        world.say(1, "Ann", "Now hear what he has to say of it.")
        world.say(1, "Bo", "! " * signs)
        letters.clear()
        world.asked()
        return sum(letters)

    assert read(2000) < 4 * 1.4 * read(500)


def _story(episodes: int, turns: int) -> SmallWorld:
    world = SmallWorld()
    for episode in range(1, episodes + 1):
        for turn in range(turns):
            said = f"On day {episode} we counted w{episode}x{turn} boats."
            world.say(episode, BOTH[turn % 2], said)
    return world
