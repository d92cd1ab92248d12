"""What recall brings back by vectors beside words, and what it keeps for that."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
import pytest
from model_servers import serving
from msgspec.structs import replace
from planted_lives import PlantedLife, idle, lived, made

from whoknew.agents.errors import BadAnswer
from whoknew.agents.memories.recall import RecallEntry
from whoknew.agents.memories.vectors import MOST, Strategy, Vectors
from whoknew.agents.models.minilm import MiniLM
from whoknew.agents.models.model import EMBED, Model, Reply, Request
from whoknew.agents.models.vectors import packed, rows_of
from whoknew.engine.running.models import opened
from whoknew.eventlog import Event, View
from whoknew.eventlog.words import terms
from whoknew.testing.occasion import occasion

PAINTING = ("Kit", "I spend every weekend on watercolours of the harbour.")

QUESTION = "What hobby does she have?"


async def brought(life: PlantedLife, model: Model, about: str) -> str:
    now = await occasion(await life.view(), about, model=model)
    return (await made(life.entry).recollect(now)).text


async def test_what_shares_no_word_with_the_question_is_found_by_what_it_means() -> None:
    assert not set(terms(QUESTION)) & set(terms(" ".join(PAINTING)))
    by_vectors = RecallEntry(k=2, embedder="minilm:")
    async with lived(by_vectors, *idle(4), [PAINTING], *idle(4), model=MiniLM()) as life:
        assert "watercolours" in await brought(life, MiniLM(), QUESTION)
        plain = replace(life, entry=RecallEntry(k=2))
        assert "watercolours" not in await brought(plain, MiniLM(), QUESTION)


async def test_each_text_has_one_vector_which_is_asked_for_once() -> None:
    entry = RecallEntry(embedder="offline:")
    async with lived(entry, *idle(3), [PAINTING]) as life:
        view, notes = await life.view(), await life.notes()
        texts = [message.text for request in life.calls for message in request.messages]
        assert {request.purpose for request in life.calls} == {EMBED}
        assert len(life.calls) == len(notes) == 4
        assert len(texts) == len(set(texts)) == 7
        places = [view.place(seq) for note in notes for seq in note.sources]
        assert [event.text for event in await view.pick([one for one in places if one])] == texts


async def test_vectors_are_neither_searched_nor_told() -> None:
    async with lived(RecallEntry(k=50, embedder="offline:"), *idle(3), [PAINTING]) as life:
        notes = await life.notes()
        assert all(note.packed and not note.words for note in notes)
        rows = rows_of(notes[-1].packed, 1)
        assert numpy.linalg.norm(rows[0]) > 0.99
        found = await life.recollect("watercolours")
        assert {place for note in notes for place in note.sources} & set(found.places)
        assert "vectors" not in found.text


async def test_those_of_another_model_count_for_nothing() -> None:
    """They are asked for anew, from the first on."""
    async with lived(RecallEntry(embedder="offline:"), *idle(2), [PAINTING]) as life:
        other = RecallEntry(embedder="offline:other")
        assert (other.keeps, other.calls_a_turn) == ("vectors of offline:other", 1)
        (note,) = await made(other).remember(await occasion(await life.view()))
        assert len(note.sources) == 5 and note.strategy == other.keeps


def test_without_a_model_nothing_is_asked_and_nothing_kept() -> None:
    entry = RecallEntry()
    assert (entry.calls_a_turn, entry.calls_an_episode, entry.keeps) == (0, 0, "")


async def test_a_server_with_embeddings_will_do() -> None:
    """It is told of what happened one episode at a time, and of each text once."""
    async with serving("openai") as server, opened(f"{server.url}#e") as model:
        entry = RecallEntry(k=2, embedder=f"{server.url}#e")
        async with lived(entry, *idle(3), [PAINTING], model=model) as life:
            assert [len(one["input"]) for one in server.asked] == [2, 2, 2, 1]
            assert "watercolours" in await brought(life, model, "Watercolours, on a weekend?")
            assert [len(one["input"]) for one in server.asked[4:]] == [1]


class OfLength:
    """Gives vectors of so many numbers."""

    name = "offline:"

    def __init__(self, size: int) -> None:
        self._size = size

    async def complete(self, request: Request) -> Reply:
        return Reply(text=packed([[1.0] * self._size] * len(request.messages)))


async def test_a_model_that_becomes_another_under_its_address_is_found_out() -> None:
    """Its vectors cannot be held against those that are there: neither now nor later."""
    entry = RecallEntry(embedder="offline:")
    async with lived(entry, *idle(2), model=OfLength(3)) as life:
        now = await occasion(await life.view(), "bread", model=OfLength(4))
        with pytest.raises(BadAnswer, match="of 3 numbers before, and now of 4"):
            await made(entry).recollect(now)
        beyond = await occasion(await life.view(), "bread", model=OfLength(3))
        assert (await made(entry).recollect(beyond)).text


@pytest.mark.parametrize(
    "packed",
    [
        b"abc",
        numpy.asarray([9.0] * 256, "<f2").tobytes(),
        numpy.full(256, numpy.nan, "<f2").tobytes(),
    ],
    ids=["no vectors", "longer than 1", "no numbers"],
)
async def test_a_note_with_what_is_no_vector_counts_for_nothing(packed: bytes) -> None:
    """It may have come from a log that others wrote."""
    entry = RecallEntry(k=50, share=1.0, embedder="offline:")
    async with lived(entry, *idle(2), [PAINTING]) as life:
        now = await occasion(await life.view(), "watercolours")
        assert now.life.notes
        now.life.notes[:] = [(at, replace(note, packed=packed)) for at, note in now.life.notes]
        found = Vectors(Strategy(embedder="offline:"))
        assert await found.beside(now, now.life.upto) is None


async def test_of_a_long_past_no_more_is_read_than_goes_into_one_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry, read = RecallEntry(embedder="offline:"), list[int]()
    past = [("Kit", f"The boat number {number} leaks.") for number in range(2_000)]
    async with lived(RecallEntry(), past) as life:
        view, events = await life.view(), View.events

        async def heeded(view: View, *places: int) -> Sequence[Event]:
            found = await events(view, *places)
            read.append(len(found))
            return found

        now = await occasion(view)
        monkeypatch.setattr(View, "events", heeded)
        (note,) = await made(entry).remember(now)
        assert len(note.sources) == MOST <= sum(read) < 2 * MOST
