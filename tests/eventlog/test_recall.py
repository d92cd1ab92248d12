"""Search inside a view."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from itertools import accumulate
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_worlds import NIGHT, opened, said

from whoknew.eventlog import Draft, Event, Log, Recalled
from whoknew.eventlog.kinds import Narrated
from whoknew.eventlog.ranking import FIRST
from whoknew.eventlog.recall import Postings
from whoknew.eventlog.speakers import Speakers
from whoknew.eventlog.words import LONGEST, terms

TEXTS = [
    "The ghost walked on the battlements.",
    "It is bitter cold tonight.",
    "Horatio brought bread and wine.",
    "The king drinks deep, and cannons speak.",
    "Nothing stirred, not even a mouse.",
]


async def said_to(log: Log, texts: list[str]) -> None:
    await log.append("w", opened("A", "B"))
    await log.append("w", [said("B", text, "A") for text in texts])


async def found(log: Log, words: str, k: int = 10, at: str = "end") -> list[Recalled]:
    return await (await log.view("w", "A", at)).recall(words, k)


async def test_what_matches_best_comes_first(log: Log) -> None:
    await said_to(log, TEXTS)
    for one in (log, Log(log.store)):
        best = (await found(one, "Who brought wine?"))[0]
        assert (best.place, best.seq, best.text) == (3, 6, "B: Horatio brought bread and wine.")
        assert best.score > 0


async def test_a_word_is_found_in_its_other_forms(log: Log) -> None:
    await said_to(log, TEXTS)
    assert (await found(log, "walking ghosts"))[0].place == 1


async def test_what_shares_no_word_is_not_found(log: Log) -> None:
    await said_to(log, TEXTS)
    assert await found(log, "zeppelin") == []
    assert await found(log, "") == []
    assert await found(log, "the of and") == []


@pytest.mark.parametrize("k", [0, 1, 2, 5, 100])
async def test_at_most_k_are_given_and_they_are_the_best(log: Log, k: int) -> None:
    await said_to(log, TEXTS * 10)
    everything = await found(log, "ghost king cold", 1000)
    assert await found(log, "ghost king cold", k) == everything[:k]


async def test_of_equals_the_earlier_comes_first(log: Log) -> None:
    await said_to(log, ["ghost", "a", "b", "c", "d", "ghost", "a", "b", "c", "d"])
    places = [one.place for one in await found(log, "ghost")]
    scores = [one.score for one in await found(log, "ghost")]
    assert scores == sorted(scores, reverse=True)
    for (first, one), (second, other) in zip(
        zip(scores, places, strict=True), list(zip(scores, places, strict=True))[1:], strict=False
    ):
        assert first > second or one < other


async def test_what_was_said_just_before_helps_to_find_an_answer(log: Log) -> None:
    await said_to(log, ["Did you see the ghost?", "Twice.", "Good.", "Fine.", "Well.", "So."])
    assert [one.place for one in await found(log, "ghost")] == [1, 2, 3]


async def test_the_speakers_name_is_a_word_of_its_event(log: Log) -> None:
    await log.append("w", opened("A", "Marcellus"))
    await log.append("w", [said("A", "hm"), said("Marcellus", "Peace.", "A")])
    best, before = await found(log, "marcellus")
    assert (best.text, best.own) == ("Marcellus: Peace.", True)
    assert (before.text, before.own) == ("A: hm", False)


async def test_nothing_is_found_that_was_not_witnessed(log: Log) -> None:
    await log.append("w", opened("A", "B"))
    await log.append("w", [said("B", "the ghost"), said("B", "hello", "A")])
    assert await found(log, "ghost") == []


async def test_an_earlier_cursor_finds_what_it_found_then(log: Log) -> None:
    await log.append("w", opened("A", "B"))
    then: list[list[Recalled]] = []
    for text in TEXTS * 4:
        await log.append("w", [said("B", text, "A")])
        then.append(await found(log, "cold ghost wine"))
    for one in (log, Log(log.store)):
        again = [await found(one, "cold ghost wine", at=f"#{seq}") for seq in range(4, 24)]
        assert again == then


async def test_recall_grows_with_the_view(log: Log) -> None:
    await said_to(log, TEXTS)
    assert len(await found(log, "elephant")) == 0
    await log.append("w", [said("B", "An elephant!", "A")])
    assert (await found(log, "elephant"))[0].place == 6


@pytest.mark.parametrize(("text", "query"), [("世界は美しい", "世界"), ("Straße", "STRASSE")])
async def test_other_scripts_are_found(log: Log, text: str, query: str) -> None:
    await said_to(log, ["nothing", text])
    assert (await found(log, query))[0].place == 2


def test_words_are_folded_stemmed_and_without_stop_words() -> None:
    assert terms("The GHOSTS were walking, 3 of them!") == ["ghost", "walk", "3"]
    assert terms("don't we'll") == []
    assert terms("snake_case") == ["snake", "case"]
    assert terms("世界ok") == ["世", "界", "ok"]


@given(st.text())
def test_any_text_has_words(text: str) -> None:
    assert all(isinstance(term, str) and term for term in terms(text))


words = st.lists(
    st.sampled_from(["ghost", "king", "cold", "wine", "the", "horatio"]), max_size=6
).map(" ".join)


speeches = st.lists(
    st.tuples(words, st.sampled_from([None, "Horatio", "Old Bo", "Bo"]), st.integers(0, 40)),
    max_size=30,
)
questions = st.builds(
    " ".join, st.lists(words | st.sampled_from(["Bo", "old", "June", "1", "1599"]))
)


def heard(speeches: list[tuple[str, str | None, int]]) -> list[Event]:
    """Each so many days after the one before it."""
    days = accumulate(days for _, _, days in speeches)
    return [
        Event("w", n, NIGHT + timedelta(days=day), NIGHT, Narrated(text), actor=who)
        for n, ((text, who, _), day) in enumerate(zip(speeches, days, strict=True), 1)
    ]


@given(speeches, st.integers(0, 30), questions, st.integers(1, 12), st.booleans())
def test_postings_cut_are_postings_never_grown(
    texts: list[tuple[str, str | None, int]], cut: int, query: str, k: int, own: bool
) -> None:
    events = heard(texts)
    grown, small = Postings(), Postings()
    grown.extend(events)
    small.extend(events[:cut])
    now = small.search(query, len(small), k, own=own)
    assert grown.search(query, min(cut, len(texts)), k, own=own) == now


@given(speeches, questions, st.lists(st.integers(1, 7), max_size=10))
def test_postings_grown_in_steps_are_postings_grown_at_once(
    texts: list[tuple[str, str | None, int]], query: str, steps: list[int]
) -> None:
    events = heard(texts)
    at_once, in_steps = Postings(), Postings()
    at_once.extend(events)
    for step in [*steps, len(events)]:
        done = len(in_steps)
        in_steps.extend(events[done : done + step])
    wanted = at_once.search(query, len(events), 10)
    assert in_steps.search(query, len(events), 10) == wanted


@given(speeches, questions, st.integers(1, 12), st.integers(0, 30), st.booleans())
def test_the_best_are_the_best_of_all(
    texts: list[tuple[str, str | None, int]], query: str, k: int, upto: int, own: bool
) -> None:
    """Blocks of documents are looked at first: none of the best is lost by it."""
    postings = Postings()
    postings.extend(heard(texts * 20))
    count = len(postings)
    whole = postings.search(query, count, count, upto=upto * 20, own=own)
    assert postings.search(query, count, k, upto=upto * 20, own=own) == whole[:k]
    assert all(match.own for match in whole) or not own


async def test_an_answer_lifts_its_question(log: Log) -> None:
    await said_to(log, ["Hm.", "Who did it?", "Well.", "It was the ghost.", "Oh.", "Ah.", "So."])
    places = {one.place: one.own for one in await found(log, "ghost")}
    assert places == {4: True, 3: False, 2: False, 1: False, 5: False, 6: False}


async def test_what_the_one_speaker_said_whom_a_question_names_comes_first(log: Log) -> None:
    await log.append("w", opened("A", "Old Bo", "Bo", "Cid"))
    talk = [("Cid", "The ghost walks."), *[("Bo", "hm")] * 5, ("Old Bo", "The ghost walks.")]
    await log.append("w", [said(who, text, "A") for who, text in talk])
    assert (await found(log, "ghost"))[0].place == 1
    assert (await found(log, "old ghost", 2))[0].place == 7
    assert speaker(["old", "bo"]) == "Old Bo"
    assert speaker(["bo"]) is None, "two are called so"
    assert speaker(["old", "horatio"]) is None, "two are named"
    assert speaker(["ghost"]) is None
    assert speaker(["horatio"], upto=2) is None, "who has not spoken yet"


def speaker(asked: list[str], upto: int = 3) -> str | None:
    speakers, names = Speakers(), ["Old Bo", "Bo", "Horatio"]
    speakers.extend(names)
    of = speakers.meant(asked, upto)
    return None if of is None else names[int(of.argmax())]


async def test_of_the_places_given_the_best_are_found_with_the_scores_that_they_have(
    log: Log,
) -> None:
    await said_to(log, TEXTS * 3)
    view = await log.view("w", "A")
    every = await view.recall("ghost wine king", 15)
    among = range(2, 12, 3)
    some = [one for one in every if one.place in among]
    assert some and await view.recall("ghost wine king", 15, among=among) == some
    assert await view.recall("ghost wine king", 1, among=among) == some[:1]
    assert await view.recall("ghost", among=()) == []
    assert await view.recall("ghost wine king", 15, among=[*among, 100]) == some


async def test_a_day_is_found_by_its_date_and_is_no_word_of_the_text(log: Log) -> None:
    await log.append("w", opened("A"))
    for day, text in enumerate(["a", "b", "c", "d", "e", "f"]):
        event = Draft(Narrated(text), NIGHT + timedelta(days=10 * day), witnesses=("A",))
        await log.append("w", [event])
    best = (await found(log, "What was on 21 June?"))[0]
    assert (best.text, best.own) == ("c", False)
    view = await log.view("w", "A")
    assert await view.recall("21 June", own=True) == []
    assert await view.ranked(FIRST).recall("21 June") == []


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("昨天我在河边看见了一个鬼魂。", "鬼魂"),
        ("昨日、川のそばで幽霊を見ました。", "幽霊"),
        ("Вчера возле реки мы видели призрака.", "призрака"),
        ("رأيت شبحا قرب النهر أمس", "شبحا"),
    ],
)
async def test_languages_that_the_stemmer_does_not_know_are_searched_as_they_stand(
    log: Log, text: str, query: str
) -> None:
    others = ["今天没有人来。", "今日は誰も来ません。", "Сегодня никто не пришёл.", "لم يأت أحد"]
    await said_to(log, [*others, "Nothing at all.", text])
    best = (await found(log, query))[0]
    assert (best.place, best.own) == (6, True)
    assert terms(query) in ([query.casefold()], list(query))


async def test_of_a_word_without_an_end_only_the_beginning_counts(log: Log) -> None:
    await said_to(log, ["x" * 1_000_000, "y"])
    assert [one.place for one in await found(log, "x" * 900_000, 1)] == [1]
    assert [len(term) for term in terms("x" * 1_000_000)] == [LONGEST]


async def test_a_view_read_by_many_at_once_is_indexed_once(log: Log) -> None:
    import asyncio

    await log.append("w", opened("A"))
    await log.append("w", [Draft(Narrated(text), witnesses=("A",)) for text in TEXTS * 500])
    cold = Log(log.store)
    views = [await cold.view("w", "A", at) for at in ("#900", "#2000", "end", "#900")]
    results = await asyncio.gather(*(view.recall("ghost wine") for view in views))
    assert results[0] == results[3]
    assert results == [await view.recall("ghost wine") for view in views]


def test_numpy_is_loaded_beside_the_loop() -> None:
    """It takes a tenth of a second, for which a server would answer nobody."""
    code = """
        import asyncio, sys, threading
        from datetime import datetime

        from whoknew.eventlog import Draft, open_log
        from whoknew.eventlog.kinds import CharacterAdded, Narrated, WorldOpened

        class Loaders:
            def find_spec(self, name, *_):
                if name == "numpy":
                    print(threading.current_thread() is threading.main_thread())

        async def main():
            async with open_log(":memory:") as log:
                drafts = [Draft(WorldOpened("w"), datetime(1600, 1, 1)), Draft(CharacterAdded("A"))]
                await log.append("w", [*drafts, Draft(Narrated("A ghost."), witnesses=("A",))])
                print(len(await (await log.view("w", "A")).recall("ghost")))

        sys.meta_path.insert(0, Loaders())
        asyncio.run(main())
    """
    done = subprocess.run(
        [sys.executable, "-c", dedent(code)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "False\n1\n", done.stderr
