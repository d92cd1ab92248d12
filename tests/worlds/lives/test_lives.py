"""Lives by rule: sound, each the same whenever it is made, and told in ever other words."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from itertools import pairwise

import pytest
from msgspec.structs import replace
from shared_data import data

from whoknew.worlds.lives.bank import life_bank
from whoknew.worlds.lives.checks import life_faults
from whoknew.worlds.lives.life import LifeGraph
from whoknew.worlds.lives.making import life_of

SEEDS = range(1, 5)

_WORD = re.compile(r"[\w']+")


@cache
def life(seed: int) -> LifeGraph:
    return life_of(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_life_is_sound(seed: int) -> None:
    assert list(life_faults(life(seed))) == []


def test_the_same_seed_is_the_same_life_and_another_is_another() -> None:
    assert life_of(1) == life(1)
    assert life(1).traces[:50] != life(2).traces[:50]


def test_a_life_has_all_dimensions_and_media_and_about_so_many_tokens() -> None:
    for seed in SEEDS:
        whole = life(seed)
        assert Counter(arc.dimension for arc in whole.arcs) == {
            "experience": 2,
            "emotion": 2,
            "opinion": 2,
        }
        assert len({trace.medium for trace in whole.traces}) == 8
        assert 80_000 < sum(len(one.text.encode()) for one in whole.traces) / 4 < 120_000


@pytest.mark.parametrize("seed", SEEDS)
def test_a_weekday_that_is_asked_for_is_that_of_its_day(seed: int) -> None:
    asked = [one for one in life(seed).events if one.detail and "weekday" in one.detail.ask]
    for event in asked:
        assert event.detail is not None and event.detail.answer == f"{event.at:%A}"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_page_says_nothing_that_the_calendar_or_the_page_before_knows_better(seed: int) -> None:
    """An ordinary Friday on a Tuesday, nothing written on a day that had its page, a weekend on a Monday;
    and a flat that was on another floor each time."""
    pages = {one.at.date(): one.text for one in life(seed).traces if one.medium == "diary"}
    for day, text in pages.items():
        assert day - timedelta(days=1) not in pages or "Wrote nothing yesterday" not in text
        assert all(named == f"{day:%A}" for named in re.findall(r"An ordinary (\w+day)", text))
        assert f"No heating since {day:%A}" not in text and "is with me until" not in text
    floors = {n for text in pages.values() for n in re.findall(r"up .*?(\w+) floors", text)}
    assert len(floors) < 2


@pytest.mark.parametrize("seed", SEEDS)
def test_what_begins_with_a_vowel_has_its_article(seed: int) -> None:
    vowels = [
        re.escape(one) for some in life_bank().lists.values() for one in some if one[0] in "aeio"
    ]
    wrong = re.compile(rf"\b[Aa] (?:{'|'.join(vowels)})\b")
    found = (wrong.search(one.text) for one in life(seed).traces)
    assert [match.group() for match in found if match] == []


WRONG = re.compile(
    r"^(?:Hey|Hi|Hello|You)(?:,| \u2013) [A-Z]"
    r"|[?!]\.|\bthe an? |\b[Ff]or (?:umbrella|hat|glove|scarf)\b|\bhad (?:umbrella|hat|glove|scarf) in"
    r"|\bold (?:student|schoolgirl|young father)\b"
    r"|\b(?:nun|woman|schoolgirl|widow)\b[^.,;:]*\b(?:his|him|he)\b"
    r"|\b(?:biscuits|rolls|straws|tarts|crackers)\. I took it\b"
)
"""What nobody would write: a capital in the middle, no article, one for many, him for her."""


@pytest.mark.parametrize("seed", SEEDS)
def test_its_sentences_are_such_as_people_write(seed: int) -> None:
    said = (re.sub(r"^\w+day, .*?\d\d:\d\d\. ", "", one.text) for one in life(seed).traces)
    assert [found.group() for text in said for found in WRONG.finditer(text)] == []


@pytest.mark.parametrize("seed", SEEDS)
def test_a_page_tells_no_other_time_than_its_own(seed: int) -> None:
    clock = "|".join(life_bank().lists["clock"])
    told = re.compile(rf"(?i:\d\d:\d\d\. (?:{clock}), at|[.!?] (?:past )?(?:{clock})\.$)")
    pages = [one.text for one in life(seed).traces if one.medium == "diary"]
    assert [found.group() for page in pages if (found := told.search(page))] == []


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_settled_anew_is_told_on_its_day_with_what_held_before(seed: int) -> None:
    whole = life(seed)
    assert Counter(one.dimension for one in whole.matters) == {
        "experience": 3,
        "emotion": 3,
        "opinion": 3,
    }
    for matter in whole.matters:
        assert len(matter.settled) == 4
        for before, now in pairwise(matter.settled):
            told = [
                trace.text.casefold()
                for trace in whole.traces
                if now.evidence in trace.evidence and trace.at.date() == now.begins
            ]
            assert all(now.value.casefold() in text for text in told)
            assert any(before.value.casefold() in text for text in told)


def test_evidence_and_traces_are_many_to_many() -> None:
    whole = life(1)
    shown = Counter(name for trace in whole.traces for name in trace.evidence)
    assert max(shown.values()) > 1
    assert max(len(trace.evidence) for trace in whole.traces) > 1


def test_it_says_things_in_half_as_many_words_as_people_do() -> None:
    """The share of different runs of three words, among as many words as LoCoMo has, and of those."""
    spoken = words_of_locomo()
    written = [word for trace in life(1).traces for word in _WORD.findall(trace.text.lower())]
    count = min(len(spoken), len(written))
    assert distinct(written[:count]) >= distinct(spoken[:count]) / 2


def distinct(words: Sequence[str]) -> float:
    runs = [tuple(words[place : place + 3]) for place in range(len(words) - 2)]
    return len(set(runs)) / len(runs)


def words_of_locomo() -> list[str]:
    words: list[str] = []
    for sample in json.loads(data("locomo", "locomo.json").read_text("utf-8")):
        talk = sample["conversation"]
        for name in sorted(talk, key=lambda key: (len(key), key)):
            if isinstance(talk[name], list):
                for turn in talk[name]:
                    words += _WORD.findall(str(turn.get("text", "")).lower())
    return words


def test_faults_are_found_whatever_they_are() -> None:
    whole = life(1)
    first, second, *rest = whole.events
    torn = replace(second, before=replace(second.before, stress=0.99))
    turned = next(one for one in whole.events if one.sort == "everyday" and one.before.arcs)
    moved = replace(turned, after=replace(turned.after, arcs={}))
    message = next(one for one in whole.traces if one.medium == "private message")
    bare = replace(whole.traces[0], evidence=())
    two = {message.writer, *message.audience}
    third = next(one.name for one in whole.contacts if one.name not in two)
    planted = {
        "is not the one before": replace(whole, events=(first, torn, *rest)),
        "is no turn, and moves an arc": replace(
            whole, events=tuple(moved if one is turned else one for one in whole.events)
        ),
        "is not between two": replace(
            whole,
            traces=tuple(
                replace(one, audience=(*one.audience, third)) if one is message else one
                for one in whole.traces
            ),
        ),
        "cites no evidence": replace(whole, traces=(bare, *whole.traces[1:])),
        "two traces say": replace(
            whole, traces=(*whole.traces, replace(whole.traces[-1], id="t99999"))
        ),
        "is in no trace": replace(whole, traces=whole.traces[:100]),
        "do not hold the events": replace(whole, phases=whole.phases[1:]),
        "comes to": replace(
            whole,
            arcs=(
                replace(whole.arcs[0], states=tuple(reversed(whole.arcs[0].states))),
                *whole.arcs[1:],
            ),
        ),
        "the major event of": replace(
            whole, majors=(replace(whole.majors[0], stands={}), *whole.majors[1:])
        ),
        "and as it was": replace(
            whole,
            matters=(
                replace(whole.matters[0], settled=(whole.matters[0].settled[0],) * 2),
                *whole.matters[1:],
            ),
        ),
        "no event settles it": replace(
            whole,
            events=tuple(
                replace(one, sort="kept") if one.sort == "settled" else one for one in whole.events
            ),
        ),
        "which is not so yet": replace(
            whole,
            traces=(replace(whole.traces[0], evidence=(whole.evidence[-1].id,)), *whole.traces[1:]),
        ),
    }
    for fault, broken in planted.items():
        assert any(fault in one for one in life_faults(broken)), fault
