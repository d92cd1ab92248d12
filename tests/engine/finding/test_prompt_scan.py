"""A prompt that tells what its character has not witnessed is found; one that sets down side by side
what it has witnessed is not, whoever else did the same."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from html import escape
from itertools import cycle
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lamp_room import PLAY, lamp_room
from small_worlds import NIGHT

from whoknew.agents.lines import line, quoted
from whoknew.agents.models.model import Message, Request
from whoknew.agents.prompts.text import prompt
from whoknew.engine.finding.prompt_scan import PromptLeak, PromptScan
from whoknew.eventlog import Event, open_log
from whoknew.eventlog.kinds import Acted, Kind, PlaceAdded, Remembered

BOTH = ("Ann", "Bob")
WAITING = "I have been passing since ten."
WHISTLE = "The steamer's whistle goes for the first time."


def scanned(prompt: str, *happened: tuple[Kind, tuple[str, ...]]) -> list[str]:
    """The words of others' events that a prompt tells Ann."""
    scan = PromptScan()
    scan.read(
        Event("w", seq, NIGHT, NIGHT, body, actor=None, witnesses=witnesses)  # type: ignore[arg-type]
        for seq, (body, witnesses) in enumerate(happened, start=1)
    )
    found = scan.scan("Ann", len(happened), Request("answer", (Message("user", prompt),)), ())
    return [one.words for one in found]


def noted(text: str) -> tuple[Kind, tuple[str, ...]]:
    return Remembered("Bob", "summary", text), ("Bob",)


@pytest.mark.parametrize(
    ("note", "prompt"),
    [
        (f"[3] {WAITING} [4] {WHISTLE}", f"[7] {WAITING} [4] {WHISTLE}"),
        (f"[93] Tobias: {WAITING} [94] {WHISTLE}", f"What happened: {WAITING} [94] {WHISTLE}"),
        (f"{WAITING} {WHISTLE}", f"{WAITING} {WHISTLE}"),
        (f"{WAITING} King Claudius: {WHISTLE}", f"[7] {WAITING} [8] King Claudius: {WHISTLE}"),
    ],
)
def test_what_another_noted_of_the_same_is_told_to_nobody(note: str, prompt: str) -> None:
    heard = [(Acted(WAITING), BOTH), (Acted(WHISTLE), BOTH)]
    assert scanned(prompt, *heard, noted(note)) == []


def test_a_line_of_ones_own_view_is_no_news_where_it_is_told_later_who_said_it() -> None:
    """A prompt has it as `Ann says: "The engine is broken, Bob."`, which is a line of her own view."""
    scan = PromptScan()
    later = ("Bob", "Ann says the engine is broken.", ("Bob", "Cid"))
    spoken = [("Ann", "The engine is broken, Bob.", BOTH), later]
    events = [
        Event("w", seq, NIGHT, NIGHT, Acted(text), actor=actor, witnesses=witnesses)
        for seq, (actor, text, witnesses) in enumerate(spoken, start=1)
    ]
    scan.read(events)
    shown = str(line(1, events[0]))
    assert scan.scan("Ann", 2, Request("answer", (Message("user", shown),)), ()) == []
    told = scan.scan("Cid", 2, Request("answer", (Message("user", shown),)), ())
    assert [one.event for one in told] == [1], "who did not hear it is told"


def test_what_another_noted_besides_is() -> None:
    besides = "Tobias hid forty silver spoons beneath the stairs of the old lighthouse."
    heard = [(Acted(WAITING), BOTH), (Acted(WHISTLE), BOTH)]
    told = scanned(f"{WAITING} {besides} {WHISTLE}", *heard, noted(f"{besides} {WHISTLE}"))
    assert told and told[0].startswith("tobias hid forty silver spoons beneath")


def test_a_short_line_is_found_as_a_whole() -> None:
    short = "Barnaby hid forty spoons beneath."
    assert scanned(f"Someone said: {short}", (Acted(short), ("Bob",))) == [
        "barnaby hid forty spoons beneath"
    ]


