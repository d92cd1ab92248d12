"""What the flat memory brings back: raw events and what was drawn out of them, by one search."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from planted_lives import idle, lived

from whoknew.agents.memories.flat import Chunk, FlatEntry
from whoknew.agents.models.model import Reply, Request

SECRET = [("Kit", "The spare key of the boathouse hangs behind the barometer.")]


class TooLong:
    """Says more than it was asked for, and names at the end what that rests on."""

    name = "too-long:"

    async def complete(self, request: Request) -> Reply:
        said = {
            "summary": "A key hangs [2]. " + "word " * 600 + "[3].",
            "facts": ["word " * 61 + "[3]"],
        }
        return Reply(text=json.dumps(said))


class TooMuch:
    """Gives more than it was asked for."""

    name = "too-much:"

    async def complete(self, request: Request) -> Reply:
        facts = [f"Fact {number} [2]." for number in range(5)]
        return Reply(text=json.dumps({"facts": facts, "phrases": ["key", "barometer", "boat"]}))


async def test_no_more_is_kept_than_was_asked_for() -> None:
    entry = FlatEntry(chunks=("phrases", "facts"), most=2)
    async with lived(entry, SECRET, model=TooMuch()) as life:
        assert [one.text for one in await life.notes()] == [
            "Key phrases:\nkey, barometer",
            "Fact:\nFact 0 [2].",
            "Fact:\nFact 1 [2].",
        ]


async def test_what_is_cut_off_names_what_it_rests_on_all_the_same() -> None:
    entry = FlatEntry(chunks=("summary", "facts"))
    async with lived(entry, [*SECRET, *SECRET, *SECRET], model=TooLong()) as life:
        summary, fact = await life.notes()
        view = await life.view()
        assert "[3]" not in summary.text and "[3]" not in fact.text
        places = [[view.place(seq) for seq in note.sources] for note in (summary, fact)]
        assert places == [[2], [3]]


@pytest.mark.parametrize("chunks", [(one,) for one in get_args(Chunk)])
async def test_what_was_planted_is_found_by_each_kind_of_chunk_alone(
    chunks: tuple[Chunk, ...],
) -> None:
    async with lived(FlatEntry(k=3, chunks=chunks), *idle(6), SECRET, *idle(6)) as life:
        found = await life.recollect("Where is the key of the boathouse?")
        assert "boathouse" in found.text
        titles = {"events": "Kit says:", "summary": "Summary:", "phrases": "Key", "facts": "Fact:"}
        for chunk, title in titles.items():
            assert (title in found.text) == (chunk in chunks)


async def test_events_alone_ask_nothing_and_keep_nothing() -> None:
    entry = FlatEntry(chunks=("events",))
    assert (entry.calls_an_episode, entry.keeps) == (0, "")
    async with lived(entry, SECRET) as life:
        assert life.calls == [] and await life.notes() == []


async def test_what_is_drawn_out_rests_on_the_lines_that_it_names() -> None:
    entry = FlatEntry()
    async with lived(entry, SECRET, *idle(2)) as life:
        assert len(life.calls) == 3 == 3 * entry.calls_an_episode
        view = await life.view()
        (fact,) = [
            one
            for one in await life.notes()
            if one.text.startswith("Fact") and "boathouse" in one.text
        ]
        (source,) = await view.pick([view.place(seq) or 0 for seq in fact.sources])
        assert source.text == "Kit: The spare key of the boathouse hangs behind the barometer."


async def test_the_best_come_to_mind_and_what_has_no_room_is_counted() -> None:
    async with lived(FlatEntry(k=4), *idle(6), SECRET, *idle(6)) as life:
        whole = await life.recollect("Where is the key of the boathouse?")
        assert len(whole.pieces) == 4
        some = await life.recollect("Where is the key of the boathouse?", budget=45)
        assert 0 < len(some.pieces) < 4 and some.left_out and "boathouse" in some.text


def test_a_chunk_is_named_once() -> None:
    with pytest.raises(ValueError, match="names one twice"):
        FlatEntry(chunks=("events", "events"))
