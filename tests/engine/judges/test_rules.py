"""Failures are planted, by rule and seed, into what the bundled banks let people say: the rules find
them, and find nothing where none were planted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted_failures import (
    BOTH,
    IDLE,
    NOTHING,
    Half,
    Played,
    Trial,
    banks,
    cast,
    found,
    in_turn,
    lines,
    played,
    sentences,
    spoken,
    verdict,
)

from whoknew.engine.judges import rules
from whoknew.eventlog.kinds import Acted
from whoknew.eventlog.words import STOP_WORDS
from whoknew.worlds.bank import SIDES, Sketch
from whoknew.worlds.setting import Scenario

each_half = pytest.mark.parametrize("half", ["shown", "kept"])
"""Of every bank: the sketches that were looked at to improve the rules, and those that were not."""


# whatever it is


async def test_the_verdict_says_what_was_found() -> None:
    ferry = Scenario("ferry", "A ferry.", BOTH, {"Oda": "Sell the bell of the old ferry to Bram."})
    texts = ["I mean to sell the bell of the old ferry.", "I mean to sell the old ferry's bell!"]
    found = await verdict("Oda", [Played(ferry, [("Oda", Acted(text)) for text in texts])])
    assert found.reason.splitlines() == [
        f"repeats 0: said again: {texts[1]!r}",
        f"reciting 0: said as its goal says: {texts[0]!r}",
    ]


async def test_where_nothing_can_be_agreed_on_and_nothing_came_before_that_is_not_scored() -> None:
    ferry = Played(Scenario("ferry", "A ferry.", BOTH), [("Oda", Acted("Good evening."))])
    first, second = await verdict("Oda", [ferry]), await verdict("Oda", [ferry, ferry])
    assert list(first.scores or ()) == ["repeats", "reciting", "stalling"]
    assert list(second.scores or ()) == ["repeats", "reciting", "stalling", "beginning"]


# repeats


def verbatim(text: str, chance: Random) -> str:
    return text


def shouted(text: str, chance: Random) -> str:
    """Written otherwise."""
    return text.upper().replace(",", " -").rstrip(".!?") + "!"


def filled(text: str, chance: Random) -> str:
    """With a word or two that say nothing."""
    words = text.split()
    words.insert(chance.randrange(1, len(words)), chance.choice(("really", "just", "also")))
    return chance.choice(("Well, ", "But ", "Again: ", "")) + " ".join(words)


def reordered(text: str, chance: Random) -> str:
    words = text.rstrip(".!?").split()
    at = chance.randrange(1, len(words))
    return " ".join([*words[at:], *words[:at]]) + "."


def clipped(text: str, chance: Random) -> str:
    """Without the words that count for nothing."""
    return " ".join(one for one in text.split() if one.casefold() not in STOP_WORDS)


def reworded(text: str, chance: Random) -> str:
    return shouted(filled(reordered(clipped(text, chance), chance), chance), chance)


WAYS: tuple[Callable[[str, Random], str], ...] = (
    verbatim,
    shouted,
    filled,
    reordered,
    clipped,
    reworded,
)

COURTESIES = ("Thank you, Oda.", "Thank you, Bram.", "Yes, please.", "Well, I never!", "All right.")


def repeating(half: Half) -> Iterator[Trial]:
    """A sentence of eight words or more comes again, alone or after another; or else none does, but
    courtesies do, and steps of a bargain."""
    for _, sketch, side, chance in banks(half):
        said = lines(sketch, side)
        scenario = cast(sketch)
        long = [one for line in said for one in sentences(line) if len(one.split()) >= 8]
        for way in WAYS if long else ():
            again = way(chance.choice(long), chance)
            texts = [*said, chance.choice(("", "Listen. ", "I am sorry, but no. ")) + again]
            yield Trial(BOTH[side], True, [played(sketch, side, spoken(texts), scenario)])
        yield Trial(BOTH[side], False, [played(sketch, side, spoken(said), scenario)])
        polite = chance.choice(COURTESIES)
        step = "I could be content with {} of the old lamps from the cellar."
        texts = [polite, step.format("three"), *said, polite, step.format(chance.choice("2567"))]
        yield Trial(BOTH[side], False, [played(sketch, side, spoken(texts), scenario)])


@each_half
async def test_whoever_says_a_sentence_again_is_found(half: Half) -> None:
    precision, recall = await found([*repeating(half)], "repeats")
    assert precision >= 0.95
    assert recall >= 0.95


def seldom_alike(many: int) -> list[str]:
    """So many sentences, of which each two share a word or two."""
    return [
        f"The w{at % 40}a w{at % 41}b w{at}c w{at}d w{at}e w{at}f lies here." for at in range(many)
    ]


def test_twice_as_much_said_is_held_against_itself_in_twice_the_comparisons(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[int] = []
    same = rules._is_same

    def counting(one: frozenset[str], other: frozenset[str]) -> bool:
        compared[-1] += 1
        return same(one, other)

    monkeypatch.setattr(rules, "_is_same", counting)
    for many in (400, 800):
        compared.append(0)
        said = seldom_alike(many)
        assert rules.repeated(said) == ""
        assert rules.repeated([*said, said[7]]) == f"said again: {said[7]!r}"
    assert compared[1] <= 2 * compared[0] + 10 < 10_000


@given(
    st.lists(
        st.lists(
            st.sampled_from(["bell", "ferry", "lamp", "salt", "oak", "two", "six"]), min_size=1
        )
    )
)
def test_what_is_found_said_again_is_what_comparing_each_two_finds(said: list[list[str]]) -> None:
    """By their words alone, one text after the other."""
    texts = [" ".join(words) for words in said]
    long = [one for one in said if len(set(one)) >= rules.SHORT - (len(one) >= rules.LONG)]
    again = next(
        (
            " ".join(other)
            for one, other in combinations(long, 2)
            if len({*one} & {*other}) >= rules.SAME * len({*one} | {*other})
            and not ({*one} ^ {*other}) & {"two", "six"}
        ),
        "",
    )
    assert rules.repeated(texts) == (f"said again: {again!r}" if again else "")


# reciting


def as_it_stands(text: str, to: str) -> str:
    return text


def in_the_first_person(text: str, to: str) -> str:
    for you, me in (
        (r"\byou are\b", "I am"),
        (r"\byou were\b", "I was"),
        (r"\b(with|for|to|from|of|at|by|let|give|on) you\b", r"\1 me"),
        (r"\byou\b", "I"),
        (r"\byours\b", "mine"),
        (r"\byour\b", "my"),
        (r"\byourself\b", "myself"),
    ):
        text = re.sub(you, me, text, flags=re.IGNORECASE)
    return text


def to_its_face(text: str, to: str) -> str:
    """What it wants of somebody, said to whom it wants it of."""
    return in_the_first_person(text, to).replace(f"{to}'s", "your").replace(to, "you")


VOICES = (as_it_stands, in_the_first_person, to_its_face)


def part_of(text: str, chance: Random) -> str:
    """Eight words on end or more, where there are so many."""
    words = text.split()
    count = chance.randint(min(8, len(words)), len(words))
    start = chance.randint(0, len(words) - count)
    return " ".join(words[start : start + count])


def reciting(half: Half) -> Iterator[Trial]:
    """A sentence of one's goal, or a part of it, is said among other things. Or else one's lines
    are, which the goal may have given one to say, what all know, and what it is all about."""
    for _, sketch, side, chance in banks(half):
        said = lines(sketch, side)
        plain, scripted = cast(sketch), cast(sketch, SIDES)
        goal = plain.goals[BOTH[side]]
        for voice in VOICES:
            for cut in (lambda text, _: text, part_of):
                text = voice(cut(chance.choice(sentences(goal)), chance), BOTH[1 - side])
                texts = [*said]
                place = chance.randrange(len(texts))
                lead = chance.choice(("", "I will be honest: ", "Look, "))
                texts[place] = f"{texts[place]} {lead}{text}"
                acts = spoken(texts)
                yield Trial(BOTH[side], True, [played(sketch, side, acts, plain)])
        for scenario in (plain, scripted):
            known = chance.choice(sentences(plain.text))
            texts = [*said, f"So what is it to be: {sketch.over}?", f"Look at this! {known}"]
            yield Trial(BOTH[side], False, [played(sketch, side, spoken(texts), scenario)])


@each_half
async def test_whoever_says_its_goal_aloud_is_found(half: Half) -> None:
    precision, recall = await found([*reciting(half)], "reciting")
    assert precision >= 0.95
    assert recall >= 0.95


# stalling


def stalling(half: Half) -> Iterator[Trial]:
    """Two or three turns on end nothing is done, whatever is thought; or else never two."""
    for _, sketch, side, chance in banks(half):
        scenario = cast(sketch, pool=True)
        offer = {BOTH[side]: dict(scenario.pool), BOTH[1 - side]: {}}
        said = spoken(lines(sketch, side))
        at = chance.randint(0, len(said))
        waits = chance.choices(NOTHING, k=chance.choice((2, 3)))
        acts = [*said[:at], *waits, *said[at:]]
        yield Trial(BOTH[side], True, [played(sketch, side, acts, scenario)])
        alternating = [one for act in said for one in (chance.choice(NOTHING), act)]
        yield Trial(BOTH[side], False, [played(sketch, side, alternating, scenario)])
        before, between, after = chance.choices(NOTHING, k=3)
        offers, agrees = Acted(act="none", offer=offer), Acted(act="none", agrees=True)
        acts = [before, offers, between, agrees, after, *said]
        yield Trial(BOTH[side], False, [played(sketch, side, acts, scenario)])


@each_half
async def test_whoever_does_nothing_twice_on_end_is_found(half: Half) -> None:
    precision, recall = await found([*stalling(half)], "stalling")
    assert precision >= 0.95
    assert recall >= 0.95


# leaving


def agreeing(side: int, offers: Acted, chance: Random) -> list[tuple[str, Acted]]:
    """An offer that is taken: perhaps only when it is made again, and by either."""
    me, you = BOTH[side], BOTH[1 - side]
    agrees = Acted("So be it.", chance.choice(("speak", "none", "action")), agrees=True)
    declined = [(me, offers), (you, Acted("I could not possibly."))]
    one, other = chance.sample((me, you), 2)
    return [*(declined if chance.random() < 0.5 else []), (one, offers), (other, agrees)]


def leaving(half: Half) -> Iterator[Trial]:
    """All is agreed on; then one goes on for so many turns, whatever it does, and may leave at
    last. Who comes to another agreement may go on after that anew."""
    for _, sketch, side, chance in banks(half):
        scenario = cast(sketch, pool=True)
        me, you = BOTH[side], BOTH[1 - side]
        mine, theirs = spoken(lines(sketch, side)), spoken(lines(sketch, 1 - side))
        for more in range(7):
            turns = in_turn(side, mine, theirs)
            for taker in (me, you)[: 1 if more > 2 else chance.choice((1, 2))]:
                offers = Acted("Take it all.", offer={taker: dict(scenario.pool)})
                turns += agreeing(side, offers, chance)
                for _ in range(more):
                    for who, said in ((me, mine), (you, theirs)):
                        nods = Acted("nods", "non-verbal")
                        turns.append((who, chance.choice((*said, offers, nods, IDLE))))
            if chance.random() < 0.5:
                turns.append((me, Acted("Goodbye.", "leave")))
            yield Trial(me, more > 2, [Played(scenario, turns)])


@each_half
async def test_whoever_stays_on_when_all_is_agreed_is_found(half: Half) -> None:
    precision, recall = await found([*leaving(half)], "leaving")
    assert precision >= 0.95
    assert recall >= 0.95


# beginning


def earlier(bank: Sequence[Sketch], sketch: Sketch, chance: Random) -> list[Sketch]:
    """Five to twenty ordinary ones, and those that this one builds on."""
    needed = {need.sketch for need in sketch.needs}
    others = [one for one in bank if one.name != sketch.name and not one.hard]
    drawn = chance.sample(others, min(len(others), chance.randint(5, 20)))
    return [*(one for one in others if one.name in needed and one not in drawn), *drawn]


def beginning(half: Half, ways: Sequence[Callable[[str, Random], str]]) -> Iterator[Trial]:
    """One begins with what it began an earlier episode with, said in a way, instead of its own
    first line."""
    for bank, sketch, side, chance in banks(half):
        life = earlier(bank, sketch, chance)
        own, stray = lines(sketch, side), chance.choice(life)
        before = [played(one, side, spoken(lines(one, side)), cast(one)) for one in life]
        opening = chance.choice(ways)(lines(stray, side)[0], chance)
        for first in (own[0], opening):
            now = played(sketch, side, spoken([first, *own[1:]]), cast(sketch))
            yield Trial(BOTH[side], first is opening, [*before, now])


@each_half
async def test_whoever_begins_as_it_once_began_is_found(half: Half) -> None:
    precision, recall = await found([*beginning(half, [verbatim])], "beginning")
    assert precision >= 0.95
    assert recall >= 0.95


@each_half
async def test_whoever_begins_nearly_as_it_once_began_is_found(half: Half) -> None:
    precision, recall = await found([*beginning(half, WAYS[1:])], "beginning")
    assert precision >= 0.95
    assert recall >= 0.95