VERSE = (
    'The golden lantern burns above\nthe "harbour wall" tonight\nand Tobias hid the silver\tspoons'
)


@pytest.mark.parametrize("times", [0, 1, 2])
def test_a_text_of_several_lines_is_found_however_often_it_is_quoted(times: int) -> None:
    told = VERSE
    for _ in range(times):
        told = quoted(told)
    assert scanned(f"[7] Bob says: {told}", (Acted(VERSE), ("Bob",))) == [
        "the golden lantern burns above the harbour wall tonight and tobias hid the silver spoons"
    ]


def test_of_letters_that_are_written_as_numbers_too() -> None:
    event = Acted(
        "Élodie hid forty silver spoons beneath the crooked stairs of the old café yesterday"
    )
    assert len(scanned(json.dumps(event.text), (event, ("Bob",)))) == 1


def _wide(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


@pytest.mark.parametrize(
    "shown",
    [
        lambda text: text.upper().replace(" ", "\n"),
        lambda text: text.replace("'", "\u2019").replace('"', "\u201e"),
        lambda text: text.replace("e", "e\u200b"),
        lambda text: "\u00ad".join(text),
        lambda text: normalize("NFD", text),
        lambda text: text.replace("fi", "\ufb01"),
        lambda text: escape(text).replace(" ", "&nbsp;"),
        _wide,
    ],
)
def test_a_text_is_found_whichever_signs_it_is_made_of(shown: Callable[[str], str]) -> None:
    text = (
        "Élodie's fifty silver spoons don't lie beneath the crooked stairs of that old café: "
        'find "them" where Tobias hid a finished lantern'
    )
    assert scanned(shown(text), (Acted(text), ("Bob",)))
    assert scanned(text, (Acted(shown(text)), ("Bob",)))


def test_what_stands_in_the_prompts_of_everybody_is_known_to_everybody() -> None:
    rules = prompt("answer").format(name="Ann")
    for echo in (prompt("answer"), prompt("act")):
        echoed = echo.replace("{name}", "Bob")
        assert scanned(rules, (Remembered("Bob", "summary", echoed), ("Bob",))) == []
        assert scanned(rules, (Acted(echoed, "speak", ("Bob",)), ("Cid", "Bob"))) == []


@pytest.mark.parametrize("first", [PlaceAdded("P", VERSE), Acted(f"{VERSE} {'and so on ' * 20}")])
def test_a_leak_is_found_whatever_says_the_same_before_it(first: Kind) -> None:
    prompts = [VERSE, " ".join(VERSE.split()[:7])]
    short = Acted(prompts[1])
    assert scanned(prompts[0], (first, ("Bob",)), (Acted(VERSE), ("Bob",)))
    assert scanned(prompts[1], (first, ("Bob",)), (short, ("Bob",)))


SWINGING = "Copper kettles boil over, harbour lanterns swing."
ACROSS = ("Copper kettles boil", "over, harbour lanterns swing.")


@pytest.mark.parametrize(
    ("witnesses", "before", "asked"),
    [
        (("Bob",), [("Bob", 1, SWINGING)], ("Ann", 1, SWINGING)),
        (BOTH, [("Ann", 1, SWINGING)], ("Ann", 0, SWINGING)),
        (("Bob",), [("Ann", 1, part) for part in ACROSS], ("Ann", 1, "\n\n".join(ACROSS))),
        (("Bob",), [("Ann", 1, ACROSS[1])], ("Ann", 1, "\n\n\n\n".join(ACROSS))),
    ],
    ids=["to another", "at another place", "across parts", "across an empty part"],
)
def test_what_was_no_news_before_hides_nothing(
    witnesses: tuple[str, ...], before: list[tuple[str, int, str]], asked: tuple[str, int, str]
) -> None:
    """Prompts that tell nothing, and then one that does of the same words."""
    scan = PromptScan()
    scan.read([_spoken(1, SWINGING, witnesses)])
    assert [_found(scan, *one) for one in before] == [[]] * len(before)
    assert _found(scan, *asked) == [1]


def test_what_was_no_news_is_news_when_it_is_said_to_others() -> None:
    scan = PromptScan()
    scan.read([_spoken(1, WAITING, BOTH)])
    assert _found(scan, "Ann", 1, SWINGING) == []
    scan.read([_spoken(2, SWINGING, ("Bob",))])
    assert _found(scan, "Ann", 2, SWINGING) == [2]


def test_what_stands_apart_in_a_prompt_is_not_read_as_one() -> None:
    """Between two lines that are news stands one that is none, and was scanned before."""
    scan = PromptScan()
    scan.read(
        [
            _spoken(1, "Old copper kettles boil over, harbour lanterns swing in wind.", ("Bob",)),
            _spoken(2, "Gulls: harbour lanterns swing in.", BOTH),
            _spoken(3, "Seven oars lie beneath the pier.", ("Bob",)),
        ]
    )
    between = "Gulls: harbour lanterns swing in"
    assert _found(scan, "Ann", 3, f"Copper kettles boil over\n{between}") == []
    text = f"Old copper kettles boil over\n{between}\nwind. Seven oars lie beneath the pier."
    assert _found(scan, "Ann", 3, text) == [3]


WORDS = st.lists(st.sampled_from(["heron", "kettle", "swan", "stair"]), min_size=6, max_size=14)
PIECE = st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(1, 14))
"""Of one of the events so many words, from one of them on."""
BETWEEN = st.lists(st.sampled_from([" ", "\n", "\n\n", "\n[7] \n"]), min_size=1, max_size=5)
"""What stands behind each word, in turn."""


