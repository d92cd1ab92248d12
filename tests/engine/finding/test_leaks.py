"""A line that holds what its speaker could not know is found, with what it gives away."""

from __future__ import annotations

import tracemalloc
from itertools import accumulate
from random import Random

import pytest
from msgspec.structs import replace
from small_worlds import NIGHT

from whoknew.engine.finding.leaks import Leak, LeakFinder, SpokenLine
from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, CharacterAdded, EpisodeOpened, GoalGiven, Kind, Narrated

SECRET = "Barnaby hid forty silver spoons beneath the lighthouse stairs."
AGAIN = "They say forty silver spoons lie hidden beneath the lighthouse stairs."


def happened(seq: int, body: Kind, actor: str | None, *witnesses: str) -> Event:
    return Event("w", seq, NIGHT, NIGHT, body, actor=actor, witnesses=witnesses)  # type: ignore[arg-type]


def said(seq: int, actor: str, text: str, *others: str) -> Event:
    return happened(seq, Acted(text), actor, actor, *others)


def found(
    *events: Event,
    who: str = "Ann",
    text: str = AGAIN,
    seq: int = 90,
    told: dict[str, dict[int, int]] | None = None,
    upto: int | None = None,
) -> Leak | None:
    """What a line gives away that somebody says when all that has happened; Cid hears it, too."""
    line = SpokenLine(seq, who, text, seq if upto is None else upto)
    spoken = [] if upto is not None else [said(seq, who, text, "Cid")]
    later = [event for event in events if event.seq > seq]
    earlier = [event for event in events if event.seq < seq]
    leak = LeakFinder([*earlier, *spoken, *later], told or {}).look(line)
    return leak if leak is not None and leak.score >= 0.5 else None


def test_what_one_did_not_hear_is_given_away() -> None:
    leak = found(said(5, "Bob", SECRET, "Cid"))
    assert leak is not None and (leak.fact, leak.later) == (5, False)
    assert leak.phrases[0] == "beneath the lighthouse stairs"
    assert leak.score > 0.9


def test_what_one_heard_or_was_told_of_is_not() -> None:
    assert found(said(5, "Bob", SECRET, "Ann")) is None
    assert found(said(5, "Bob", SECRET, "Cid"), told={"Ann": {5: 40}}) is None
    assert found(said(5, "Bob", SECRET, "Cid"), told={"Ann": {5: 95}}) is not None, "afterwards"


@pytest.mark.parametrize(
    "known",
    [
        happened(7, GoalGiven("Ann", f"Find out whether {SECRET}"), None, "Ann"),
        happened(7, CharacterAdded("Ann", SECRET), None, "Ann"),
        happened(7, EpisodeOpened(SECRET), None, "Ann"),
        happened(7, Narrated(SECRET), None, "Ann"),
        said(7, "Dot", SECRET, "Ann"),
    ],
    ids=["goal", "description", "scenario", "narrated", "said elsewhere"],
)
def test_what_one_has_from_elsewhere_is_no_leak(known: Event) -> None:
    assert found(said(5, "Bob", SECRET, "Cid"), known) is None


def test_a_thought_and_a_goal_of_another_can_be_given_away() -> None:
    assert found(said(5, "Bob", SECRET)) is not None
    assert found(happened(5, GoalGiven("Bob", SECRET), None, "Bob")) is not None


def test_what_everybody_says_is_no_secret() -> None:
    often = [said(seq, "Bob", SECRET, "Cid") for seq in range(5, 55)]
    assert found(*often) is None


def test_a_few_words_in_common_are_chance() -> None:
    assert found(said(5, "Bob", "The lighthouse has stairs.", "Cid")) is None
    assert found(said(5, "Bob", "Forty men came to the market, and none bought herring.")) is None


def test_an_answer_can_give_away_what_comes_later() -> None:
    later = said(95, "Bob", SECRET, "Dot")
    leak = found(later, seq=99, upto=90)
    assert leak is not None and leak.later
    assert found(later, seq=99, upto=95) is not None, "unseen by then"


