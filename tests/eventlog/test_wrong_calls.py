"""What a program without a type checker may call wrongly is said to be wrong, by an error of the log."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from small_worlds import begun, narrated, opened, seqs_of

from whoknew.eventlog import ABSENT, Log, exactly, open_log
from whoknew.eventlog.cursor import AtSeq, Cursor
from whoknew.eventlog.errors import (
    BadAddress,
    BadCursor,
    BadName,
    BadSearch,
    NoSuchCharacter,
    NoSuchWorld,
    Refused,
)


@pytest.fixture
async def log() -> AsyncIterator[Log]:
    async with open_log(":memory:") as log:
        await log.append("w", opened("A"))
        yield log


@pytest.mark.parametrize("address", [None, 5, b"x.db", "/", ".", "a\0b", ""])
def test_what_names_no_file_is_no_address(address: Any) -> None:
    with pytest.raises(BadAddress, match="is no address of a log: use a file's path"):
        open_log(address)


@pytest.mark.parametrize(
    "drafts", [None, narrated(1)[0], (one for one in narrated(1)), lambda first: iter(narrated(1))]
)
async def test_what_is_no_list_of_drafts_is_not_appended(log: Log, drafts: Any) -> None:
    with pytest.raises(Refused, match="a batch is a list of drafts, not"):
        await log.append("w", drafts)
    assert (await log.append("w", narrated(1))).first == 3


@pytest.mark.parametrize("expect", [4, None, "end"])
async def test_what_is_expected_is_said_by_its_names(log: Log, expect: Any) -> None:
    with pytest.raises(Refused, match=r"expect ANY, ABSENT or exactly\(seq\), not"):
        await log.append("w", narrated(1), expect=expect)


@pytest.mark.parametrize("seq", ["4", None, 4.0, ABSENT])
def test_a_head_is_a_number(seq: Any) -> None:
    with pytest.raises(Refused, match="a head is expected by its seq, a whole number, not"):
        exactly(seq)


@pytest.mark.parametrize("name", [4, b"w", ("w",)])
async def test_a_key_and_the_name_of_a_world_are_texts(log: Log, name: Any) -> None:
    for call in (
        lambda: log.append("w", narrated(1), key=name),
        lambda: begun(log, name),
        lambda: log.fork("w", name),
    ):
        with pytest.raises(BadName, match=r"cannot be (a key|the name of a world): take"):
            await call()
    await log.expect_new([name])
    assert await log.found([name]) == {}


@pytest.mark.parametrize("name", [5, None, b"w"])
async def test_a_name_that_is_no_text_is_of_no_world_and_of_no_character(
    log: Log, name: Any
) -> None:
    calls: list[Callable[[], Awaitable[object]]] = [
        lambda: log.head(name),
        lambda: log.view(name, "A"),
        lambda: log.fork(name, "v"),
        lambda: seqs_of(log.read(name)),
    ]
    for call in calls:
        with pytest.raises(NoSuchWorld, match="no world"):
            await call()
    with pytest.raises(NoSuchCharacter, match="no character"):
        await log.view("w", name)


@pytest.mark.parametrize("at", [AtSeq(-1), Cursor("w", -1)])
async def test_nothing_is_before_the_beginning(log: Log, at: Any) -> None:
    calls: list[Callable[[], Awaitable[object]]] = [
        lambda: log.view("w", "A", at),
        lambda: log.director("w", at),
        lambda: seqs_of(log.read("w", at)),
    ]
    for call in calls:
        with pytest.raises(BadCursor, match="is no cursor"):
            await call()


@pytest.mark.parametrize(("after", "upto"), [(-3, None), (0, 9), (-1, 2), (5, 9), (1, -1)])
async def test_a_director_gives_those_that_there_are(log: Log, after: int, upto: Any) -> None:
    director, view = await log.director("w"), await log.view("w", "A")
    seqs = [event.seq for event in await director.events(after, upto)]
    assert seqs == [seq for seq in (1, 2) if after < seq <= (9 if upto is None else upto)]
    assert len(await view.events(after, upto)) <= len(seqs)
    assert await director.last(-1) == await view.last(-1) == []


@pytest.mark.parametrize(("words", "k"), [(None, 10), (b"x", 10), ("x", "3"), ("x", None)])
async def test_a_search_is_for_words_and_for_so_many_events(log: Log, words: Any, k: Any) -> None:
    view = await log.view("w", "A")
    with pytest.raises(BadSearch, match="give words as a text, and a whole number"):
        await view.recall(words, k)


@pytest.mark.parametrize("after", ["#1", 1, None])
async def test_all_worlds_are_read_from_a_position(log: Log, after: Any) -> None:
    for read in (log.read_all, log.follow_all):
        with pytest.raises(BadCursor, match="is no position"):
            await anext(read(after))
