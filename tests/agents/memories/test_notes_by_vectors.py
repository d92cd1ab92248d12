"""What is brought back by vectors of what a memory noted, beside words; and where those vectors stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace
from planted_lives import WHO, PlantedLife, idle, lived, made

from whoknew.agents.memories.search import SearchEntry
from whoknew.agents.models.minilm import MiniLM
from whoknew.agents.models.model import EMBED, Model, Routed
from whoknew.agents.models.offline import Offline
from whoknew.agents.models.vectors import rows_of
from whoknew.engine.registry import MEMORIES
from whoknew.eventlog.words import terms
from whoknew.testing.occasion import occasion

PAINTING = [
    ("Kit", "I spend every weekend on watercolours of the harbour."),
    (WHO, "I would rather be out on the water, weekend or not."),
]
QUESTION = "What hobby does she have?"

CALLS = {"flat": (1, 2), "facts": (2, 1), "notes": (2, 1)}
"""At the end of an episode: those of a language model, and those for vectors."""


def entry(name: str, **settings: object) -> SearchEntry:
    found: SearchEntry = MEMORIES.made(name, settings)
    return found


def by_meaning() -> Model:
    return Routed(Offline(), {EMBED: MiniLM()})


async def brought(life: PlantedLife) -> str:
    now = await occasion(await life.view(), QUESTION, model=by_meaning())
    return (await made(life.entry).recollect(now)).text


@pytest.mark.parametrize(
    ("name", "settings"),
    [("flat", {"chunks": ["facts"]}), ("facts", {})],
)
async def test_what_shares_no_word_with_the_question_is_found_by_what_it_means(
    name: str, settings: Mapping[str, Any]
) -> None:
    assert not set(terms(QUESTION)) & set(terms(" ".join(text for _, text in PAINTING)))
    ours = entry(name, k=3, embedder="minilm:", **settings)
    async with lived(ours, *idle(2), PAINTING, *idle(2), model=by_meaning()) as life:
        assert "watercolours" in await brought(life)
        plain = replace(life, entry=entry(name, k=3, **settings))
        assert "watercolours" not in await brought(plain)


@pytest.mark.parametrize("name", CALLS)
async def test_each_note_has_the_vector_of_what_it_says_which_is_asked_for_once(name: str) -> None:
    ours = entry(name, embedder="offline:")
    assert (ours.calls_a_turn, ours.vectors_a_turn) == (1, 1)
    assert (ours.calls_an_episode - ours.vectors_an_episode, ours.vectors_an_episode) == CALLS[name]
    async with lived(ours, *idle(3), PAINTING) as life:
        notes = await life.notes()
        assert {note.strategy for note in notes} == {f"{name}, vectors of offline:"} == {ours.keeps}
        texts = [note for note in notes if note.text]
        assert texts and all(len(rows_of(note.packed, 1)) == 1 for note in texts)
        asked = [request for request in life.calls if request.purpose == EMBED]
        embedded = [message.text for request in asked for message in request.messages]
        rows = sum(1 if note.text else len(note.sources) for note in notes)
        assert len(embedded) == rows and len(asked) <= 4 * CALLS[name][1]
        assert len(set(embedded)) == len(embedded)


@pytest.mark.parametrize("name", CALLS)
async def test_what_it_notes_is_the_same_without_vectors(name: str) -> None:
    """So that an exam can hold one against the other: the same is asked of a language model. (Where `flat`
    searches events, too, a note with their vectors has a place in the view, and numbers are others.)"""

    async def noted(**settings: object) -> tuple[list[str], list[str]]:
        ours = entry(name, **settings, **_noted_alone(name))
        async with lived(ours, *idle(3), PAINTING, *idle(2)) as life:
            asked = [one.digest for one in life.calls if one.purpose != EMBED]
            return asked, [note.text for note in await life.notes() if note.text]

    assert await noted() == await noted(embedder="offline:")


@pytest.mark.parametrize("name", CALLS)
async def test_notes_with_the_vectors_of_another_embedder_are_not_its_own(name: str) -> None:
    async with lived(entry(name, embedder="offline:", **_noted_alone(name)), PAINTING) as life:
        for other in ({}, {"embedder": "offline:other"}):
            ours = entry(name, **other, **_noted_alone(name))
            assert await brought(replace(life, entry=ours)) == ""
        assert (await life.recollect("watercolours")).text


def _noted_alone(name: str) -> dict[str, Any]:
    return {"chunks": ["facts"]} if name == "flat" else {}