def test_who_repeats_a_line_makes_no_leak_of_it() -> None:
    """Of two who say the same without having heard each other it is the later who cannot have known."""
    assert found(said(95, "Cid", SECRET, "Dot")) is None
    assert found(said(95, "Bob", SECRET, "Dot")) is None
    assert found(said(5, "Ann", SECRET), who="Bob") is not None


def test_a_line_can_give_away_what_is_set_down_only_later() -> None:
    leak = found(happened(95, GoalGiven("Bob", SECRET), None, "Bob"))
    assert leak is not None and leak.later


def test_what_is_found_does_not_hang_on_what_others_heard_of_other_things() -> None:
    crowd = [said(seq, "Eve", f"Herring number {seq} is salted.", "Fay") for seq in range(10, 60)]
    one, other = found(said(5, "Bob", SECRET)), found(said(5, "Bob", SECRET), *crowd)
    assert one is not None and other is not None and one.fact == other.fact == 5


class Counting(LeakFinder):
    """Counts how often it asks whether somebody knows of an event."""

    asked = 0

    def _knows(self, who: str, seq: int, upto: int) -> bool:
        self.asked += 1
        return super()._knows(who, seq, upto)


def test_a_line_takes_no_longer_in_a_longer_world() -> None:
    def asked(length: int) -> int:
        others = [said(seq, "Bob", f"Herring{seq} came.", "Cid") for seq in range(2, length)]
        told = said(1, "Bob", SECRET, "Cid")
        finder = Counting([told, *others, said(length, "Ann", AGAIN, "Cid")], {})
        finder.look(SpokenLine(length, "Ann", AGAIN, length))
        return finder.asked

    assert 0 < asked(4000) == asked(40)


def test_an_event_takes_little_memory() -> None:
    """Of twenty words, of which half mean something: with sets of pairs and the events themselves it took
    9 KB."""
    chance = Random(1)
    vocabulary = [f"{chance.getrandbits(40):x}" for _ in range(8000)]
    often = list(accumulate(1 / rank for rank in range(1, len(vocabulary) + 1)))
    lines = [" ".join(chance.choices(vocabulary, cum_weights=often, k=14)) for _ in range(1500)]
    events = [said(seq, "Bob", text, "Cid") for seq, text in enumerate(lines, start=1)]
    finder = LeakFinder(events, {})
    tracemalloc.start()
    for event in events:
        finder.read(replace(event, seq=event.seq + len(events)))
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken / len(events) < 2500


def test_however_long_a_line_is_it_is_looked_at_in_time() -> None:
    """One that were quadratic in its length would take an hour."""
    spoken = [f"w{number}" for number in range(60_000)]
    some = range(0, 6_000, 3)
    events = [
        said(seq, "Bob", " ".join(spoken[at : at + 5])) for seq, at in enumerate(some, start=1)
    ]
    finder = LeakFinder(events, {})
    for text in (spoken[::-1], [*spoken[::3], *spoken[1::3]], spoken[:100] * 600):
        finder.look(SpokenLine(10**6, "Ann", " ".join(text), 10**6))


@pytest.mark.parametrize("asked", [f"Do you know that {SECRET}", "spoons? lighthouse? stairs?"])
def test_what_the_question_says_is_no_leak_and_nobody_said_what_stood_apart(asked: str) -> None:
    finder = LeakFinder([said(5, "Bob", SECRET, "Cid")], {})
    again = SpokenLine(90, "Ann", f"You ask me: {asked} I know nothing of that.", 90, asked)
    assert finder.look(again) is None
    told = "Barnaby hid forty silver spoons beneath, says the barkeeper, in July."
    leak = finder.look(SpokenLine(90, "Ann", told, 90, "spoons? lighthouse? stairs?"))
    assert leak is not None and leak.score > 0.5
    assert all(phrase in told.casefold() for phrase in leak.phrases)