@given(
    st.lists(st.tuples(WORDS, st.sampled_from([BOTH, ("Bob",)])), min_size=4, max_size=4),
    st.lists(
        st.tuples(st.lists(PIECE, min_size=1, max_size=3), BETWEEN, st.integers(0, 4)),
        min_size=1,
        max_size=4,
    ),
)
@settings(max_examples=300)
def test_whatever_was_scanned_before_a_prompt_is_scanned_as_one_line_would_be(
    happened: list[tuple[list[str], tuple[str, ...]]],
    asked: list[tuple[list[tuple[int, int, int]], list[str], int]],
) -> None:
    events = [
        _spoken(seq, " ".join(said), witnesses)
        for seq, (said, witnesses) in enumerate(happened, start=1)
    ]
    scan = PromptScan()
    scan.read(events)
    for pieces, between, upto in asked:
        words = [
            word for at, begin, many in pieces for word in happened[at][0][begin : begin + many]
        ]
        text = "".join(map("".join, zip(words, cycle(between), strict=False)))
        alone = PromptScan()
        alone.read(events)
        expected = _leaks(alone, upto, text.replace("\n", " "))
        again = [_leaks(scan, upto, text) for _ in range(3)]  # by its lines, by its paragraphs
        assert again == [expected] * 3


def _leaks(scan: PromptScan, upto: int, text: str) -> list[PromptLeak]:
    return scan.scan("Ann", upto, Request("answer", (Message("user", text),)), ())


def _spoken(seq: int, said: str, witnesses: tuple[str, ...]) -> Event:
    return Event("w", seq, NIGHT, NIGHT, Acted(said), actor=None, witnesses=witnesses)


def _found(scan: PromptScan, who: str, upto: int, text: str) -> list[int]:
    request = Request("answer", (Message("user", text),))
    return [one.event for one in scan.scan(who, upto, request, ())]


def test_every_long_speech_of_a_play_is_found_as_it_stands_in_a_prompt(tmp_path: Path) -> None:
    events = asyncio.run(_play(lamp_room(tmp_path)))
    scan = PromptScan()
    scan.read(events)
    speeches = [one for one in events if isinstance(one.body, Acted) and len(one.text.split()) > 13]
    assert sum("\n" in one.text for one in speeches) > 5

    def found(told: str) -> bool:
        return bool(scan.scan("Nobody", len(events), Request("act", (Message("user", told),)), ()))

    assert [one.text for one in speeches if not found(str(line(7, one)))] == []


async def _play(file: Path) -> list[Event]:
    async with open_log(file) as log:
        return await (await log.director(PLAY)).events()
